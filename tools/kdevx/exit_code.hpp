// SPDX-License-Identifier: MIT
// What the exit status says. Scripts rely on it: numbers are never given a second meaning.
#pragma once

#include <span>

namespace kdevx::tool {

enum class exit_code {
    ok = 0,
    failed = 1,
    usage = 2,
    no_device = 3,
    no_devx = 4,
    no_permission = 5,
    refused = 6,
    not_executed = 7,
};

struct exit_code_row {
    exit_code code;
    const char *text;
};
inline constexpr exit_code_row exit_codes[] = {
    {exit_code::ok, "done"},
    {exit_code::failed, "something else failed: the message says what"},
    {exit_code::usage,
     "the request is malformed: kdevx says so before it sends it, or the kernel does"},
    {exit_code::no_device, "no such device, or several and --device does not say which"},
    {exit_code::no_devx, "the kernel or the firmware lacks what is needed"},
    {exit_code::no_permission, "the kernel does not permit it"},
    {exit_code::refused, "the firmware executed the command and refused it"},
    {exit_code::not_executed, "no answer came from the firmware, or the device is gone"},
};

} // namespace kdevx::tool
