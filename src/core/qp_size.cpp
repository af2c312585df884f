// SPDX-License-Identifier: MIT
#include "core/qp_size.hpp"

#include <algorithm>
#include <bit>

namespace kdevx::core {

namespace {

constexpr std::uint32_t unit = 64, segment = 16; // send WQEs are whole units of whole segments
constexpr std::uint32_t ctrl = 16, raddr = 16, atomic = 16, xrc = 16, datagram = 48, eth = 32;
constexpr std::uint32_t inline_header = 4;
constexpr std::uint32_t most_wqes = 1u << 31;

bool is_power_of_2(std::uint32_t n) {
    return n && (n & (n - 1)) == 0;
}
std::uint64_t up_to(std::uint64_t n, std::uint32_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

// What stands before the data in the biggest WQE of this type.
std::uint32_t overhead(std::uint32_t type) {
    switch (type) {
    case KDEVX_QP_XRC_INI:
        return ctrl + xrc + raddr + atomic;
    case KDEVX_QP_DCI:
        return ctrl + datagram + raddr + atomic;
    case KDEVX_QP_UD:
        return ctrl + datagram;
    case KDEVX_QP_RAW_PACKET:
        return ctrl + eth;
    default:
        return ctrl + raddr + atomic;
    }
}

std::uint64_t send_wqe_bytes(const kdevx_qp_options &o) {
    std::uint64_t gathered = std::uint64_t(o.max_send_sge) * segment;
    std::uint64_t inlined =
        o.max_inline_data ? up_to(std::uint64_t(inline_header) + o.max_inline_data, segment) : 0;
    return up_to(overhead(o.type) + std::max(gathered, inlined), unit);
}

result<std::uint32_t> send_count(const kdevx_qp_options &o, const qp_limits &most) {
    if (o.sq_wqe_count) {
        if (!is_power_of_2(o.sq_wqe_count)) return invalid("sq_wqe_count", o.sq_wqe_count);
        if (o.sq_wqe_count > most.max_send_wqebb)
            return invalid("sq_wqe_count", o.sq_wqe_count, most.max_send_wqebb);
        return o.sq_wqe_count;
    }
    if (!o.max_send_wr) return std::uint32_t(0);
    std::uint64_t wqe = send_wqe_bytes(o);
    const char *blame = o.max_inline_data ? "max_inline_data" : "max_send_sge";
    if (wqe > most.max_sq_desc_sz) return invalid(blame, wqe, most.max_sq_desc_sz);
    std::uint64_t units = o.max_send_wr * (wqe / unit);
    if (units > most.max_send_wqebb) return invalid("max_send_wr", units, most.max_send_wqebb);
    return std::uint32_t(std::bit_ceil(units));
}

} // namespace

bool has_send_queue(const kdevx_qp_options &o) noexcept {
    return o.type != KDEVX_QP_XRC_TGT && o.type != KDEVX_QP_DCT && !o.ind_table;
}

bool has_receive_queue(const kdevx_qp_options &o) noexcept {
    bool elsewhere = o.type == KDEVX_QP_XRC_INI || o.type == KDEVX_QP_XRC_TGT ||
                     o.type == KDEVX_QP_DCT || o.type == KDEVX_QP_DCI;
    return !elsewhere && !o.srq && !o.ind_table;
}

result<receive_size> check(receive_size given) noexcept {
    if (!is_power_of_2(given.count) || given.count > most_wqes)
        return invalid("rq_wqe_count", given.count);
    // Entries are at least a segment, the queue at least a unit: what follows it begins at one.
    if (given.shift < 4 || given.shift > 24) return invalid("rq_wqe_shift", given.shift);
    if ((std::uint64_t(given.count) << given.shift) % unit)
        return invalid("rq_wqe_count", given.count, unit >> given.shift);
    return given;
}

result<receive_size> receive_size_of(const receive_wish &w, const qp_limits &most) noexcept {
    if (w.wrs > most.max_recv_wr) return invalid(w.wrs_name, w.wrs, most.max_recv_wr);
    std::uint64_t wqe = (std::uint64_t(std::max(w.sges, 1u)) + w.signature) * segment;
    if (wqe > most.max_rq_desc_sz) return invalid(w.sges_name, wqe, most.max_rq_desc_sz);
    wqe = std::bit_ceil(wqe);
    auto least = std::uint32_t(std::max<std::uint64_t>(unit / wqe, 1));
    return receive_size{std::max(std::bit_ceil(w.wrs), least),
                        std::uint32_t(std::countr_zero(wqe))};
}

result<qp_size> size_of(const kdevx_qp_options &o, const qp_limits &most) noexcept {
    qp_size size;
    if (has_send_queue(o)) {
        result<std::uint32_t> count = send_count(o, most);
        if (!count) return count.failure();
        size.sq_wqe_count = *count;
    }
    if (!has_receive_queue(o)) {
        if (o.max_recv_wr || o.rq_wqe_count) return invalid("max_recv_wr", o.max_recv_wr, 0);
        return size;
    }
    if (!o.max_recv_wr && !o.rq_wqe_count) return size;
    receive_wish wish{o.max_recv_wr, o.max_recv_sge, bool(o.driver_flags & KDEVX_QP_SIGNATURE),
                      "max_recv_wr", "max_recv_sge"};
    result<receive_size> r =
        o.rq_wqe_count ? check({o.rq_wqe_count, o.rq_wqe_shift}) : receive_size_of(wish, most);
    if (!r) return r.failure();
    size.rq_wqe_count = r->count;
    size.rq_wqe_shift = r->shift;
    return size;
}

} // namespace kdevx::core
