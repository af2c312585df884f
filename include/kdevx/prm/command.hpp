// SPDX-License-Identifier: MIT
// The notation of the registry: one row per command, grouped by what it works on. A group's first
// `create` names the kind of object; the others find that object in their inbox by the field named:
//
//     inline constexpr command_group cq_commands{{
//         {"CREATE_CQ", create, create_cq_in, create_cq_out, "cqn", umem_valid{"cq_umem_valid"}},
//         {"QUERY_CQ",  query,  query_cq_in,  query_cq_out,  "cqn", nonzero{"cq_context.st"}},
//     }};
//
// An opcode without a number or a field that a layout does not have does not compile.
#pragma once

#include "kdevx/prm/opcodes.hpp"

namespace kdevx::prm {

// By which DEVX method a program sends it. A destroy has none: the kernel sends it when the handle
// is destroyed.
enum class command_class : std::uint8_t { general, create, modify, query, destroy };
using enum command_class;

// The commands of this group come from kernel drivers only; DEVX refuses them.
struct kernel_only_tag {};
inline constexpr kernel_only_tag kernel_only{};

// A field of the outbox that is zero in no true answer. By it an all-zero outbox is known to be a
// command that never ran.
struct nonzero {
    std::string_view path;
};
// The bits of the inbox that the kernel sets whatever the caller wrote: the buffer and the doorbell
// record are umems.
struct umem_valid {
    std::string_view buffer, doorbell{};
};

namespace error {
inline void this_command_has_no_opcode() {}
inline void this_command_has_no_such_field() {}
} // namespace error

struct command {
    std::string_view name{};
    std::uint16_t opcode = 0;
    std::uint16_t object = 0; // the opcode that creates what this works on; 0: no object
    command_class cls = general;
    bool devx = true; // false: kernel drivers only
    const layout_base *in = nullptr;
    const layout_base *out = nullptr;
    std::string_view id{}; // the field that holds the object's number, see id_place()
    nonzero true_answer{};
    umem_valid forced{};

    constexpr command() = default;
    consteval command(std::string_view n, command_class c, const layout_base &i,
                      const layout_base &o, std::string_view id_field = {}, nonzero z = {},
                      umem_valid u = {})
        : name(n), cls(c), in(&i), out(&o), id(id_field), true_answer(z), forced(u) {
        std::size_t number = opcodes.index_of(n);
        if (number == opcodes.rows.size()) error::this_command_has_no_opcode();
        opcode = std::uint16_t(opcodes.rows[number].number);
        if (!id.empty() && id_place().row.name.empty()) error::this_command_has_no_such_field();
        require(o, z.path);
        require(i, u.buffer);
        require(i, u.doorbell);
    }
    consteval command(std::string_view n, command_class c, const layout_base &i,
                      const layout_base &o, std::string_view id_field, umem_valid u)
        : command(n, c, i, o, id_field, nonzero{}, u) {}

    // A new object's number stands in the outbox, unless the caller chose it in the inbox (a flow
    // entry's index, a UDP port); every other command names the object in its inbox.
    constexpr bool id_in_outbox() const {
        return cls == create && !find_place(*out, id).row.name.empty();
    }
    constexpr place id_place() const { return find_place(id_in_outbox() ? *out : *in, id); }

private:
    static consteval void require(const layout_base &l, std::string_view path) {
        if (!path.empty() && find_place(l, path).row.name.empty())
            error::this_command_has_no_such_field();
    }
};

template <std::size_t N>
struct command_group {
    std::array<command, N> rows{};

    consteval command_group(const command (&c)[N]) : command_group(true, c) {}
    consteval command_group(kernel_only_tag, const command (&c)[N]) : command_group(false, c) {}

private:
    consteval command_group(bool devx, const command (&c)[N]) {
        std::uint16_t object = 0;
        for (const command &row : c)
            if (row.cls == create && !object) object = row.opcode;
        for (std::size_t i = 0; i < N; ++i) {
            rows[i] = c[i];
            rows[i].devx = devx;
            rows[i].object = object;
        }
    }
};
template <std::size_t N>
command_group(const command (&)[N]) -> command_group<N>;
template <std::size_t N>
command_group(kernel_only_tag, const command (&)[N]) -> command_group<N>;

} // namespace kdevx::prm
