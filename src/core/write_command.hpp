// SPDX-License-Identifier: MIT
// The commands of the old write() interface that have no method of their own, by
// UVERBS_METHOD_INVOKE_WRITE:
//
//     write_command<"IB_USER_VERBS_CMD_ALLOC_PD">(file, in, out, {}, bytes_of(driver_out));
//
// A command that the table does not have, or structs of other sizes than it says, do not compile.
#pragma once

#include <rdma/ib_user_verbs.h>

#include "base/bytes.hpp"
#include "kabi/device.hpp"
#include "kabi/write.hpp"
#include "uverbs/request.hpp"

namespace kdevx::core {

// No answer besides the errno.
struct no_answer {};

result<void> invoke_write(const uverbs::file &f, const kabi::write_command &c,
                          uverbs::const_bytes in, uverbs::bytes out, uverbs::const_bytes driver_in,
                          uverbs::bytes driver_out) noexcept;

template <prm::fixed_string Name>
consteval const kabi::write_command &write_command_row() {
    constexpr std::size_t i = kabi::find_write_command(Name.view());
    if (i == std::size(kabi::write_commands)) uverbs::error::this_method_has_no_such_attribute();
    return kabi::write_commands[i];
}

// For commands whose inbox has a trailing array.
template <prm::fixed_string Name, class Out>
result<void> write_command_bytes(const uverbs::file &f, uverbs::const_bytes in, Out &out,
                                 uverbs::const_bytes driver_in = {},
                                 uverbs::bytes driver_out = {}) noexcept {
    static constexpr const kabi::write_command &row = write_command_row<Name>();
    constexpr bool answers = !std::is_same_v<Out, no_answer>;
    static_assert(row.out == (answers ? sizeof(Out) : 0), "not the answer of this command");
    uverbs::bytes room = answers ? bytes_of(out) : uverbs::bytes{};
    return invoke_write(f, row, in, room, driver_in, driver_out);
}
template <prm::fixed_string Name, class In, class Out>
result<void> write_command(const uverbs::file &f, const In &in, Out &out,
                           uverbs::const_bytes driver_in = {},
                           uverbs::bytes driver_out = {}) noexcept {
    static_assert(write_command_row<Name>().in == sizeof(In), "not the struct of this command");
    return write_command_bytes<Name>(f, bytes_of(in), out, driver_in, driver_out);
}
template <prm::fixed_string Name, class In>
result<void> write_command(const uverbs::file &f, const In &in,
                           uverbs::const_bytes driver_in = {}) noexcept {
    no_answer none;
    return write_command<Name>(f, in, none, driver_in);
}

} // namespace kdevx::core
