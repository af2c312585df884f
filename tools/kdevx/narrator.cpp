// SPDX-License-Identifier: MIT
#include "narrator.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace kdevx::tool {

void narrator::add(const std::string &name, const std::string &text, bool good) {
    steps_.push_back({name, text, good});
    if (s_.as_json) return;
    s_.out << fmt::format("{:2} {:<14} {}{}\n", steps_.size(), name,
                          good ? "" : "NOT AS EXPECTED: ", text)
           << std::flush;
}

void narrator::detail(const std::string &text) {
    if (!steps_.empty()) steps_.back().text += "; " + text;
    if (!s_.as_json) s_.out << std::string(18, ' ') << text << '\n' << std::flush;
}

unsigned narrator::failures() const {
    return unsigned(std::count_if(steps_.begin(), steps_.end(), [](auto &s) { return !s.good; }));
}

json narrator::to_json() const {
    json list = json::array();
    for (const step &s : steps_)
        list.push_back({{"step", s.name}, {"as_expected", s.good}, {"text", s.text}});
    return list;
}

} // namespace kdevx::tool
