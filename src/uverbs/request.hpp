// SPDX-License-Identifier: MIT
// Calling a method of the kernel contract:
//
//     invoke<kabi::devx_obj::create>(file,
//         make<"MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE">(handle),
//         in<"MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN">(inbox),
//         out<"MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT">(outbox));
//
// An attribute that is not the method's, is of another kind, is there twice, or a mandatory one
// that is missing do not compile. Sizes are checked against the method's table before the kernel
// sees them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <kdevx/prm/layout.hpp>

#include "base/failure.hpp"
#include "kabi/table.hpp"
#include "uverbs/file.hpp"

namespace kdevx::uverbs {

using prm::fixed_string;
using const_bytes = std::span<const std::byte>;
using bytes = std::span<std::byte>;

// A request is at most one page of 4 KiB: header and 254 attributes.
inline constexpr std::size_t max_attrs =
    (4096 - sizeof(ib_uverbs_ioctl_hdr)) / sizeof(ib_uverbs_attr);

// One attribute on its way: what goes on the wire, and where the kernel's answer goes.
struct argument {
    const kabi::attr *row = nullptr;
    const void *data = nullptr; // bytes of the caller's
    std::size_t size = 0;
    std::uint64_t value = 0;         // what travels inline if there are no bytes
    std::uint32_t *handle = nullptr; // receives a new handle
    int *new_fd = nullptr;           // receives a new fd
    std::uint8_t element = 0;        // of an enum
    bool present = true;
    bool tolerated = false; // a kernel that does not know it may skip it

    const void *pointer() const { return data; }
};

template <fixed_string Name, kabi::attr_kind... Kinds>
struct named : argument {
    static constexpr std::string_view name = Name.view();
    static constexpr bool takes(kabi::attr_kind k) { return ((k == Kinds) || ...); }
};

template <class T>
concept plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

template <fixed_string N>
named<N, kabi::ptr_in> in(const_bytes b) {
    named<N, kabi::ptr_in> a;
    a.data = b.data();
    a.size = b.size();
    return a;
}
// The value must live until the call; a temporary in its argument list does.
template <fixed_string N, plain T>
named<N, kabi::ptr_in> in_value(const T &v) {
    return in<N>(std::as_bytes(std::span(&v, 1)));
}
template <fixed_string N>
named<N, kabi::ptr_out> out(bytes b) {
    named<N, kabi::ptr_out> a;
    a.data = b.data();
    a.size = b.size();
    return a;
}
template <fixed_string N, plain T>
named<N, kabi::ptr_out> out_value(T &v) {
    return out<N>(std::as_writable_bytes(std::span(&v, 1)));
}
template <fixed_string N>
named<N, kabi::const_in> constant(std::uint64_t v) {
    named<N, kabi::const_in> a;
    a.size = 8;
    a.value = v;
    return a;
}
template <fixed_string N>
named<N, kabi::flags_in> flags(std::uint32_t v) {
    named<N, kabi::flags_in> a;
    a.size = sizeof v;
    std::memcpy(&a.value, &v, sizeof v); // its first bytes: that is what the kernel reads
    return a;
}
template <fixed_string N>
named<N, kabi::enum_in> choose(std::uint8_t element, const_bytes payload = {}) {
    named<N, kabi::enum_in> a;
    a.element = element;
    a.data = payload.data();
    a.size = payload.size();
    return a;
}
template <fixed_string N>
named<N, kabi::handle> use(std::uint32_t handle) {
    named<N, kabi::handle> a;
    a.value = handle;
    return a;
}
template <fixed_string N>
named<N, kabi::destroy> end(std::uint32_t handle) {
    named<N, kabi::destroy> a;
    a.value = handle;
    return a;
}
template <fixed_string N>
named<N, kabi::new_handle> make(std::uint32_t &handle) {
    named<N, kabi::new_handle> a;
    a.handle = &handle;
    return a;
}
template <fixed_string N>
named<N, kabi::fd, kabi::raw_fd> use_fd(int fd) {
    named<N, kabi::fd, kabi::raw_fd> a;
    a.value = std::uint64_t(std::int64_t(fd));
    return a;
}
template <fixed_string N>
named<N, kabi::new_fd> make_fd(int &fd) {
    named<N, kabi::new_fd> a;
    a.new_fd = &fd;
    return a;
}
template <fixed_string N>
named<N, kabi::handles> use_all(std::span<const std::uint32_t> handles) {
    named<N, kabi::handles> a;
    a.data = handles.data();
    a.size = handles.size_bytes();
    return a;
}
// Absent if the condition does not hold.
template <class Argument>
Argument when(bool condition, Argument a) {
    a.present = condition;
    return a;
}
// For an attribute that a kernel without it may leave out of account.
template <class Argument>
Argument tolerate(Argument a) {
    a.tolerated = true;
    return a;
}

namespace error {
// Not constexpr on purpose: reaching one of these stops the compilation and shows its name.
inline void this_method_has_no_such_attribute() {}
inline void this_attribute_is_of_another_kind() {}
inline void this_attribute_is_given_twice() {}
inline void a_mandatory_attribute_is_missing() {}
inline void too_many_attributes_for_one_request() {}
} // namespace error

// Which rows of the method's table the arguments are for, in their order.
template <const auto &Method, class... Args>
consteval std::array<std::uint8_t, sizeof...(Args)> rows_of() {
    constexpr std::string_view names[] = {Args::name...};
    std::array<std::uint8_t, sizeof...(Args)> rows{};
    bool given[Method.table.size()]{};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::size_t row = Method.index_of(names[i]);
        if (row == Method.table.size()) error::this_method_has_no_such_attribute();
        if (given[row]) error::this_attribute_is_given_twice();
        given[row] = true;
        rows[i] = std::uint8_t(row);
    }
    std::size_t n = 0;
    if (!(Args::takes(Method.table[rows[n++]].kind) && ...))
        error::this_attribute_is_of_another_kind();
    for (std::size_t row = 0; row < Method.table.size(); ++row)
        if (!given[row] && Method.table[row].mandatory == kabi::M)
            error::a_mandatory_attribute_is_missing();
    if (rows.size() > max_attrs) error::too_many_attributes_for_one_request();
    return rows;
}

// Builds the request in `wire` (header and room for all attributes), sends it, and stores what the
// kernel wrote back into attributes. The failure names the attribute or the method.
result<void> send(const file &f, const kabi::method_base &m, std::span<argument> arguments,
                  ib_uverbs_ioctl_hdr *wire) noexcept;

template <const auto &Method, class... Args>
result<void> invoke(const file &f, const Args &...args) noexcept {
    static constexpr auto rows = rows_of<Method, Args...>();
    argument list[sizeof...(Args)] = {args...};
    for (std::size_t i = 0; i < sizeof...(Args); ++i)
        list[i].row = &Method.table[rows[i]];
    alignas(8)
        std::byte wire[sizeof(ib_uverbs_ioctl_hdr) + sizeof...(Args) * sizeof(ib_uverbs_attr)];
    return send(f, Method, list, reinterpret_cast<ib_uverbs_ioctl_hdr *>(wire));
}

} // namespace kdevx::uverbs
