// SPDX-License-Identifier: MIT
// BlueFlame: a doorbell that carries the first 64 bytes of its WQE. The processor writes them in
// one burst, which comes in here as several small writes; the first of them is a plain doorbell
// too.
#pragma once

#include "kdevx/prm/wqe.hpp"

#include <array>
#include <cstdint>

namespace kdevx::hca::engine {

inline constexpr std::size_t blueflame_size = prm::MLX5_SEND_WQE_BB;

// What has come so far.
struct blueflame_write {
    std::uint32_t page = 0;
    std::uint32_t next = 0; // offset that goes on with it
    std::size_t count = 0;  // bytes that are there; 0: none is coming in
    std::array<std::byte, blueflame_size> bytes{};
    std::uint64_t ticket = 0;
};

} // namespace kdevx::hca::engine
