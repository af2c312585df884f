// SPDX-License-Identifier: MIT
// kdevx list: the mlx5 devices of this machine, and for each whether this process can use it.
#include "command.hpp"
#include "devices.hpp"
#include "table.hpp"

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

std::string guid(std::uint64_t g) {
    return fmt::format("{:04x}:{:04x}:{:04x}:{:04x}", g >> 48, g >> 32 & 0xffff, g >> 16 & 0xffff,
                       g & 0xffff);
}

json to_json(const device &d) {
    json j{{"name", d.found.name},     {"node", d.found.node},
           {"driver", d.found.driver}, {"bus_address", d.found.bus_address},
           {"usable", d.usable()},     {"missing", kdevx_layer_name(d.found.missing)}};
    if (!d.more) return j;
    j["index"] = d.more->index;
    j["firmware"] = d.more->firmware;
    j["ports"] = d.more->ports;
    j["protocol"] = d.more->protocol;
    j["node_guid"] = guid(d.more->node_guid);
    return j;
}

void print(const device_list &list, std::ostream &out) {
    table t({"DEVICE", "NODE", "BUS", "FIRMWARE", "PORTS", "PROTOCOL", "GUID", "STATE"});
    for (const device &d : list.devices) {
        std::string state =
            d.usable() ? "usable" : fmt::format("no {}", kdevx_layer_name(d.found.missing));
        if (d.more)
            t.add({d.found.name, d.found.node, d.found.bus_address, d.more->firmware,
                   std::to_string(d.more->ports), d.more->protocol, guid(d.more->node_guid),
                   state});
        else
            t.add({d.found.name, d.found.node, d.found.bus_address, "", "", "", "", state});
    }
    t.print(out);
}

void list_devices(session &s) {
    device_list list = find_devices(s);
    if (list.devices.empty()) throw no_device(list);
    json devices = json::array();
    for (const device &d : list.devices)
        devices.push_back(to_json(d));
    json result{{"devices", devices}};
    if (!list.no_netlink.empty()) result["no_netlink"] = list.no_netlink;
    s.show(result, [&](std::ostream &out) { print(list, out); });
}

constexpr const char *list_help =
    "One line a device, columns as headed; '-' is not known. STATE is 'usable', or names "
    "the layer that\nis missing (kdevx probe says more about it). Without any device the "
    "exit status is 3 and the error\nnames what is missing.\n\n"
    "Examples:\n"
    "  kdevx list\n"
    "  kdevx list --json | jq -r '.devices[] | select(.usable) | .node'";

struct list_cmd final : command {
    list_cmd() : command("list", "the mlx5 devices of this machine", list_help) {}
    void run(session &s) override { list_devices(s); }
};

} // namespace

std::unique_ptr<command> list_command() {
    return std::make_unique<list_cmd>();
}

} // namespace kdevx::tool
