// SPDX-License-Identifier: MIT
// A value as the bytes it consists of.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace kdevx {

template <class T>
requires std::is_trivially_copyable_v<T> std::span<const std::byte> bytes_of(const T &v) {
    return std::as_bytes(std::span(&v, 1));
}
template <class T>
requires std::is_trivially_copyable_v<T> std::span<std::byte> bytes_of(T &v) {
    return std::as_writable_bytes(std::span(&v, 1));
}

} // namespace kdevx
