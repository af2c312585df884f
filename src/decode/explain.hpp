// SPDX-License-Identifier: MIT
// What a status and a syndrome mean. Statuses are the PRM's; syndromes are the firmware's own, not
// published: what somebody said with a source is repeated, everything else is said to be unknown.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kdevx::decode {

struct syndrome {
    std::uint32_t number = 0;
    std::string command; // an opcode's name, or "*"
    std::string meaning;
    std::string source;
};

class syndrome_list {
    std::vector<syndrome> all_;

public:
    // Adds the lines of a file's text. The first line that is not of the form stops it: then
    // nothing of the text is added and the answer is "FILE:LINE: what is wrong". Empty when all
    // went well.
    std::string add(std::string_view text, std::string_view file);
    // The same, read from a path.
    std::string add_file(const std::string &path);
    // What is shipped with this program: syndromes.txt and the software HCA's own.
    static syndrome_list shipped();
    // The latest that fits the command; one for this command goes before one for any.
    const syndrome *find(std::uint32_t number, std::string_view command) const;
    std::size_t size() const { return all_.size(); }
};

// Two lines, the second only for a status other than OK. `command` may be empty: not known.
std::string explain(std::uint32_t status, std::uint32_t syndrome, std::string_view command,
                    const syndrome_list &known);

} // namespace kdevx::decode
