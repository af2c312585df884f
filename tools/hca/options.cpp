// SPDX-License-Identifier: MIT
#include "options.hpp"

#include "firmware/capabilities.hpp"
#include "pci/config_space.hpp"
#include "text.hpp"

#include <fmt/format.h>
#include <optional>

namespace kdevx::hca {
namespace {

struct key {
    const char *name, *values, *help;
    std::uint64_t low, high;
    void (*set)(options &, std::uint64_t);
};

constexpr unsigned guids_each = 16; // room for those of the ports

void set_index(options &o, unsigned index) {
    const options first;
    o.guid = first.guid + guids_each * index;
    o.lid = std::uint16_t(first.lid + most_ports * index);
}

// clang-format off
constexpr key keys[] = {
    {"ports",        "1|2",     "ports of the device", 1, most_ports,
     [](options &o, std::uint64_t v) { o.ports = unsigned(v); }},
    {"devid",        "NUMBER",  "PCI device id, 0x101b (ConnectX-6) unless given", 1, 0xffff,
     [](options &o, std::uint64_t v) { o.device_id = std::uint16_t(v); }},
    {"vectors",      "NUMBER",  "MSI-X vectors, 8 unless given", 2, pci::max_vectors,
     [](options &o, std::uint64_t v) { o.vectors = unsigned(v); }},
    {"index",        "NUMBER",  "which of several HCAs it is: has GUIDs and LIDs of its own; before lid= and guid=", 0, 255,
     [](options &o, std::uint64_t v) { set_index(o, unsigned(v)); }},
    {"lid",          "NUMBER",  "LID of port 1, port 2 has the next one", 1, 0xbffe,
     [](options &o, std::uint64_t v) { o.lid = std::uint16_t(v); }},
    {"guid",         "NUMBER",  "node GUID, port n has guid + n", 1, ~0ull - 2,
     [](options &o, std::uint64_t v) { o.guid = v; }},
    {"bf",           "0|1",     "doorbells may carry their WQE (BlueFlame)", 0, 1,
     [](options &o, std::uint64_t v) { o.blueflame = v; }},
    {"inject",       "0|1",     "the guest may inject faults (see README.md)", 0, 1,
     [](options &o, std::uint64_t v) { o.inject = v; }},
    {"cmd_exec_to",  "SECONDS", "how long the driver waits for a command, 0: as long as it likes", 0, 3600,
     [](options &o, std::uint64_t v) { o.command_timeout = unsigned(v); }},
    {"log_max_uctx", "NUMBER",  "log2 of the number of DEVX contexts, 0: no DEVX", 0, 16,
     [](options &o, std::uint64_t v) { o.caps.emplace_back("log_max_uctx", v); }},
};
// clang-format on

std::string set_port(options &o, const std::string &value) {
    if (value != "ib" && value != "eth") return "port= takes ib or eth, not " + value;
    o.infiniband = value == "ib";
    return {};
}

std::string set_link(options &o, const std::string &value) {
    if (value.empty()) return "link= takes a path";
    o.link = value;
    return {};
}

std::string set_cap(options &o, const std::string &name, const std::string &value) {
    auto v = parse_number(value);
    if (!v) return fmt::format("cap.{}= takes a number, not {}", name, value);
    std::string wrong = firmware::check_capability(name, *v);
    if (wrong.empty()) o.caps.emplace_back(name, *v);
    return wrong;
}

std::string set_number(options &o, const key &k, const std::string &value) {
    auto v = parse_number(value);
    if (!v || *v < k.low || *v > k.high)
        return fmt::format("{}= takes a number from {} to {}, not {}", k.name, k.low, k.high,
                           value);
    k.set(o, *v);
    return {};
}

} // namespace

std::string set_option(options &o, const std::string &word) {
    auto equals = word.find('=');
    if (equals == std::string::npos) return fmt::format("{} is not key=value", word);
    const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
    if (name == "port") return set_port(o, value);
    if (name == "link") return set_link(o, value);
    if (name.starts_with("cap.")) return set_cap(o, name.substr(4), value);
    for (const key &k : keys)
        if (name == k.name) return set_number(o, k, value);
    return fmt::format("no key {}; the keys are\n{}", name, option_help());
}

std::string option_help() {
    std::string text =
        "  port=ib|eth           InfiniBand (unless given) or Ethernet without RoCE\n"
        "  link=PATH             a cable to the HCA that is given the same path and another lid\n";
    for (const key &k : keys)
        text += fmt::format("  {:<22}{}\n", fmt::format("{}={}", k.name, k.values), k.help);
    return text + "  cap.NAME=NUMBER       a field of the general capability page, by PRM name\n";
}

} // namespace kdevx::hca
