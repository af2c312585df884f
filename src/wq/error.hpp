// SPDX-License-Identifier: MIT
// What the data path refuses, by name. A refused request leaves ring, counters and doorbells as
// they were.
#pragma once

#include <cstdint>
#include <string_view>

namespace kdevx::wq {

enum class error : std::uint8_t {
    none,

    // the request
    queue_full,
    too_many_sges,
    sge_too_long,
    inline_too_long,
    wqe_too_long,
    bad_opcode,
    opcode_not_on_transport,
    takes_no_data,
    bad_operand_size,
    bad_condition,
    response_not_inline,
    no_address,
    misaligned,
    bad_umr,
    bad_translation,

    // cross-channel
    not_a_master,
    no_target,
    target_not_managed,
    target_wrong_state,
    target_has_srq,
    foreign_target,
    enable_beyond_posted,
    enable_too_far,
    wait_too_far,
    cq_resizing,

    // queues and tasks
    wrong_state,
    no_such_queue,
    comp_mask_not_zero,
    unknown_task_type,

    // completions
    unknown_queue,
    stray_completion,
    inline_data_lost,
    unexpected_cqe,
    signature_mismatch,

    // setting a ring up
    bad_number,
    bad_ring_size,
    bad_memory,
    table_full,
    cq_too_small,
    cq_waited_for,

    count_, // not an error: how many there are
};

struct error_info {
    error value;
    std::string_view name;
    std::string_view hint; // what is wrong and what to do about it
};
const error_info &info(error e) noexcept;
inline std::string_view name(error e) noexcept {
    return info(e).name;
}
inline std::string_view hint(error e) noexcept {
    return info(e).hint;
}

} // namespace kdevx::wq
