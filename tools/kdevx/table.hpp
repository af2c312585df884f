// SPDX-License-Identifier: MIT
// Columns for people and for awk: a heading line, two blanks between columns, "-" for nothing.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace kdevx::tool {

class table {
    std::vector<std::vector<std::string>> rows_;

public:
    explicit table(std::vector<std::string> heading) { rows_.push_back(std::move(heading)); }
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    void print(std::ostream &out) const;
};

} // namespace kdevx::tool
