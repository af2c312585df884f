// SPDX-License-Identifier: MIT
// The notation of the kernel contract. One row per attribute, in the kernel's own names:
//
//     {"MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN", 0x1001, ptr_in, at_least(16), M},
//
// What a row says was read from the kernel's method declarations and is compared at build time with
// the UAPI headers (numbers) and with a kernel source tree (kinds, sizes, mandatory), see
// tests/abi.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace kdevx::kabi {

enum class attr_kind : std::uint8_t {
    ptr_in,     // bytes; up to 8 of them travel in the attribute itself
    ptr_out,    // a buffer of the caller's, always by pointer
    const_in,   // one number, inline
    flags_in,   // bits of 4 or 8 bytes, inline
    enum_in,    // elem_id picks a variant, which may have bytes as ptr_in
    handle,     // of an object that is looked at
    new_handle, // written back by the kernel before the handler runs: meaningless after a failure
    destroy,    // handle of the object that the method ends
    fd,         // of an fd object of this file
    new_fd,     // written back, like new_handle
    raw_fd,     // any fd of the process
    handles     // array of u32, inline up to two of them
};
inline constexpr attr_kind ptr_in = attr_kind::ptr_in, ptr_out = attr_kind::ptr_out,
                           const_in = attr_kind::const_in, flags_in = attr_kind::flags_in,
                           enum_in = attr_kind::enum_in, handle = attr_kind::handle,
                           new_handle = attr_kind::new_handle, destroy = attr_kind::destroy,
                           fd = attr_kind::fd, new_fd = attr_kind::new_fd,
                           raw_fd = attr_kind::raw_fd, handles = attr_kind::handles;

// Bytes that the kernel accepts. Longer than `most` is refused unless the tail is zero.
struct extent {
    std::uint32_t least = 0, most = 0;
    constexpr bool operator==(const extent &) const = default;
};
inline constexpr std::uint32_t any_size = 0xffff; // what the length field of an attribute holds
consteval extent exactly(std::uint32_t n) {
    return {n, n};
}
consteval extent at_least(std::uint32_t n) {
    return {n, any_size};
}
consteval extent between(std::uint32_t a, std::uint32_t b) {
    return {a, b};
}
// handles, fds and constants have no bytes of the caller's
inline constexpr extent none{};

enum class need : std::uint8_t { optional, mandatory };
inline constexpr need M = need::mandatory, o = need::optional;

// The first of the kernels these tables were checked against that has the row. v6_1 is the oldest
// of them, so it stands for "6.1 or before".
enum class since : std::uint8_t { v6_1, v6_12, v7_2, v7_3 };
inline constexpr since v6_1 = since::v6_1, v6_12 = since::v6_12, v7_2 = since::v7_2,
                       v7_3 = since::v7_3;
constexpr std::string_view version(since s) {
    constexpr std::string_view names[] = {"6.1", "6.12", "7.2", "7.3"};
    return names[std::size_t(s)];
}

struct attr {
    std::string_view name;
    std::uint16_t id = 0;
    attr_kind kind = ptr_in;
    extent bytes = none;
    need mandatory = o;
    since from = v6_1;
};

// What a device or its firmware must have for the kernel to offer an object at all.
enum class presence : std::uint8_t {
    always,
    log_max_uctx,      // firmware with user contexts: every DEVX object
    packet_pacing_uid, // capability of the same name: PP
    virtio_net_q,      // general object VIRTIO_NET_Q: VAR
    shared_objects,    // capability shared_object_to_user_object_allowed: STEERING_ANCHOR
    device_memory,     // MEMIC or SW_ICM: DM, and what takes the handle of one
    memory_windows,    // capability imaicl: MW
    ethernet,          // an Ethernet port: WQ, RWQ_IND_TBL
    steering_tags      // TPH of the PCI function: DMAH
};

struct object {
    const char *name = nullptr;
    std::uint16_t id = 0;
    presence when = presence::always;
    since from = v6_1;
};

// What every method is, whatever its number of attributes: the form for run-time walkers.
struct method_base {
    const char *name = nullptr;
    const kabi::object *object = nullptr;
    std::uint16_t id = 0;
    since from = v6_1;
    std::span<const attr> attrs;

    // attrs.size() if there is no such attribute
    constexpr std::size_t index_of(std::string_view n) const {
        std::size_t i = 0;
        while (i < attrs.size() && attrs[i].name != n)
            ++i;
        return i;
    }
    constexpr const attr *find(std::string_view n) const {
        std::size_t i = index_of(n);
        return i < attrs.size() ? &attrs[i] : nullptr;
    }
    constexpr const attr *find(std::uint16_t attr_id) const {
        for (const attr &a : attrs)
            if (a.id == attr_id) return &a;
        return nullptr;
    }
    constexpr bool has_mandatory_besides(std::uint16_t attr_id) const {
        for (const attr &a : attrs)
            if (a.mandatory == M && a.id != attr_id) return true;
        return false;
    }
};

namespace error {
// Not constexpr on purpose: reaching one of these stops the compilation and shows its name.
inline void two_attributes_of_this_method_have_the_same_number() {}
inline void a_handle_or_fd_has_no_size() {}
inline void this_attribute_is_older_than_its_method() {}
} // namespace error

template <std::size_t N>
struct method : method_base {
    std::array<attr, N> table{};

    consteval method(const kabi::object &of, const char *n, std::uint16_t number, since first,
                     const attr (&rows)[N])
        : method_base{n, &of, number, first, {}} {
        for (std::size_t i = 0; i < N; ++i) {
            table[i] = rows[i];
            check(i);
        }
        attrs = table;
    }
    method(const method &) = delete; // `attrs` points into this object

private:
    consteval void check(std::size_t i) const {
        const attr &a = table[i];
        for (std::size_t j = 0; j < i; ++j)
            if (table[j].id == a.id) error::two_attributes_of_this_method_have_the_same_number();
        bool sized = a.kind == ptr_in || a.kind == ptr_out || a.kind == enum_in ||
                     a.kind == const_in || a.kind == flags_in || a.kind == handles;
        if (!sized && a.bytes != none) error::a_handle_or_fd_has_no_size();
        if (a.mandatory == M && a.from > from) error::this_attribute_is_older_than_its_method();
    }
};
template <std::size_t N>
method(const object &, const char *, std::uint16_t, since, const attr (&)[N]) -> method<N>;

// The driver's own data on methods that carry it (UHW).
inline constexpr attr uhw_in{"UVERBS_ATTR_UHW_IN", 0x1000, ptr_in, at_least(0), o};
inline constexpr attr uhw_out{"UVERBS_ATTR_UHW_OUT", 0x1001, ptr_out, at_least(0), o};

} // namespace kdevx::kabi
