// SPDX-License-Identifier: MIT
#include "similar.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace kdevx::tool {
namespace {

std::string lower(std::string_view s) {
    std::string t(s);
    for (char &c : t)
        c = char(std::tolower(static_cast<unsigned char>(c)));
    return t;
}

// Optimal string alignment: how many characters to insert, delete or replace, or neighbours to
// swap.
std::size_t distance(const std::string &a, const std::string &b) {
    std::vector<std::size_t> before, last, row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t(0));
    for (std::size_t i = 0; i < a.size(); ++i) {
        before = std::exchange(last, row);
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            row[j + 1] = std::min({last[j] + (a[i] != b[j]), row[j] + 1, last[j + 1] + 1});
            if (i && j && a[i] == b[j - 1] && a[i - 1] == b[j])
                row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
        }
    }
    return row.back();
}

} // namespace

std::vector<std::string_view>
similar(std::string_view name, const std::vector<std::string_view> &names, std::size_t most) {
    std::string wanted = lower(name);
    std::vector<std::pair<std::size_t, std::string_view>> close;
    for (std::string_view n : names) {
        std::string candidate = lower(n);
        bool part = wanted.size() > 2 && candidate.find(wanted) != std::string::npos;
        std::size_t d = part ? 1 : distance(wanted, candidate);
        if (d <= 1 + wanted.size() / 4) close.emplace_back(d, n);
    }
    std::stable_sort(close.begin(), close.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    std::vector<std::string_view> result;
    for (std::size_t i = 0; i < std::min(most, close.size()); ++i)
        result.push_back(close[i].second);
    return result;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view> &names,
                         std::string otherwise) {
    std::string list;
    for (std::string_view n : similar(name, names))
        list += (list.empty() ? "" : ", ") + std::string(n);
    return list.empty() ? otherwise : "did you mean " + list + "?";
}

} // namespace kdevx::tool
