// SPDX-License-Identifier: MIT
// The devices of this machine, and the one that --device means.
#pragma once

#include "session.hpp"

#include "kdevx/context.h"
#include "kdevx/device.h"

#include <memory>
#include <optional>
#include <vector>

namespace kdevx::tool {

struct device {
    kdevx_device found;                  // what sysfs and the nodes tell
    std::optional<kdevx_nl_device> more; // what netlink adds, where it answers
    std::string name() const;            // ibdev name, or the node where there is no name
    bool usable() const { return found.missing == KDEVX_LAYER_NONE; }
};

struct device_list {
    std::vector<device> devices;
    std::uint32_t missing = KDEVX_LAYER_NONE; // what keeps all of them from use
    std::string no_netlink;                   // why netlink added nothing; empty: it was asked
};

// mlx5 devices, of every kind of source: sysfs, the nodes, netlink. Empty is no failure.
device_list find_devices(const session &s);

// What to say of an empty list.
trouble no_device(const device_list &list);

// The one of --device, or the only one; usable or not. Throws NO_DEVICE.
device choose_device(const session &s);

struct close_context {
    void operator()(kdevx_context *c) const { kdevx_context_close(c); }
};
using context = std::unique_ptr<kdevx_context, close_context>;

// Opens the chosen device. Throws what keeps it from being opened.
context open_context(const session &s, kdevx_devx devx = KDEVX_DEVX_REQUIRE);
context open_context(const session &s, const device &d, const kdevx_open_options &options);

} // namespace kdevx::tool
