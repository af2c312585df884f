// SPDX-License-Identifier: MIT
// The short way of a request into a send ring, for whoever posts and wants no call in between.
#pragma once

#include "wq/send_wqe.hpp"

namespace kdevx::wq {

// The short way, for what is posted most: one piece of data that does not wrap, on a queue where
// nothing is special. All is known before the first store, and an inline payload goes last, so that
// nothing must be kept across the copy. False: nothing was done, the long way tells why.
[[gnu::always_inline]] inline bool send_ring::post_short_inline(const send_request &r) noexcept {
    if (r.op >= send_op::count_ || !(short_inline_ops_ >> unsigned(r.op) & 1)) return false;
    if (r.num_sge != 1) return false;
    const op_row &op = ops[std::size_t(r.op)];
    const std::uint32_t length = r.sg_list->length;
    const std::uint32_t units = 1 + std::uint32_t(op.body) + (length + inline_header + 15) / 16;
    const std::uint32_t wqebbs = (units + 3) / 4;
    wqe_writer w(*this, units);
    if (length - 1 >= max_inline_ || (w.start & mask_) + wqebbs > count_ ||
        w.start + wqebbs - consumer() > count_) [[unlikely]]
        return false;

    w.put_control(*this, r.flags, op.opcode, 0, op.flags & has_id ? r.imm_or_rkey : 0);
    if (op.body == body::remote) w.put_remote(r.rdma.addr, r.rdma.rkey);
    put_zero<0, prm::MLX5_SEND_WQE_DS>(w.control + std::size_t(units - 1) * 16);
    put<prm::wqe_inline_data, "inline", "byte_count">(w.c.at, 1u, length);
    w.record(*this, r);
    std::memcpy(w.c.at + inline_header,
                reinterpret_cast<const void *>(std::uintptr_t(r.sg_list->addr)), length);
    return true;
}

[[gnu::always_inline]] inline bool send_ring::post_short(const send_request &r) noexcept {
    return r.flags & send_inline ? post_short_inline(r) : post_short_gather(r);
}

// One request and the doorbell for it. False: nothing was done, it goes another way.
[[gnu::always_inline]] inline bool send_ring::post_alone(const send_request &r) noexcept {
    if (!post_short(r)) return false;
    ring_register();
    return true;
}

} // namespace kdevx::wq
