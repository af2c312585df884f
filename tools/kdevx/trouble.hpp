// SPDX-License-Identifier: MIT
// The one exception of the tool: what failed, what to do about it, and how the program ends.
#pragma once

#include "exit_code.hpp"
#include "json.hpp"
#include "kdevx/failure.h"
#include "kdevx/kdevx-nl.h"

#include <stdexcept>
#include <string>

namespace kdevx::tool {

class trouble : public std::runtime_error {
public:
    exit_code code;
    std::string cause;  // a name for scripts: "USAGE", "FIRMWARE_REFUSED"
    std::string hint;   // may be empty
    json facts;         // numbers that --json shows beside the text
    bool shown = false; // the command's output holds it already

    trouble(exit_code c, std::string name, const std::string &message, std::string advice = {})
        : std::runtime_error(message), code(c), cause(std::move(name)), hint(std::move(advice)) {}
    // What the library says; `doing` tells what the tool was about.
    trouble(const std::string &doing, const kdevx_failure &why);
    trouble(const std::string &doing, const kdevx_nl_failure &why);

    json to_json() const;
};

inline trouble usage(const std::string &message, std::string hint = {}) {
    return {exit_code::usage, "USAGE", message, std::move(hint)};
}

exit_code exit_code_of(const kdevx_failure &why);
std::string text_of(const kdevx_failure &why);
// errno, cause, step and, where they are the firmware's, status and syndrome.
json json_of(const kdevx_failure &why);

} // namespace kdevx::tool
