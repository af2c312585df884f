// SPDX-License-Identifier: MIT
// kdevx schema: the kernel contract that kdevx is built on, as JSON for other programs.
#include "command.hpp"
#include "kabi_names.hpp"
#include "similar.hpp"

#include "kabi/kabi.hpp"
#include "kabi/uhw.hpp"
#include "kabi/write.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

std::string hex(std::uint32_t n) {
    return fmt::format("{:#x}", n);
}

json to_json(const kabi::attr &a) {
    json j{{"name", a.name},
           {"id", hex(a.id)},
           {"kind", name_of(a.kind)},
           {"mandatory", a.mandatory == kabi::M},
           {"since", kabi::version(a.from)}};
    if (a.bytes == kabi::none) return j;
    j["min_bytes"] = a.bytes.least;
    if (a.bytes.most != kabi::any_size) j["max_bytes"] = a.bytes.most;
    return j;
}

json to_json(const kabi::method_base &m) {
    json attrs = json::array();
    for (const kabi::attr &a : m.attrs)
        attrs.push_back(to_json(a));
    return {
        {"name", m.name}, {"id", hex(m.id)}, {"since", kabi::version(m.from)}, {"attrs", attrs}};
}

json to_json(const kabi::object_entry &e) {
    json methods = json::array();
    for (const kabi::method_base *m : e.methods)
        methods.push_back(to_json(*m));
    return {{"name", e.object->name},
            {"id", hex(e.object->id)},
            {"needs", name_of(e.object->when)},
            {"since", kabi::version(e.object->from)},
            {"methods", methods}};
}

json write_commands() {
    json commands = json::array();
    for (const kabi::write_command &w : kabi::write_commands)
        commands.push_back({{"name", w.name},
                            {"number", hex(w.number)},
                            {"core_in", w.in},
                            {"core_out", w.out},
                            {"driver_data", w.uhw}});
    return commands;
}

json driver_structs() {
    json structs = json::object();
    for (const kabi::uhw_struct &u : kabi::uhw_structs)
        structs[std::string(u.name)] = u.size;
    return structs;
}

json objects(const std::vector<std::string> &wanted) {
    std::vector<std::string_view> names;
    for (const kabi::object_entry &e : kabi::objects)
        names.emplace_back(e.object->name);
    for (const std::string &w : wanted)
        if (std::find(names.begin(), names.end(), w) == names.end())
            throw usage("the kernel contract has no object " + w, did_you_mean(w, names));
    json list = json::array();
    for (const kabi::object_entry &e : kabi::objects)
        if (wanted.empty() ||
            std::find(wanted.begin(), wanted.end(), e.object->name) != wanted.end())
            list.push_back(to_json(e));
    return list;
}

void show_schema(session &s, const std::vector<std::string> &wanted) {
    json j{{"ioctl", "RDMA_VERBS_IOCTL"}, {"driver_id", 1}, {"objects", objects(wanted)}};
    if (wanted.empty()) {
        j["write_commands"] = write_commands();
        j["driver_structs"] = driver_structs();
    }
    s.out << j.dump(2) << '\n';
}

constexpr const char *schema_help =
    "Objects, methods and attributes of the uverbs ioctl ABI that kdevx knows, with kind, "
    "bounds, and the first\nof the kernels it was checked against that has them. For "
    "filters, allow-lists and decoders.\n'needs' is the capability without which the "
    "kernel does not offer the object.\n\n"
    "Examples:\n"
    "  kdevx schema MLX5_IB_OBJECT_DEVX_OBJ\n"
    "  kdevx schema | jq -r '.objects[].methods[] | .name'";

struct schema_cmd final : command {
    std::vector<std::string> wanted;

    schema_cmd() : command("schema", "the kernel contract as JSON", schema_help) {}
    void declare(grammar &g) override {
        g.words("OBJECTS", wanted, "only these, by kernel name (default: everything)",
                "OBJECT ...");
    }
    void run(session &s) override { show_schema(s, wanted); }
};

} // namespace

std::unique_ptr<command> schema_command() {
    return std::make_unique<schema_cmd>();
}

} // namespace kdevx::tool
