// SPDX-License-Identifier: MIT
// What the generated comparison is made of. The kernel describes a layout as a struct of u8 arrays,
// one u8 for one bit, so offsetof and sizeof count bits. Several kernels' headers stand side by
// side, each in a namespace of its own (oldest first); a name that one of them lacks is looked up
// in `absent_here` or found in a struct that was only declared.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

using u8 = unsigned char;
using u64 = unsigned long long;
#define BIT(n) (1ULL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define DECLARE_FLEX_ARRAY(type, name) type name[0]

struct absent {};

struct place_in_bits {
    bool exists = false;
    std::size_t at = 0, size = 0, element = 0;
};

#define FIELD(name)                                                                                \
    template <class T>                                                                             \
    struct field_##name {                                                                          \
        static consteval place_in_bits look() {                                                    \
            place_in_bits p;                                                                       \
            if constexpr (requires(T & t) { t.name; })                                             \
                p = place_in_bits{true, offsetof(T, name), sizeof(T::name)};                       \
            if constexpr (requires(T & t) { t.name[0]; })                                          \
                p.element = sizeof(std::declval<T &>().name[0]);                                   \
            return p;                                                                              \
        }                                                                                          \
    };

template <template <class> class Field, class... Struct>
inline constexpr bool some_header_has = (Field<Struct>::look().exists || ...);

// A trailing array has no size; its elements do (a bare `u8 data[]` says nothing about them).
consteval bool same(place_in_bits k, std::size_t at, std::size_t size, std::size_t element) {
    if (!k.exists) return true;
    if (k.at != at) return false;
    return size ? k.size == size : k.element == element || k.element == 1;
}
template <template <class> class Field, class... Struct>
consteval bool headers_agree(std::size_t at, std::size_t size, std::size_t element) {
    return (same(Field<Struct>::look(), at, size, element) && ...);
}
template <template <class> class Field, class... Struct>
consteval bool newest_agrees(std::size_t at, std::size_t size, std::size_t element) {
    place_in_bits newest;
    ((newest = Field<Struct>::look().exists ? Field<Struct>::look() : newest), ...);
    return same(newest, at, size, element);
}

template <class T>
consteval std::size_t size_or_zero() {
    if constexpr (requires { sizeof(T); })
        return sizeof(T);
    else
        return 0;
}
// Structs grow from kernel to kernel; the newest header that has one is right about its size.
template <class... Struct>
consteval std::size_t newest_size() {
    std::size_t r = 0;
    ((r = size_or_zero<Struct>() ? size_or_zero<Struct>() : r), ...);
    return r;
}

template <class T>
consteval bool here(const T &) {
    return !std::is_same_v<T, absent>;
}
template <class T>
consteval bool is_or_absent(const T &v, unsigned long long number) {
    if constexpr (std::is_same_v<T, absent>)
        return true;
    else
        return static_cast<unsigned long long>(v) == number;
}
