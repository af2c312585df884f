// SPDX-License-Identifier: MIT
// Items as lines for people: two columns, inner items indented.
#pragma once

#include "decode/item.hpp"

namespace kdevx::decode {

enum class zeros { hide, show };

std::string to_text(const item &i, zeros z = zeros::hide);

// "0x1f", or plain digits below ten.
std::string number_text(std::uint64_t number);
// "00 1f fe"
std::string bytes_text(std::span<const std::byte> data);

} // namespace kdevx::decode
