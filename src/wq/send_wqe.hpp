// SPDX-License-Identifier: MIT
// How a send request becomes a WQE: the table of operations and the writer of segments. For
// send_ring.cpp (what most programs post) and send_rare.cpp (the rest) only.
#pragma once

#include "kdevx/prm/wqe.hpp"
#include "wq/send_ring.hpp"

namespace kdevx::wq {

// What follows the control segment, besides transport and data.
enum class body : std::uint8_t {
    data = 0,   // nothing: a SEND
    remote = 1, // a remote address: one unit
    atomic,
    masked_atomic,
    none, // nothing at all, not even data
    invalidate,
    umr,
    wait_cq,
    wait_data,
    enable,
};

enum : std::uint8_t { plain = 0, has_id = 1, reads = 2, keys = 4 };

struct op_row {
    std::uint8_t opcode;
    wq::body body;
    std::uint8_t transports; // bits 1 << transport
    std::uint8_t flags;
};

constexpr std::uint8_t on(transport t) {
    return std::uint8_t(1u << unsigned(t));
}
inline constexpr std::uint8_t on_reliable =
    on(transport::rc) | on(transport::xrc) | on(transport::dci);
inline constexpr std::uint8_t on_connected = on_reliable | on(transport::uc);
inline constexpr std::uint8_t on_any_wire = on_connected | on(transport::ud);
inline constexpr std::uint8_t on_any = on_any_wire | on(transport::local);

// clang-format off
inline constexpr op_row ops[] = {
    {prm::wqe_op<"SEND">,             body::data,          on_any_wire,  plain},  // send
    {prm::wqe_op<"SEND_IMM">,         body::data,          on_any_wire,  has_id}, // send_imm
    {prm::wqe_op<"SEND_INVAL">,       body::data,          on_reliable,  has_id}, // send_inval
    {prm::wqe_op<"RDMA_WRITE">,       body::remote,        on_connected, plain},  // rdma_write
    {prm::wqe_op<"RDMA_WRITE_IMM">,   body::remote,        on_connected, has_id}, // rdma_write_imm
    {prm::wqe_op<"RDMA_READ">,        body::remote,        on_reliable,  reads},  // rdma_read
    {prm::wqe_op<"ATOMIC_CS">,        body::atomic,        on_reliable,  reads},  // atomic_cas
    {prm::wqe_op<"ATOMIC_FA">,        body::atomic,        on_reliable,  reads},  // atomic_add
    {prm::wqe_op<"ATOMIC_MASKED_CS">, body::masked_atomic, on_reliable,  reads},  // masked_cas
    {prm::wqe_op<"ATOMIC_MASKED_FA">, body::masked_atomic, on_reliable,  reads},  // masked_add
    {prm::wqe_op<"NOP">,              body::none,          on_any,       plain},  // nop
    {prm::wqe_op<"UMR">,              body::invalidate,    on_any,       keys},   // local_inval
    {prm::wqe_op<"UMR">,              body::umr,           on_any,       keys},   // umr
    {prm::wqe_op<"WAIT">,             body::wait_cq,       on_any,       plain},  // wait_cq
    {prm::wqe_op<"WAIT">,             body::wait_data,     on_any,       plain},  // wait_data
    {prm::wqe_op<"WAIT">,             body::wait_data,     on_any,       plain},  // wait_time
    {prm::wqe_op<"SEND_EN">,          body::enable,        on_any,       plain},  // send_enable
    {prm::wqe_op<"RECV_EN">,          body::enable,        on_any,       plain},  // receive_enable
};
// clang-format on
static_assert(std::size(ops) == std::size_t(send_op::count_), "one row for each operation");

inline constexpr std::uint32_t av_size = prm::wqe_ud_av.size;
inline constexpr std::uint32_t inline_header = prm::wqe_inline_data.size;

// How many units the transport's own segments take.
inline std::uint32_t transport_units(transport t) noexcept {
    return t == transport::xrc ? 1 : t == transport::ud || t == transport::dci ? 3 : 0;
}

// The word of the control segment that holds fm, ce and se.
inline std::uint32_t flags_word(std::uint32_t flags, bool signal_all) noexcept {
    const std::uint32_t fence = flags & send_strong_fence ? prm::fence_mode<"STRONG_ORDERING">
                                : flags & send_fence      ? prm::fence_mode<"SMALL_AND_FENCE">
                                                          : prm::fence_mode<"NONE">;
    const bool cqe = signal_all || flags & send_signaled;
    std::byte s[prm::wqe_ctrl.size];
    put<prm::wqe_ctrl, "fm", "ce", "se">(s, fence, cqe ? prm::completion_mode<"ALWAYS"> : 0,
                                         (flags & send_solicited) != 0);
    std::uint32_t word;
    std::memcpy(&word, s + prm::place_of<prm::wqe_ctrl, "fm">.row.offset, sizeof word);
    return word;
}

// Writes one WQE at the producer's place. Nothing is checked here any more. Stores into the ring
// could change anything for all the compiler knows, so what is needed again is kept in here.
struct wqe_writer {
    cursor c;
    std::byte *control;
    const std::uint32_t start, units;

    wqe_writer(const send_ring &q, std::uint32_t size) noexcept
        : c{nullptr, q.ring_, q.ring_end_}, control(nullptr), start(q.producer_), units(size) {
        control = c.ring + std::size_t(start & q.mask_) * prm::MLX5_SEND_WQE_BB;
        c.at = control;
    }

    void put_control(const send_ring &q, std::uint32_t flags, std::uint32_t opcode,
                     std::uint32_t opc_mod, std::uint32_t general_id) noexcept {
        using prm::wqe_ctrl;
        std::byte *s = control;
        c.at = s + prm::MLX5_SEND_WQE_DS; // never the ring's end
        put<wqe_ctrl, "opc_mod", "wqe_index", "opcode">(s, opc_mod, start & 0xffff, opcode);
        put<wqe_ctrl, "qpn_or_sqn", "ds">(s, q.number_, units);
        std::memcpy(s + prm::place_of<wqe_ctrl, "fm">.row.offset, &q.flag_words_[flags & 0x1f], 4);
        put<wqe_ctrl, "general_id">(s, general_id);
    }
    // An address vector lies behind the control segment in the same WQEBB: it never wraps inside.
    std::byte *put_av(const datagram &to) noexcept {
        std::byte *s = c.at;
        std::memcpy(s, to.to->av, av_size);
        put<prm::av_path, "ext", "dqp_dct">(
            s + prm::place_of<prm::wqe_ud_av, "path.ext">.row.offset, 1u, to.qpn);
        c.at += av_size;
        c.wrap();
        return s;
    }
    void put_xrc(std::uint32_t srqn) noexcept {
        std::byte *s = c.unit();
        put<prm::wqe_xrc, "xrc_srqn">(s, srqn);
        put_zero<0x04, 0x0c>(s);
    }
    void put_transport(transport t, const send_request &r) noexcept {
        if (t == transport::ud)
            put<prm::wqe_ud_av, "q_key">(put_av(r.to), r.to.q_key);
        else if (t == transport::dci)
            put<prm::wqe_dc_av, "dc_key">(put_av(r.to), r.to.dc_key);
        else if (t == transport::xrc)
            put_xrc(r.xrc_srqn);
    }
    void put_remote(std::uint64_t addr, std::uint32_t rkey) noexcept {
        std::byte *s = c.unit();
        put<prm::wqe_raddr, "raddr">(s, addr);
        put<prm::wqe_raddr, "rkey">(s, rkey);
        put_zero<0x0c, 0x04>(s);
    }
    void put_data(const sge &g) noexcept {
        const std::uint64_t addr = g.addr;
        const std::uint32_t length = g.length, lkey = g.lkey;
        std::byte *s = c.unit();
        put<prm::wqe_data, "byte_count">(s, length);
        put<prm::wqe_data, "lkey">(s, lkey);
        put<prm::wqe_data, "addr">(s, addr);
    }
    void put_scatter_list(const sge *list, std::uint32_t n) noexcept {
        for (const sge *end = list + n; list != end; ++list)
            if (list->length != 0) put_data(*list);
    }
    void put_inline(const sge *list, std::uint32_t n, std::uint32_t size,
                    std::uint32_t data_units) noexcept {
        // The last unit is padded with zeros before the data covers its beginning.
        std::byte *last = c.at + std::size_t(data_units - 1) * prm::MLX5_SEND_WQE_DS;
        if (last >= c.ring_end) [[unlikely]]
            last -= c.ring_end - c.ring;
        std::memset(last, 0, prm::MLX5_SEND_WQE_DS);
        put<prm::wqe_inline_data, "inline", "byte_count">(c.at, 1u, size);
        c.at += inline_header;
        for (const sge *end = list + n; list != end; ++list)
            c.copy(reinterpret_cast<const std::byte *>(std::uintptr_t(list->addr)), list->length);
    }
    // What is remembered of the WQE.
    void record(send_ring &q, const send_request &r) const noexcept {
        const std::uint32_t end = start + (units + 3) / 4;
        const std::uint64_t wr_id = r.wr_id;
        const send_op op = r.op;
        send_slot &s = q.slots_[start & q.mask_];
        s.wr_id = wr_id;
        s.start = start;
        s.end = end;
        s.op = op;
        q.producer_ = end;
        q.last_control_ = control;
    }
    void finish(send_ring &q, const send_request &r, bool changes_keys) const noexcept;
};

// The exclusive or of all bytes of a signed WQE, the signature included, is 0xff.
std::uint8_t signature_of(cursor wqe, std::uint32_t units) noexcept;

inline void wqe_writer::finish(send_ring &q, const send_request &r,
                               bool changes_keys) const noexcept {
    if (q.special_ != 0) q.finish_special(*this, r);
    record(q, r);
    if (changes_keys) q.set_special(q.special_ | send_ring::fence_next);
}

inline bool has_address(const send_request &r) noexcept {
    return r.to.to && r.to.qpn <= 0xffffff;
}

// Operations other than SEND and RDMA.
error post_rare(send_ring &q, const send_request &r, const op_row &op) noexcept;

} // namespace kdevx::wq
