// SPDX-License-Identifier: MIT
// kdevx caps: what the device says it can do, page by page, field by field.
#include "command.hpp"
#include "devices.hpp"
#include "flat.hpp"
#include "mailbox.hpp"
#include "numbers.hpp"
#include "similar.hpp"

#include "decode/command.hpp"
#include "decode/json.hpp"
#include "kdevx/prm/caps.hpp"
#include "kdevx/prm/hca.hpp"
#include "kdevx/prm/opcodes.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

struct caps_options {
    std::vector<std::string> pages; // empty: all
    bool maximum = false;
    bool nonzero = false;
};

using page = prm::value; // name and type

std::vector<page> wanted_pages(const caps_options &o) {
    std::vector<std::string_view> names;
    for (const page &p : prm::cap_types.rows)
        names.push_back(p.name);
    std::vector<page> pages;
    for (const std::string &name : o.pages) {
        const page *p = prm::cap_types.find(name);
        if (!p) throw usage("there is no capability page " + name, did_you_mean(name, names));
        pages.push_back(*p);
    }
    if (o.pages.empty()) pages.assign(prm::cap_types.rows.begin(), prm::cap_types.rows.end());
    return pages;
}

// The page, or why the firmware has none of it. Any other failure is thrown.
struct answer {
    std::vector<std::byte> out;
    kdevx_failure refused{};
};

answer query(kdevx_context *c, const page &p, bool maximum) {
    prm::mailbox<prm::query_hca_cap_in> in;
    in.set<"opcode", prm::op<"QUERY_HCA_CAP">>();
    in.set<"op_mod">(p.number << 1 | (maximum ? 0 : 1));
    answer a{std::vector<std::byte>(prm::query_hca_cap_out.size), {}};
    if (general_command(c, in.bytes(), a.out, a.refused)) return a;
    if (a.refused.cause != KDEVX_CAUSE_FIRMWARE_REFUSED)
        throw trouble(fmt::format("capability page {}", p.name), a.refused);
    return a;
}

// Without a table of its own the page is decoded as no more than its bytes.
decode::item decoded(const answer &a, const page &p) {
    auto bytes = prm::view<prm::query_hca_cap_out>(a.out).bytes<"capability">();
    const prm::layout_base *layout = prm::variant_of(prm::cap_pages, p.number);
    return decode::decode_capability(p.number, layout ? bytes.first(layout->size) : bytes);
}

json to_json(const answer &a, const page &p) {
    json j{{"type", p.number}};
    if (a.refused.cause != KDEVX_CAUSE_NONE)
        j["refused"] = json_of(a.refused);
    else
        j["fields"] = decode::to_json(decoded(a, p));
    return j;
}

void print(const answer &a, const page &p, bool nonzero, std::ostream &out) {
    if (a.refused.cause != KDEVX_CAUSE_NONE) {
        out << fmt::format("# {}: the firmware has no such page (status {:#x} {}, syndrome "
                           "{:#010x})\n",
                           p.name, a.refused.fw_status, kdevx_status_name(a.refused.fw_status),
                           a.refused.fw_syndrome);
        return;
    }
    decode::item tree = decoded(a, p);
    for (const decode::item &i : tree.items)
        if (i.kind == decode::item_kind::note) out << fmt::format("# {}: {}\n", p.name, i.label);
    each_field(tree, [&](const std::string &path, const decode::item &i) {
        if (!nonzero || !i.is_zero()) out << fmt::format("{}.{} {}\n", p.name, path, value_text(i));
    });
}

void show_caps(session &s, const caps_options &o) {
    std::vector<page> pages = wanted_pages(o);
    context c = open_context(s, KDEVX_DEVX_NEVER); // the query needs no uid
    std::vector<answer> answers;
    for (const page &p : pages)
        answers.push_back(query(c.get(), p, o.maximum));
    json result = json::object();
    for (std::size_t i = 0; s.as_json && i < pages.size(); ++i)
        result[std::string(pages[i].name)] = to_json(answers[i], pages[i]);
    s.show(result, [&](std::ostream &out) {
        for (std::size_t i = 0; i < pages.size(); ++i)
            print(answers[i], pages[i], o.nonzero, out);
    });
}

constexpr const char *caps_help =
    "One line a field: PAGE.FIELD VALUE [NAME], in PRM names and order. A page that this firmware\n"
    "does not have is a line that begins with '#'; PAGE.UNKNOWN@OFFSET are bits set where the\n"
    "tables have no name. Numbers of up to 16 bits are decimal, wider ones hexadecimal. No DEVX "
    "uid\n"
    "is needed.\n\n"
    "Examples:\n"
    "  kdevx caps --nonzero\n"
    "  kdevx caps GENERAL | grep log_max_\n"
    "  kdevx caps ROCE --max --json";

struct caps_cmd final : command {
    caps_options o;

    caps_cmd()
        : command("caps", "what the device can do: its capability pages by name", caps_help) {}
    void declare(grammar &g) override {
        g.words("PAGES", o.pages, "GENERAL, ROCE, ... (default: every page)", "PAGE ...");
        g.flag("-m,--max", o.maximum, "what the device could do at most, not what is switched on");
        g.flag("-n,--nonzero", o.nonzero, "leave out fields that are zero");
    }
    void run(session &s) override { show_caps(s, o); }
};

} // namespace

std::unique_ptr<command> caps_command() {
    return std::make_unique<caps_cmd>();
}

} // namespace kdevx::tool
