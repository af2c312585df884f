// SPDX-License-Identifier: MIT
#include "wq/error.hpp"

#include <iterator>

namespace kdevx::wq {

namespace {

// clang-format off
constexpr error_info table[] = {
    {error::none,                    "NONE", ""},

    {error::queue_full, "QUEUE_FULL",
     "poll its completion queue: completed work requests free their place"},
    {error::too_many_sges, "TOO_MANY_SGES",
     "the request has more scatter/gather entries than the queue was created with"},
    {error::sge_too_long, "SGE_TOO_LONG",
     "one entry holds at most 2^31 - 1 bytes: split it"},
    {error::inline_too_long, "INLINE_TOO_LONG",
     "more inline data than the queue was created with (1023 bytes at most)"},
    {error::wqe_too_long, "WQE_TOO_LONG",
     "the request does not fit a WQE (1008 bytes) or the whole ring"},
    {error::bad_opcode, "BAD_OPCODE",
     "there is no such operation"},
    {error::opcode_not_on_transport, "OPCODE_NOT_ON_TRANSPORT",
     "the queue's transport does not have this operation"},
    {error::takes_no_data, "TAKES_NO_DATA",
     "this operation has no scatter/gather list and no inline data"},
    {error::bad_operand_size, "BAD_OPERAND_SIZE",
     "an atomic needs one entry of 8 bytes; masked ones of 4 or 8"},
    {error::bad_condition, "BAD_CONDITION",
     "no such condition to wait for"},
    {error::response_not_inline, "RESPONSE_NOT_INLINE",
     "a read or atomic brings data: there is none to put into the WQE"},
    {error::no_address, "NO_ADDRESS",
     "a datagram needs an address vector and a queue number of 24 bits"},
    {error::misaligned, "MISALIGNED",
     "the address to wait on is not a multiple of 8"},
    {error::bad_umr, "BAD_UMR",
     "a UMR needs a context, entries in whole units, and no BSF where it has an offset"},
    {error::bad_translation, "BAD_TRANSLATION",
     "pieces have bytes, KSM entries a power of two and one key each, strides 16 bits"},

    {error::not_a_master, "NOT_A_MASTER",
     "WAIT and ENABLE need a queue created with cd_master"},
    {error::no_target, "NO_TARGET",
     "the request names no completion queue or queue pair"},
    {error::target_not_managed, "TARGET_NOT_MANAGED",
     "the target was not created with cd_slave_send or cd_slave_receive"},
    {error::target_wrong_state, "TARGET_WRONG_STATE",
     "the target must be in RTS (its receive queue: RTR) to be enabled"},
    {error::target_has_srq, "TARGET_HAS_SRQ",
     "receives of a shared receive queue cannot be enabled for one queue pair"},
    {error::foreign_target, "FOREIGN_TARGET",
     "a WAIT or ENABLE reaches queues of its own context only"},
    {error::enable_beyond_posted, "ENABLE_BEYOND_POSTED",
     "post the work requests before you enable them"},
    {error::enable_too_far, "ENABLE_TOO_FAR",
     "half the 16-bit index space or more at once: enable in smaller steps"},
    {error::wait_too_far, "WAIT_TOO_FAR",
     "half the 24-bit index space or more at once: wait in smaller steps"},
    {error::cq_resizing, "CQ_RESIZING",
     "finish the resize of the completion queue first"},

    {error::wrong_state, "WRONG_STATE",
     "the queue pair must be in RTS to send, and have left RST to receive"},
    {error::no_such_queue, "NO_SUCH_QUEUE",
     "the queue pair has no queue of this kind (receives of an SRQ are posted to the SRQ)"},
    {error::comp_mask_not_zero, "COMP_MASK_NOT_ZERO",
     "no extension of a task is defined"},
    {error::unknown_task_type, "UNKNOWN_TASK_TYPE",
     "a task is a list of sends or of receives"},

    {error::unknown_queue, "UNKNOWN_QUEUE",
     "a completion of a queue that is not registered with this completion queue"},
    {error::stray_completion, "STRAY_COMPLETION",
     "a completion of a work request that is not outstanding"},
    {error::inline_data_lost, "INLINE_DATA_LOST",
     "data came in the completion and does not fit the posted buffers"},
    {error::unexpected_cqe, "UNEXPECTED_CQE",
     "a completion of a kind that was not asked for (compressed, or unknown)"},
    {error::signature_mismatch, "SIGNATURE_MISMATCH",
     "data under a signature key did not match it: look at the key"},

    {error::bad_number, "BAD_NUMBER",
     "a queue number has 24 bits"},
    {error::bad_ring_size, "BAD_RING_SIZE",
     "a ring is a power of two of entries, with as many slots"},
    {error::bad_memory, "BAD_MEMORY",
     "ring, doorbell record or UAR is missing or not aligned"},
    {error::table_full, "TABLE_FULL",
     "give the table of queues more places"},
    {error::cq_too_small, "CQ_TOO_SMALL",
     "poll the completion queue first: the new ring has no place for what was not polled"},
    {error::cq_waited_for, "CQ_WAITED_FOR",
     "a WAIT counts completions of this queue that are still to come: resize when it has ended"},
};
// clang-format on

constexpr bool in_order() {
    for (std::size_t i = 0; i < std::size(table); ++i)
        if (std::size_t(table[i].value) != i) return false;
    return std::size(table) == std::size_t(error::count_);
}
static_assert(in_order(), "one row for each error, in the order of the enumeration");

} // namespace

const error_info &info(error e) noexcept {
    return table[e < error::count_ ? std::size_t(e) : 0];
}

} // namespace kdevx::wq
