// SPDX-License-Identifier: MIT
#include "table.hpp"

#include <algorithm>

namespace kdevx::tool {

void table::print(std::ostream &out) const {
    std::vector<std::size_t> widths(rows_[0].size(), 1);
    for (const auto &row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    for (const auto &row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            std::string cell = row[i].empty() ? "-" : row[i];
            line += cell;
            if (i + 1 < row.size()) line.append(widths[i] + 2 - cell.size(), ' ');
        }
        out << line << '\n';
    }
}

} // namespace kdevx::tool
