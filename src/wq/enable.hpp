// SPDX-License-Identifier: MIT
// The counters behind WAIT and ENABLE. A program says "n more completions" or "n more work
// requests"; the device compares with absolute indices. Requests of one group are all relative to
// the same base, so that "wait 1, wait 2, wait 3" are three stages; the request that carries
// send_wait_enable_last ends the group, and the largest n of the group is added to the base.
#pragma once

#include "kdevx/prm/cqe.hpp"
#include "kdevx/prm/wqe.hpp"
#include "wq/error.hpp"
#include "wq/work_request.hpp"

namespace kdevx::wq {

struct group_counter {
    std::uint32_t index = 0;    // what all ended groups add up to
    std::uint32_t position = 0; // the same in the device's unit
    std::uint32_t count = 0;    // the largest n of the group that is open
    std::uint32_t end = 0;      // where that one ends, in the device's unit

    void note(std::uint32_t n, std::uint32_t n_end, bool last) noexcept {
        if (n > count) {
            count = n;
            end = n_end;
        }
        if (!last || count == 0) return;
        index += count;
        position = end;
        count = 0;
    }
    // The furthest that was asked for, against a counter of the device that is not wrapped.
    bool is_ahead_of(std::uint32_t counter) const noexcept {
        const std::uint32_t distance = (count ? end : position) - counter;
        return distance != 0 && distance < 1u << 24;
    }
    // The device has counted what is none of what is counted here.
    void move(std::uint32_t n) noexcept {
        position += n;
        end += n;
    }
};

// What the index of SEND_EN counts is not settled by public text: see
// docs/decisions/0001-send-en-index-unit.md. This is the one switch; a queue can be told otherwise
// when it is set up. The two differ only where a work request takes more than one WQEBB.
enum class send_enable_unit : std::uint8_t { wqebb, work_request };
inline constexpr send_enable_unit default_send_enable_unit = send_enable_unit::wqebb;

// Indices are compared cyclically: what is half the index space or more ahead looks as if it were
// behind, and the queue would stand still without an error.
inline constexpr std::uint32_t enable_index_mask = (1u << prm::MLX5_WQ_INDEX_WIDTH) - 1;
inline constexpr std::uint32_t wait_index_mask = (1u << prm::MLX5_CQ_INDEX_WIDTH) - 1;
inline constexpr std::uint32_t enable_distance_limit = 1u << (prm::MLX5_WQ_INDEX_WIDTH - 1);
inline constexpr std::uint32_t wait_distance_limit = 1u << (prm::MLX5_CQ_INDEX_WIDTH - 1);

// The index that the device shall wait for or enable up to. Nothing is changed here: the counters
// move when the WQE is written.
struct resolved_index {
    error refused = error::none;
    std::uint32_t count = 0; // in completions or work requests, relative to the base
    std::uint32_t end = 0;   // absolute, in the device's unit, not wrapped
};
resolved_index resolve_wait(const wait_cq_request &r) noexcept;
resolved_index resolve_send_enable(const enable_request &r) noexcept;
resolved_index resolve_receive_enable(const enable_request &r) noexcept;

} // namespace kdevx::wq
