// SPDX-License-Identifier: MIT
// kdevx probe: what this kernel and this device offer, one line a capability, without side effects;
// and if DEVX is missing, which layer is.
#include "command.hpp"
#include "devices.hpp"
#include "kabi_names.hpp"
#include "table.hpp"

#include "kabi/kabi.hpp"

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

struct probe_options {
    bool attributes = false;
};

enum class state { yes, no, unknown };

struct finding {
    std::string what; // LAYER, RIGHT, METHOD, ATTR
    std::string name;
    state here;
    std::string note;
};

const char *text_of(state s) {
    return s == state::yes ? "yes" : s == state::no ? "no" : "unknown";
}

struct report {
    device_list list;
    std::vector<finding> findings;
    std::optional<trouble> missing; // what keeps DEVX from being used
};

// ---- layers ----------------------------------------------------------------------------------

constexpr kdevx_layer layers[] = {KDEVX_LAYER_PCI,     KDEVX_LAYER_MLX5_CORE,
                                  KDEVX_LAYER_MLX5_IB, KDEVX_LAYER_IB_UVERBS,
                                  KDEVX_LAYER_NODE,    KDEVX_LAYER_PERMISSION};

// Layers below the missing one are there, those above cannot be told.
void add_layers(report &r, std::uint32_t missing) {
    state now = missing == KDEVX_LAYER_SYSFS ? state::unknown : state::yes;
    for (kdevx_layer layer : layers) {
        bool here = layer == missing;
        r.findings.push_back({"LAYER", kdevx_layer_name(layer), here ? state::no : now,
                              here ? kdevx_layer_hint(layer) : ""});
        if (here) now = state::unknown;
    }
}

trouble missing_layer(const device &d) {
    exit_code code =
        d.found.missing == KDEVX_LAYER_PERMISSION ? exit_code::no_permission : exit_code::no_devx;
    return {code, kdevx_layer_name(d.found.missing),
            fmt::format("{} cannot be used: {} is missing", d.name(),
                        kdevx_layer_name(d.found.missing)),
            kdevx_layer_hint(d.found.missing)};
}

// ---- the context: uid and rights ---------------------------------------------------------------

struct right {
    kdevx_uctx_cap bit;
    const char *name, *capability;
};
constexpr right rights[] = {
    {KDEVX_UCTX_CAP_RAW_TX, "RAW_TX", "CAP_NET_RAW"},
    {KDEVX_UCTX_CAP_INTERNAL_DEV_RES, "INTERNAL_DEV_RES", "CAP_SYS_RAWIO"},
};

void add_right(report &r, const kdevx_context_info &info, const right &right) {
    finding f{"RIGHT", right.name, state::no, ""};
    bool asked = info.uctx_caps_asked & right.bit, offered = info.uctx_caps_offered & right.bit;
    if (!info.has_devx)
        f.note = "there is no DEVX uid that could have it";
    else if (!asked)
        f.note = fmt::format("this process lacks {}", right.capability);
    else if (!info.uctx_caps_known)
        f.here = state::unknown, f.note = "asked for; the firmware does not say what it offers";
    else if (!offered)
        f.note = "the firmware does not offer it";
    else
        f.here = state::yes;
    r.findings.push_back(f);
}

void add_context(report &r, kdevx_context *c, const device &d) {
    kdevx_context_info info{};
    info.size = sizeof info;
    kdevx_failure why{};
    if (kdevx_context_get_info(c, &info, &why) < 0) throw trouble("asking about the context", why);
    std::string note;
    if (!info.has_devx) {
        r.missing.emplace("DEVX context on " + d.name(), info.devx_refused);
        note = fmt::format("{}: {}", kdevx_cause_name(info.devx_refused.cause),
                           kdevx_failure_hint(&info.devx_refused));
    }
    r.findings.push_back({"LAYER", "DEVX_UID", info.has_devx ? state::yes : state::no, note});
    for (const right &x : rights)
        add_right(r, info, x);
}

// ---- methods and attributes
// ----------------------------------------------------------------------

state answer(int result, int present, const kdevx_failure &why) {
    if (result == 0) return present ? state::yes : state::no;
    // Not askable without running it: it has no mandatory attribute that could be left out.
    if (why.cause == KDEVX_CAUSE_INVALID) return state::unknown;
    throw trouble("probing", why);
}

state ask_method(kdevx_context *c, const kabi::method_base &m) {
    int present = 0;
    kdevx_failure why{};
    const int result = kdevx_probe_method(c, m.object->id, m.id, &present, &why);
    return answer(result, present, why);
}

state ask_attr(kdevx_context *c, const kabi::method_base &m, const kabi::attr &a) {
    int present = 0;
    kdevx_failure why{};
    const int result = kdevx_probe_attr(c, m.object->id, m.id, a.id, &present, &why);
    return answer(result, present, why);
}

std::string note_of(state here, kabi::since from, kabi::presence when) {
    if (here == state::unknown) return "cannot be asked without running it";
    if (here == state::yes) return "";
    if (from != kabi::v6_1) return fmt::format("since kernel {}", kabi::version(from));
    return needs_of(when);
}

void add_attrs(report &r, kdevx_context *c, const kabi::method_base &m, bool all) {
    for (const kabi::attr &a : m.attrs) {
        // An attribute as old as its method is there with it: asked only on demand.
        if (!all && a.from <= m.from) continue;
        state here = ask_attr(c, m, a);
        r.findings.push_back({"ATTR", fmt::format("{}.{}", m.name, a.name), here,
                              note_of(here, a.from, m.object->when)});
    }
}

void add_methods(report &r, kdevx_context *c, bool all_attributes) {
    for (const kabi::object_entry &e : kabi::objects)
        for (const kabi::method_base *m : e.methods) {
            state here = ask_method(c, *m);
            r.findings.push_back(
                {"METHOD", fmt::format("{}.{}", e.object->name, m->name), here,
                 note_of(here, std::max(m->from, e.object->from), e.object->when)});
            if (here == state::yes) add_attrs(r, c, *m, all_attributes);
        }
}

// ---- the whole
// -----------------------------------------------------------------------------------

report look(const session &s, const probe_options &o) {
    report r;
    r.list = find_devices(s);
    if (r.list.devices.empty()) {
        r.missing = no_device(r.list);
        add_layers(r, r.list.missing);
        return r;
    }
    device d = choose_device(s);
    add_layers(r, d.found.missing);
    if (!d.usable()) {
        r.missing = missing_layer(d);
        return r;
    }
    kdevx_open_options options{};
    options.size = sizeof options;
    options.devx = KDEVX_DEVX_TRY;
    context c = open_context(s, d, options);
    add_context(r, c.get(), d);
    add_methods(r, c.get(), o.attributes);
    return r;
}

json to_json(const report &r) {
    json findings = json::array();
    for (const finding &f : r.findings)
        findings.push_back(
            {{"what", f.what}, {"name", f.name}, {"here", text_of(f.here)}, {"note", f.note}});
    json j{{"devx", !r.missing}, {"findings", findings}};
    if (r.missing) j["error"] = r.missing->to_json()["error"];
    return j;
}

void run_probe(session &s, const probe_options &o) {
    report r = look(s, o);
    s.show(to_json(r), [&](std::ostream &out) {
        table t({"WHAT", "NAME", "HERE", "NOTE"});
        for (const finding &f : r.findings)
            t.add({f.what, f.name, text_of(f.here), f.note});
        t.print(out);
    });
    if (!r.missing) return;
    r.missing->shown = true;
    throw *r.missing;
}

constexpr const char *probe_help =
    "One line each: LAYER (from the PCI function up to the DEVX uid), RIGHT (what the uid was "
    "granted), METHOD and\nATTR of the kernel's ABI. HERE is yes, no, or unknown. Nothing is "
    "created: a request is sent without an\nattribute that it must have, and how the kernel "
    "refuses it tells whether it knows the method.\nThe report comes also when DEVX is "
    "missing; the exit status is then 3, 4 or 5 and the error names the layer.\n\n"
    "Examples:\n"
    "  kdevx probe\n"
    "  kdevx probe | awk '$1 == \"METHOD\" && $3 == \"no\"'\n"
    "  kdevx probe --attributes --json > this-kernel.json";

struct probe_cmd final : command {
    probe_options o;

    probe_cmd() : command("probe", "what kernel and firmware offer; what is missing", probe_help) {}
    void declare(grammar &g) override {
        g.flag("-a,--attributes", o.attributes,
               "a line for every attribute, not only for those younger than their method");
    }
    void run(session &s) override { run_probe(s, o); }
};

} // namespace

std::unique_ptr<command> probe_command() {
    return std::make_unique<probe_cmd>();
}

} // namespace kdevx::tool
