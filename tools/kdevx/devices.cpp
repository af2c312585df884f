// SPDX-License-Identifier: MIT
#include "devices.hpp"
#include "netlink.hpp"

#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

constexpr std::uint32_t driver_mlx5 = 1; // RDMA_DRIVER_MLX5

struct free_list {
    void operator()(kdevx_device_list *l) const { kdevx_device_list_free(l); }
};

device_list from_sysfs(const session &s) {
    kdevx_device_list_options options{};
    options.size = sizeof options;
    options.sysfs = s.sysfs.c_str();
    options.dev = s.dev.c_str();
    kdevx_device_list *raw = nullptr;
    kdevx_failure why{};
    if (kdevx_device_list_get(&options, &raw, &why) < 0) throw trouble("listing devices", why);
    std::unique_ptr<kdevx_device_list, free_list> list(raw);
    device_list result;
    for (std::size_t i = 0; i < kdevx_device_list_count(raw); ++i)
        result.devices.push_back({*kdevx_device_list_at(raw, i), {}});
    result.missing = kdevx_device_list_missing(raw);
    return result;
}

template <std::size_t N>
void copy(char (&to)[N], const std::string &from) {
    to[from.copy(to, N - 1)] = 0;
}

bool same(const device &d, const netlink_device &n, const std::string &node) {
    if (d.found.name[0]) return std::strcmp(d.found.name, n.device.name) == 0;
    return !node.empty() && node == d.found.node;
}

// A device that only netlink knows: its node is looked for where nodes are.
device from_netlink(const netlink_device &n, const std::string &node) {
    device d{};
    copy(d.found.name, n.device.name);
    d.found.is_mlx5 = 1;
    d.found.missing = KDEVX_LAYER_IB_UVERBS;
    if (n.uverbs) {
        copy(d.found.node, node);
        std::error_code ignored;
        bool there = std::filesystem::exists(node, ignored);
        d.found.missing = there ? KDEVX_LAYER_NONE : KDEVX_LAYER_NODE;
    }
    d.more = n.device;
    return d;
}

void merge(device_list &list, const netlink_device &n, const session &s) {
    std::string node = n.uverbs ? s.dev + "/" + n.uverbs->name : "";
    for (device &d : list.devices) {
        if (!same(d, n, node)) continue;
        d.more = n.device;
        copy(d.found.name, n.device.name);
        return;
    }
    if (!n.uverbs || n.uverbs->driver_id != driver_mlx5) return;
    list.devices.push_back(from_netlink(n, node));
    if (list.devices.back().usable()) list.missing = KDEVX_LAYER_NONE;
}

std::string names_of(const std::vector<device> &devices) {
    std::string names;
    for (const device &d : devices)
        names += (names.empty() ? "" : ", ") + d.name();
    return names;
}

bool is_called(const device &d, const std::string &name) {
    return name == d.found.name || name == d.found.node ||
           name == std::filesystem::path(d.found.node).filename();
}

} // namespace

std::string device::name() const {
    return found.name[0] ? found.name : found.node;
}

device_list find_devices(const session &s) {
    device_list list = from_sysfs(s);
    if (!s.netlink) return list;
    try {
        for (const netlink_device &n : netlink().devices())
            merge(list, n, s);
    } catch (const trouble &t) {
        // Netlink adds to what sysfs says; a kernel or a sandbox without it is no reason to fail.
        list.no_netlink = t.what();
    }
    return list;
}

trouble no_device(const device_list &list) {
    std::uint32_t layer = list.missing;
    return {exit_code::no_device, kdevx_layer_name(layer),
            fmt::format("no mlx5 device: {} is missing", kdevx_layer_name(layer)),
            kdevx_layer_hint(layer)};
}

device choose_device(const session &s) {
    device_list list = find_devices(s);
    if (list.devices.empty()) throw no_device(list);
    if (s.device.empty()) {
        if (list.devices.size() == 1) return list.devices[0];
        throw trouble(exit_code::no_device, "SEVERAL_DEVICES",
                      "there are several mlx5 devices: " + names_of(list.devices),
                      "say which one: --device " + list.devices[0].name());
    }
    for (const device &d : list.devices)
        if (is_called(d, s.device)) return d;
    throw trouble(exit_code::no_device, "NO_DEVICE", "no mlx5 device is called " + s.device,
                  "there is " + names_of(list.devices));
}

context open_context(const session &, const device &d, const kdevx_open_options &options) {
    if (!d.found.node[0])
        throw trouble(exit_code::no_devx, kdevx_layer_name(d.found.missing),
                      fmt::format("{} has no uverbs node: {} is missing", d.name(),
                                  kdevx_layer_name(d.found.missing)),
                      kdevx_layer_hint(d.found.missing));
    kdevx_context *raw = nullptr;
    kdevx_failure why{};
    if (kdevx_context_open_path(d.found.node, &options, &raw, &why) < 0)
        throw trouble("opening " + d.name(), why);
    return context(raw);
}

context open_context(const session &s, kdevx_devx devx) {
    kdevx_open_options options{};
    options.size = sizeof options;
    options.devx = devx;
    return open_context(s, choose_device(s), options);
}

} // namespace kdevx::tool
