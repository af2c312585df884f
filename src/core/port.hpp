// SPDX-License-Identifier: MIT
// What the kernel knows of ports and GIDs, and of the handles of a file.
#pragma once

#include <span>

#include <kdevx/port.h>

#include "core/context.hpp"

namespace kdevx::core {

result<kdevx_port_info> query_port(context &c, std::uint32_t port) noexcept;
result<std::size_t> query_gid_table(context &c, std::span<kdevx_gid> gids) noexcept;
result<kdevx_gid> query_gid(context &c, std::uint32_t port, std::uint32_t index) noexcept;
result<std::size_t> query_handles(context &c, std::uint16_t object,
                                  std::span<std::uint32_t> handles) noexcept;
result<void> query_data_direct_path(context &c, std::span<char> path) noexcept;

} // namespace kdevx::core
