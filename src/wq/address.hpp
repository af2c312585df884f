// SPDX-License-Identifier: MIT
// Address vectors for datagrams, made once for each peer.
#pragma once

#include "kdevx/prm/wqe.hpp"
#include "wq/work_request.hpp"

#include <array>

namespace kdevx::wq {

struct address_info {
    std::uint16_t lid_or_udp_port = 0; // DLID on InfiniBand, UDP source port on RoCE v2
    std::uint8_t sl = 0;               // RoCE: priority << 1
    std::uint8_t path_bits = 0;        // of the source LID, 7 bits
    std::uint8_t stat_rate = 0;        // as the device counts rates, 4 bits
    bool force_loopback = false;
    bool grh = false; // InfiniBand: send a GRH. RoCE always has one and keeps this false.
    std::uint16_t source_gid_index = 0; // 10 bits
    std::uint32_t flow_label = 0;       // 20 bits
    std::uint8_t traffic_class = 0;
    std::uint8_t hop_limit = 0;
    std::array<std::byte, 16> gid{}; // destination
    std::array<std::byte, 6> mac{};  // RoCE
};

// False: a number does not fit its field, and `out` is not complete.
inline bool make_address(const address_info &i, address &out) noexcept {
    prm::mailbox<prm::wqe_ud_av> av;
    av.set<"path.stat_rate">(i.stat_rate)
        .set<"path.sl">(i.sl)
        .set<"path.fl">(i.force_loopback)
        .set<"path.mlid">(i.path_bits)
        .set<"path.rlid_or_udp_sport">(i.lid_or_udp_port)
        .set_bytes<"grh.rmac">(i.mac)
        .set<"grh.tclass">(i.traffic_class)
        .set<"grh.hop_limit">(i.hop_limit)
        .set<"grh.grh">(i.grh)
        .set<"grh.src_addr_index">(i.source_gid_index)
        .set<"grh.flow_label">(i.flow_label)
        .set_bytes<"grh.rgid">(i.gid);
    std::memcpy(out.av, av.bytes().data(), sizeof out.av);
    return av.valid();
}

} // namespace kdevx::wq
