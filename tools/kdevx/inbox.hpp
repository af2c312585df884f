// SPDX-License-Identifier: MIT
// A command inbox written as "field=value", in the names of the PRM tables.
#pragma once

#include "kdevx/prm/layout.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kdevx::tool {

class inbox {
    const prm::layout_base &layout_;
    std::vector<std::byte> bytes_;

public:
    explicit inbox(const prm::layout_base &layout) : layout_(layout), bytes_(layout.size) {}

    // "op_mod=1", "qpc.log_rq_size=0x3", "pas[2]=0x1000", "rgid_rip=fe80..." (bytes as hex).
    // Elements of a trailing array make the inbox longer. Throws a usage error that names the
    // field: there is none of that name, or the value does not fit it.
    void assign(std::string_view assignment);
    void assign(std::string_view path, std::string_view value);

    const std::vector<std::byte> &bytes() const { return bytes_; }

private:
    void grow(std::size_t size, std::string_view path);
};

} // namespace kdevx::tool
