// SPDX-License-Identifier: MIT
#include "wq/send_ring.hpp"

#include "wq/ring_size.hpp"
#include "wq/send_short.hpp"

namespace kdevx::wq {

namespace {

constexpr std::size_t max_wqebbs = 1u << 15; // half of what the 16-bit index counts

bool good_memory(const send_ring_config &c) noexcept {
    return c.buffer.data() && reinterpret_cast<std::uintptr_t>(c.buffer.data()) % 64 == 0 &&
           c.doorbell_record && c.uar && c.uar->reg;
}

// Eight bytes to a register that needs no flush, no lock and no second half.
bool has_plain_doorbell(const send_ring_config &c) noexcept {
    return !c.managed && c.uar->bf_size == 0 && !c.uar->write_combining && !needs_lock(*c.uar);
}

// What is left of the longest WQE behind control segment, transport and remote address.
std::uint32_t inline_at_most(transport t) noexcept {
    return (prm::MLX5_SEND_WQE_MAX_DS - 1 - transport_units(t) - 1) * prm::MLX5_SEND_WQE_DS -
           inline_header;
}

error check(const send_ring_config &c) noexcept {
    const std::size_t count = c.buffer.size() / prm::MLX5_SEND_WQE_BB;
    if (c.buffer.size() % prm::MLX5_SEND_WQE_BB || !power_of_two(count) || count > max_wqebbs ||
        c.slots.size() != count)
        return error::bad_ring_size;
    if (!good_memory(c)) return error::bad_memory;
    if (c.qpn_or_sqn > 0xffffff) return error::bad_number;
    if (c.max_inline > inline_at_most(c.transport)) return error::inline_too_long;
    return error::none;
}

} // namespace

error send_ring::init(const send_ring_config &c) noexcept {
    if (error e = check(c); e != error::none) return e;
    config_ = c;
    ring_ = c.buffer.data();
    ring_end_ = ring_ + c.buffer.size();
    slots_ = c.slots.data();
    count_ = std::uint32_t(c.slots.size());
    mask_ = count_ - 1;
    doorbell_record_ = c.doorbell_record;
    register_ = c.uar->reg;
    number_ = c.qpn_or_sqn;
    max_inline_ = c.max_inline;
    head_units_ = std::uint8_t(1 + transport_units(c.transport));
    set_special((head_units_ != 1 ? transport_segments : 0) | (c.signature ? signed_wqes : 0) |
                (c.managed ? counts_requests : 0) | (c.max_sge == 0 ? no_sges : 0) |
                (has_plain_doorbell(c) ? 0 : special_doorbell));
    for (std::uint32_t flags = 0; flags < std::size(flag_words_); ++flags)
        flag_words_[flags] = flags_word(flags, c.signal_all);
    reset();
    return error::none;
}

void send_ring::reset() noexcept {
    producer_ = posted_ = rung_ = last_start_ = 0;
    last_control_ = ring_;
    __atomic_store_n(&consumer_, 0, __ATOMIC_RELEASE);
    if (special_ & fence_next) set_special(special_ & ~fence_next);
    for (std::uint32_t i = 0; i < count_; ++i)
        slots_[i] = {0, ~0u, ~0u, 0, send_op::nop};
}

namespace {

struct payload {
    error refused = error::none;
    std::uint32_t units = 0;
    std::uint32_t inline_bytes = 0;
};

payload measure_inline(const sge *list, std::uint32_t n, std::uint32_t most) noexcept {
    std::uint64_t bytes = 0;
    for (const sge *end = list + n; list != end; ++list)
        bytes += list->length;
    if (bytes > most) return {.refused = error::inline_too_long};
    const std::uint32_t size = std::uint32_t(bytes);
    return {.units = size ? (size + inline_header + 15) / 16 : 0, .inline_bytes = size};
}

payload measure_scatter_list(const sge *list, std::uint32_t n) noexcept {
    payload p;
    for (const sge *end = list + n; list != end; ++list) {
        if (list->length > prm::MLX5_DATA_SEG_MAX) return {.refused = error::sge_too_long};
        p.units += list->length != 0;
    }
    return p;
}

} // namespace

error send_ring::reserve(std::uint32_t units) const noexcept {
    const std::uint32_t wqebbs = (units + 3) / 4;
    if (units > prm::MLX5_SEND_WQE_MAX_DS || wqebbs > count_) return error::wqe_too_long;
    if (!config_.ignore_overflow && producer_ + wqebbs - consumer() > count_)
        return error::queue_full;
    return error::none;
}

bool send_ring::post_short_gather(const send_request &r) noexcept {
    if (r.op >= send_op::count_ || !(short_ops_ >> unsigned(r.op) & 1)) return false;
    if (r.num_sge != 1) return false;
    const op_row &op = ops[std::size_t(r.op)];
    wqe_writer w(*this, 2 + std::uint32_t(op.body));
    if (r.sg_list->length - 1 >= prm::MLX5_DATA_SEG_MAX || w.start + 1 - consumer() > count_)
        [[unlikely]]
        return false;

    w.put_control(*this, r.flags, op.opcode, 0, op.flags & has_id ? r.imm_or_rkey : 0);
    if (op.body == body::remote) w.put_remote(r.rdma.addr, r.rdma.rkey);
    w.put_data(*r.sg_list);
    w.record(*this, r);
    return true;
}

error send_ring::post_long(const send_request &r) noexcept {
    if (!ready()) return error::no_such_queue;
    if (r.op >= send_op::count_) return error::bad_opcode;
    const op_row &op = ops[std::size_t(r.op)];
    if (!(op.transports & on(config_.transport))) return error::opcode_not_on_transport;
    return op.body > body::remote ? post_rare(*this, r, op) : post_data(r, op);
}

error send_ring::post(const send_request &r) noexcept {
    return post_short(r) ? error::none : post_long(r);
}

[[gnu::always_inline]] inline error send_ring::post_each(const send_request *list,
                                                         const send_request **bad) noexcept {
    for (; list; list = list->next) {
        if (post_short(*list)) continue;
        const error e = post_long(*list);
        if (e == error::none) continue;
        if (bad) *bad = list;
        return e;
    }
    return error::none;
}

error send_ring::post_list(const send_request *list, const send_request **bad) noexcept {
    return post_each(list, bad);
}

error send_ring::post_and_ring(const send_request *list, const send_request **bad) noexcept {
    const error e = post_each(list, bad);
    ring();
    return e;
}

// Which operations may go the short way: none while the queue is special.
void send_ring::set_special(unsigned what) noexcept {
    special_ = std::uint8_t(what);
    short_ops_ = short_inline_ops_ = 0;
    for (unsigned i = 0; special_ == 0 && i < std::size(ops); ++i) {
        if (ops[i].body > body::remote || !(ops[i].transports & on(config_.transport))) continue;
        short_ops_ |= 1u << i;
        if (!(ops[i].flags & reads)) short_inline_ops_ |= 1u << i;
    }
}

error send_ring::post_data(const send_request &r, const op_row &op) noexcept {
    const std::uint32_t flags = r.flags, n = r.num_sge;
    const sge *list = r.sg_list;
    const bool in_line = flags & send_inline;
    if (n > config_.max_sge) return error::too_many_sges;
    const payload data =
        in_line ? measure_inline(list, n, max_inline_) : measure_scatter_list(list, n);
    if (data.refused != error::none) return data.refused;
    if (in_line && op.flags & reads) return error::response_not_inline;
    if (head_units_ == 1 + 3 && !has_address(r)) return error::no_address;
    const std::uint32_t units = head_units_ + std::uint32_t(op.body) + data.units;
    if (error e = reserve(units); e != error::none) return e;

    wqe_writer w(*this, units);
    w.put_control(*this, flags, op.opcode, 0, op.flags & has_id ? r.imm_or_rkey : 0);
    if (head_units_ != 1) w.put_transport(config_.transport, r);
    if (op.body == body::remote) w.put_remote(r.rdma.addr, r.rdma.rkey);
    if (!in_line)
        w.put_scatter_list(list, n);
    else if (data.units != 0)
        w.put_inline(list, n, data.inline_bytes, data.units);
    w.finish(*this, r, false);
    return error::none;
}

// What only WQEs of special queues need once they are written.
void send_ring::finish_special(const wqe_writer &w, const send_request &r) noexcept {
    using prm::wqe_ctrl;
    const std::uint32_t ce = get<wqe_ctrl, "ce">(w.control), se = get<wqe_ctrl, "se">(w.control);
    std::uint32_t fm = get<wqe_ctrl, "fm">(w.control);
    if (special_ & fence_next && fm == prm::fence_mode<"NONE">)
        fm = prm::fence_mode<"INITIATOR_SMALL">;
    if (special_ & fence_next) set_special(special_ & ~fence_next);
    put<wqe_ctrl, "fm", "ce", "se">(w.control, fm, ce, se);
    if (special_ & signed_wqes) {
        const std::uint8_t s = signature_of({w.control, ring_, ring_end_}, w.units);
        put<wqe_ctrl, "signature", "fm", "ce", "se">(w.control, s, fm, ce, se);
    }
    if (config_.managed) slots_[posted_++ & mask_].end_of_request = w.start + (w.units + 3) / 4;
    last_inline_ = r.flags & send_inline;
    last_start_ = w.start;
}

void send_ring::ring_special() noexcept {
    const bool alone = last_start_ == rung_;
    rung_ = producer_;
    if (config_.managed) {
        to_device();
        return;
    }
    const bool blue_flame = alone && (last_inline_ || config_.prefer_blue_flame);
    const std::uint32_t size = blue_flame ? (producer_ - last_start_) * prm::MLX5_SEND_WQE_BB : 0;
    ring_send(doorbell_record_, producer_, *config_.uar, {last_control_, ring_, ring_end_, size});
}

send_ring::scatter_list send_ring::response_buffers(const send_slot &s) const noexcept {
    std::byte *control = ring_ + std::size_t(s.start & mask_) * prm::MLX5_SEND_WQE_BB;
    const std::uint32_t units = get<prm::wqe_ctrl, "ds">(control);
    std::uint32_t before =
        1 + transport_units(config_.transport) + 1; // control, transport, address
    if (s.op == send_op::atomic_cas || s.op == send_op::atomic_add || s.op == send_op::masked_add)
        before += 1;
    else if (s.op == send_op::masked_cas)
        before += get<prm::wqe_ctrl, "opc_mod">(control) == prm::masked_atomic_opc_mod<"8"> ? 2 : 1;
    else if (s.op != send_op::rdma_read)
        return {{control, ring_, ring_end_}, 0};
    cursor c{control, ring_, ring_end_};
    for (std::uint32_t i = 0; i < before; ++i)
        c.unit();
    return {c, units - before};
}

std::uint8_t signature_of(cursor wqe, std::uint32_t units) noexcept {
    std::uint64_t sum = 0, word;
    for (std::uint32_t i = 0; i < units; ++i) {
        const std::byte *u = wqe.unit();
        std::memcpy(&word, u, sizeof word);
        sum ^= word;
        std::memcpy(&word, u + sizeof word, sizeof word);
        sum ^= word;
    }
    sum ^= sum >> 32;
    sum ^= sum >> 16;
    sum ^= sum >> 8;
    return std::uint8_t(~sum);
}

} // namespace kdevx::wq
