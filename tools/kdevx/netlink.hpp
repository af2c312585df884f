// SPDX-License-Identifier: MIT
// libkdevx-nl in the tool's own terms: lists are vectors, failures are thrown.
#pragma once

#include "trouble.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kdevx::tool {

struct netlink_device {
    kdevx_nl_device device;
    std::optional<kdevx_nl_uverbs> uverbs; // empty: it has none
};

class netlink {
    struct kdevx_nl *nl_;

public:
    netlink();
    netlink(const netlink &) = delete;
    netlink &operator=(const netlink &) = delete;
    ~netlink() { kdevx_nl_close(nl_); }

    std::vector<netlink_device> devices();
    std::vector<std::pair<std::string, std::uint64_t>> summary(std::uint32_t index);
    std::vector<kdevx_nl_resource> resources(std::uint32_t index, kdevx_nl_kind kind);
};

} // namespace kdevx::tool
