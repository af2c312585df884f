// SPDX-License-Identifier: MIT
#include "inject/injector.hpp"

namespace kdevx::hca::inject {

bool injector::add(const rule &r) {
    if (rules_.size() == max_rules || r.nth == 0 || r.count == 0) return false;
    if (r.what == rule::fail && r.status == 0) return false;
    rules_.push_back(r);
    return true;
}

// Rules for the same opcode are counted side by side; the first that is due is the one that acts.
std::optional<rule> injector::take(std::uint16_t opcode) {
    std::optional<rule> due;
    for (rule &r : rules_) {
        if (r.opcode != opcode) continue;
        if (r.nth > 1) {
            --r.nth;
        } else if (!due) {
            due = r;
            --r.count;
        }
    }
    std::erase_if(rules_, [](const rule &r) { return r.count == 0; });
    return due;
}

void injector::forget() {
    rules_.clear();
    faults.end_hung();
}

} // namespace kdevx::hca::inject
