// SPDX-License-Identifier: MIT
// The scatter list of a receive WQE, the same on all kinds of receive queues.
#pragma once

#include "kdevx/prm/wqe.hpp"
#include "wq/error.hpp"
#include "wq/ring_size.hpp"
#include "wq/words.hpp"
#include "wq/work_request.hpp"

namespace kdevx::wq {

inline constexpr std::size_t receive_wqes_at_most = 1u << 15; // half of what the index counts

// What both kinds of receive ring ask of their memory; a WQE has `before` bytes in front of its
// list.
template <class Config>
error check_receive_ring(const Config &c, std::uint32_t before, std::size_t slots) noexcept {
    if (c.stride < before + prm::wqe_data.size || !power_of_two(c.stride))
        return error::bad_ring_size;
    const std::size_t count = c.buffer.size() / c.stride;
    if (c.buffer.size() % c.stride || !power_of_two(count) || count > receive_wqes_at_most ||
        slots != count)
        return error::bad_ring_size;
    if (!c.buffer.data() || !c.doorbell_record) return error::bad_memory;
    if (c.number > 0xffffff) return error::bad_number;
    if (c.max_sge > (c.stride - before) / prm::wqe_data.size) return error::too_many_sges;
    return error::none;
}

inline error check_receive(const receive_request &r, std::uint32_t max_sge) noexcept {
    if (r.num_sge > max_sge) return error::too_many_sges;
    for (std::uint32_t i = 0; i < r.num_sge; ++i)
        if (r.sg_list[i].length > prm::MLX5_DATA_SEG_MAX) return error::sge_too_long;
    return error::none;
}

inline void put_data_segment(std::byte *s, std::uint32_t length, std::uint32_t lkey,
                             std::uint64_t addr) noexcept {
    put<prm::wqe_data, "byte_count">(s, length);
    put<prm::wqe_data, "lkey">(s, lkey);
    put<prm::wqe_data, "addr">(s, addr);
}

// Writes the pieces that are not empty, and behind the last one, where there is room, the mark that
// ends the list. Returns how many pieces there are.
inline std::uint32_t put_receive_list(std::byte *at, const receive_request &r,
                                      std::uint32_t units) noexcept {
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < r.num_sge; ++i) {
        const sge &g = r.sg_list[i];
        if (g.length != 0)
            put_data_segment(at + 16 * std::size_t(used++), g.length, g.lkey, g.addr);
    }
    if (used < units) put_data_segment(at + 16 * std::size_t(used), 0, prm::MLX5_INVALID_LKEY, 0);
    return used;
}

template <class Ring>
error post_receive_list(Ring &q, const receive_request *list,
                        const receive_request **bad) noexcept {
    for (; list; list = list->next)
        if (error e = q.post(*list); e != error::none) {
            if (bad) *bad = list;
            return e;
        }
    return error::none;
}

} // namespace kdevx::wq
