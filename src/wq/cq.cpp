// SPDX-License-Identifier: MIT
#include "wq/cq.hpp"

#include "wq/inline_scatter.hpp"
#include "wq/ring_size.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace kdevx::wq {

namespace {

constexpr std::size_t max_cqes = 1u << (prm::MLX5_CQ_INDEX_WIDTH - 1);

error check(std::span<std::byte> buffer, std::uint32_t cqe_size) noexcept {
    if (cqe_size != 64 && cqe_size != 128) return error::bad_ring_size;
    const std::size_t count = buffer.size() / cqe_size;
    if (buffer.size() % cqe_size || !power_of_two(count) || count > max_cqes)
        return error::bad_ring_size;
    if (reinterpret_cast<std::uintptr_t>(buffer.data()) % 64) return error::bad_memory;
    return error::none;
}

// The value of the last byte of a CQE that no device has written.
constexpr std::byte fresh{prm::cqe_op<"INVALID"> << 4 | 1};

void make_fresh(std::span<std::byte> buffer, std::uint32_t cqe_size) noexcept {
    for (std::size_t at = cqe_size - 1; at < buffer.size(); at += cqe_size)
        buffer[at] = fresh;
}

} // namespace

error cq::init(const cq_config &c) noexcept {
    if (error e = check(c.buffer, c.cqe_size); e != error::none) return e;
    if (!c.buffer.data() || !c.doorbell_record || !c.uar || !c.uar->page) return error::bad_memory;
    if (c.cqn > 0xffffff) return error::bad_number;
    make_fresh(c.buffer, c.cqe_size);
    buffer_ = c.buffer.data();
    mask_ = std::uint32_t(c.buffer.size() / c.cqe_size) - 1;
    log_size_ = std::uint8_t(std::countr_one(mask_));
    log_cqe_size_ = std::uint8_t(std::countr_zero(c.cqe_size));
    cqe64_offset_ = std::uint8_t(c.cqe_size - 64);
    doorbell_record_ = c.doorbell_record;
    uar_ = c.uar;
    cqn_ = c.cqn;
    by_user_index_ = c.by_user_index;
    index_ = arm_sn_ = seen_ = 0;
    next_ = {};
    resizing_ = false;
    waits = {};
    return error::none;
}

void cq::arm(bool solicited_only) noexcept {
    arm_cq(doorbell_record_, cqn_, index_, arm_sn_,
           solicited_only ? prm::cq_arm_command<"REQ_NOT_SOL"> : prm::cq_arm_command<"REQ_NOT">,
           *uar_);
}

// ---- polling
// -------------------------------------------------------------------------------------

namespace {

struct response_kind {
    completed what;
    std::uint8_t flags;
};
constexpr response_kind response_kinds[] = {
    /* REQ           */ {completed::unknown, 0},
    /* RESP_WR_IMM   */ {completed::receive_rdma_imm, completion_has_imm},
    /* RESP_SEND     */ {completed::receive, 0},
    /* RESP_SEND_IMM */ {completed::receive, completion_has_imm},
    /* RESP_SEND_INV */ {completed::receive, completion_has_inval},
};

std::uint32_t opcode_of(const std::byte *cqe) noexcept {
    return get<prm::cqe64, "opcode">(cqe);
}
bool has_inline_data(const std::byte *cqe) noexcept {
    return get<prm::cqe64, "format">(cqe) != 0;
}

} // namespace

inline const queue_entry *cq::owner(const std::byte *cqe, bool response, const queue_table &queues,
                                    const queue_table *srqs) noexcept {
    if (by_user_index_) return queues.find(get<prm::cqe64, "srqn_uidx">(cqe));
    // The queue pair of an XRC SRQ's receive is nobody's here: only the SRQ is known.
    const queue_entry *e = queues.find(get<prm::cqe64, "qpn">(cqe));
    return e || !response || !srqs ? e : srqs->find(get<prm::cqe64, "srqn_uidx">(cqe));
}

// A send queue's WQE is done, successfully or not.
inline void cq::take_request(const std::byte *cqe, completion &c, const queue_entry *e) noexcept {
    const send_slot *s = e && e->qp ? e->qp->sq.retire(c.wqe_counter) : nullptr;
    if (!s) [[unlikely]] {
        c.problem = e ? error::stray_completion : error::unknown_queue;
        return;
    }
    c.qp = e->qp->shown;
    c.wr_id = s->wr_id;
    c.what = completed_send(s->op);
    if (has_inline_data(cqe) && c.syndrome == 0) [[unlikely]] {
        const send_ring::scatter_list to = e->qp->sq.response_buffers(*s);
        c.problem = scatter_inline(cqe, cqe_size(), to.segments, to.count);
    }
}

void cq::take_response(const std::byte *cqe, completion &c, const queue_entry *e) noexcept {
    if (!e) [[unlikely]] {
        c.problem = error::unknown_queue;
        return;
    }
    shared_ring *srq = e->srq ? e->srq : e->qp->srq;
    const std::byte *segments = nullptr;
    const bool found =
        srq ? srq->retire(c.wqe_counter, c.wr_id, segments) : e->qp->rq.retire(c.wr_id, segments);
    c.qp = e->qp ? e->qp->shown : nullptr;
    if (!found) [[unlikely]] {
        c.problem = error::stray_completion;
        return;
    }
    if (has_inline_data(cqe) && c.syndrome == 0) [[unlikely]] {
        std::byte *at = const_cast<std::byte *>(segments);
        const std::uint32_t units = srq ? srq->data_units() : e->qp->rq.data_units();
        c.problem = scatter_inline(cqe, cqe_size(), {at, at, nullptr}, units);
    }
}

namespace {

void read_response(const std::byte *cqe, completion &c, response_kind kind) noexcept {
    using prm::cqe64;
    c.what = kind.what;
    c.flags = std::uint8_t(kind.flags | (get<cqe64, "se">(cqe) ? completion_solicited : 0) |
                           (get<cqe64, "g">(cqe) ? completion_has_grh : 0));
    c.imm_or_rkey = get<cqe64, "imm_inval_pkey">(cqe);
    c.src_qp = get<cqe64, "rqpn">(cqe);
    c.slid = std::uint16_t(get<cqe64, "slid">(cqe));
    c.sl = std::uint8_t(get<cqe64, "sl">(cqe));
    c.path_bits = std::uint8_t(get<cqe64, "ml_path">(cqe) & 0x7f);
}

void read_error(const std::byte *cqe, completion &c) noexcept {
    using prm::err_cqe;
    c.syndrome = std::uint8_t(get<err_cqe, "error_syndrome.syndrome">(cqe));
    c.vendor_error = std::uint8_t(get<err_cqe, "error_syndrome.vendor_error_syndrome">(cqe));
    c.byte_len = 0;
    if (c.syndrome == 0) c.problem = error::unexpected_cqe; // an error that says it is none
}

void read_other(const std::byte *cqe, completion &c, std::uint32_t opcode) noexcept {
    const bool signature = opcode == prm::cqe_op<"SIG_ERR">;
    c.what = signature ? completed::signature_error : completed::unknown;
    c.imm_or_rkey = signature ? get<prm::sig_err_cqe, "mkey">(cqe) : 0;
    c.problem = signature ? error::signature_mismatch : error::unexpected_cqe;
}

} // namespace

inline void cq::take(const std::byte *cqe, completion &c, const queue_table &queues,
                     const queue_table *srqs) noexcept {
    using prm::cqe64, prm::cqe_op;
    const std::uint32_t opcode = opcode_of(cqe);
    c = {};
    c.qpn = get<cqe64, "qpn">(cqe);
    c.wqe_counter = std::uint16_t(get<cqe64, "wqe_counter">(cqe));
    c.byte_len = get<cqe64, "byte_cnt">(cqe);
    if (opcode == cqe_op<"REQ">) [[likely]]
        return take_request(cqe, c, owner(cqe, false, queues, srqs));
    take_other(cqe, c, opcode, queues, srqs);
}

void cq::take_other(const std::byte *cqe, completion &c, std::uint32_t opcode,
                    const queue_table &queues, const queue_table *srqs) noexcept {
    using prm::cqe_op;
    if (opcode < std::size(response_kinds)) {
        read_response(cqe, c, response_kinds[opcode]);
    } else if (opcode == cqe_op<"REQ_ERR"> || opcode == cqe_op<"RESP_ERR">) {
        read_error(cqe, c);
        c.what = completed::receive;
        if (opcode == cqe_op<"REQ_ERR">)
            return take_request(cqe, c, owner(cqe, false, queues, srqs));
    } else {
        return read_other(cqe, c, opcode);
    }
    take_response(cqe, c, owner(cqe, true, queues, srqs));
}

std::size_t cq::poll_from(const std::byte *cqe, std::span<completion> out,
                          const queue_table &queues, const queue_table *srqs) noexcept {
    std::size_t n = 0;
    do {
        if (opcode_of(cqe) == prm::cqe_op<"RESIZE_CQ"> && switch_over()) [[unlikely]]
            continue;
        take(cqe, out[n++], queues, srqs);
        consume();
    } while (n < out.size() && (cqe = peek()));
    update();
    return n;
}

// ---- resize
// --------------------------------------------------------------------------------------

error cq::begin_resize(std::span<std::byte> buffer, std::uint32_t size) noexcept {
    if (resizing()) return error::cq_resizing;
    if (error e = check(buffer, size); e != error::none) return e;
    if (!buffer.data()) return error::bad_memory;
    if (size < cqe_size()) return error::bad_ring_size; // inline data would have no place
    const std::uint32_t there = unpolled();
    // The mark of the change takes a place in the old ring, and an index of the new one.
    if (there >= std::min(std::size_t(this->size()), buffer.size() / size))
        return error::cq_too_small;
    // Who waits would take the mark for one of the completions.
    if (waits.is_ahead_of(index_ + there)) return error::cq_waited_for;
    make_fresh(buffer, size);
    next_ = buffer;
    next_cqe_size_ = size;
    resizing_ = true;
    return error::none;
}

std::uint32_t cq::unpolled() noexcept {
    const std::uint32_t first = index_;
    while (index_ - first < size() && peek())
        ++index_;
    return std::exchange(index_, first) - first;
}

// The CQE that marks the change takes an index of its own: the new ring begins behind it.
bool cq::switch_over() noexcept {
    if (!next_.data()) return false;
    ++index_;
    buffer_ = next_.data();
    mask_ = std::uint32_t(next_.size() / next_cqe_size_) - 1;
    log_size_ = std::uint8_t(std::countr_one(mask_));
    log_cqe_size_ = std::uint8_t(std::countr_zero(next_cqe_size_));
    cqe64_offset_ = std::uint8_t(next_cqe_size_ - 64);
    next_ = {};
    return true;
}

error cq::finish_resize() noexcept {
    if (!resizing()) return error::none;
    if (next_.data()) // else poll() came across the mark
        if (error e = move_over(); e != error::none) return e;
    waits.move(1); // the mark is counted by the device, and is no completion
    resizing_ = false;
    return error::none;
}

error cq::move_over() noexcept {
    const std::uint32_t first = index_, old_size = cqe_size();
    const std::uint32_t mask = std::uint32_t(next_.size() / next_cqe_size_) - 1;
    const std::uint8_t log_size = std::uint8_t(std::countr_one(mask));
    for (;; ++index_) {
        const std::byte *cqe = peek();
        if (!cqe) {
            index_ = first;
            return error::unexpected_cqe;
        }
        if (opcode_of(cqe) == prm::cqe_op<"RESIZE_CQ">) break;
        const std::uint32_t to = index_ + 1;
        std::byte *end = next_.data() + (std::size_t(to & mask) + 1) * next_cqe_size_;
        std::memcpy(end - old_size, cqe + 64 - old_size, old_size);
        end[-1] = (end[-1] & std::byte{0xfe}) | std::byte(to >> log_size & 1);
    }
    index_ = first;
    switch_over();
    update();
    return error::none;
}

} // namespace kdevx::wq
