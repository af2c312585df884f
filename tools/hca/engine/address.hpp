// SPDX-License-Identifier: MIT
// The way from one queue pair to another, out of a QP's context or out of a datagram's WQE.
#pragma once

#include "kdevx/prm/qp.hpp"
#include "kdevx/prm/wqe.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace kdevx::hca::engine {

using gid = std::array<std::byte, 16>;

struct address {
    std::uint16_t lid = 0;
    std::uint8_t sl = 0;
    bool loopback = false; // whatever the LID is: to this HCA
    bool has_grh = false;
    gid to{};
};

inline address address_of_path(const prm::view<prm::qpc> &c) {
    address a{.lid = std::uint16_t(c.get<"primary_address_path.rlid">()),
              .sl = std::uint8_t(c.get<"primary_address_path.sl">()),
              .loopback = c.get<"primary_address_path.fl">() != 0,
              .has_grh = c.get<"primary_address_path.grh">() != 0};
    std::ranges::copy(c.bytes<"primary_address_path.rgid_rip">(), a.to.begin());
    return a;
}

inline address address_of_vector(const prm::view<prm::wqe_ud_av> &v) {
    address a{.lid = std::uint16_t(v.get<"path.rlid_or_udp_sport">()),
              .sl = std::uint8_t(v.get<"path.sl">()),
              .loopback = v.get<"path.fl">() != 0,
              .has_grh = v.get<"grh.grh">() != 0};
    std::ranges::copy(v.bytes<"grh.rgid">(), a.to.begin());
    return a;
}

} // namespace kdevx::hca::engine
