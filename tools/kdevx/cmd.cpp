// SPDX-License-Identifier: MIT
// kdevx cmd: one general command, by PRM names or as bytes, and its outbox decoded.
#include "command.hpp"
#include "devices.hpp"
#include "inbox.hpp"
#include "mailbox.hpp"
#include "numbers.hpp"
#include "similar.hpp"

#include "decode/command.hpp"
#include "decode/json.hpp"
#include "decode/text.hpp"
#include "kdevx/prm/commands.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

constexpr std::size_t smallest_mailbox = 16, largest_mailbox = 65535;

struct cmd_options {
    std::string opcode;
    std::vector<std::string> fields;
    std::string hex;
    std::size_t out_size = 0; // 0: as the table of the opcode says
    bool all = false;
    bool dry_run = false;
};

struct request {
    const prm::command *prm = nullptr; // null: an opcode that the tables do not have
    std::vector<std::byte> in;
    std::vector<std::byte> out;
};

const prm::command &find_command(const std::string &name) {
    if (auto number = parse_number(name)) {
        const prm::command *c =
            *number <= 0xffff ? prm::find_command(std::uint16_t(*number), prm::general) : nullptr;
        if (!c && *number <= 0xffff) c = prm::find_command(std::uint16_t(*number));
        if (c) return *c;
        throw usage(fmt::format("the tables have no opcode {}", name),
                    "send the whole inbox as bytes: kdevx cmd --hex ... --out-size N");
    }
    std::vector<std::string_view> names;
    for (const prm::command &c : prm::commands) {
        if (c.name == name) return c;
        names.push_back(c.name);
    }
    throw usage("there is no command " + name, did_you_mean(name, names));
}

// `cmd` sends general commands only: objects live as long as the handle of the one who made them.
void refuse_objects(const prm::command &c) {
    if (!c.devx)
        throw usage(fmt::format("{} is the kernel driver's own: DEVX does not send it", c.name));
    if (c.cls != prm::general)
        throw usage(fmt::format("{} works on an object, and kdevx cmd holds none", c.name),
                    "objects belong to the process that creates them: use the library, or see "
                    "kdevx demo");
}

request from_fields(const cmd_options &o) {
    const prm::command &c = find_command(o.opcode);
    refuse_objects(c);
    inbox in(*c.in);
    in.assign("opcode", fmt::format("{:#x}", c.opcode));
    for (const std::string &f : o.fields)
        in.assign(f);
    return {&c, in.bytes(), std::vector<std::byte>(c.out->size)};
}

request from_hex(const cmd_options &o) {
    if (!o.opcode.empty()) throw usage("give either an opcode with fields or --hex, not both");
    auto in = parse_hex(o.hex);
    if (!in) throw usage("--hex: pairs of hexadecimal digits are expected");
    if (in->size() < smallest_mailbox || in->size() > largest_mailbox)
        throw usage(fmt::format("--hex: an inbox has {} to {} bytes, this has {}", smallest_mailbox,
                                largest_mailbox, in->size()));
    std::uint16_t opcode = prm::load_be<std::uint16_t>(in->data());
    const prm::command *c = prm::find_command(opcode, prm::general);
    if (!c && !o.out_size)
        throw usage(fmt::format("the tables have no general command {:#x}", opcode),
                    "say how long its outbox is: --out-size N");
    return {c, *in, std::vector<std::byte>(c ? c->out->size : smallest_mailbox)};
}

request compose(const cmd_options &o) {
    if (o.opcode.empty() && o.hex.empty()) throw usage("give an opcode, or --hex");
    request r = o.hex.empty() ? from_fields(o) : from_hex(o);
    if (o.out_size) r.out.resize(o.out_size);
    r.out.resize(std::max(r.out.size(), smallest_mailbox));
    return r;
}

std::string name_of(const request &r) {
    if (r.prm) return std::string(r.prm->name);
    return fmt::format("opcode {:#x}", prm::load_be<std::uint16_t>(r.in.data()));
}

json to_json(const request &r) {
    json j{{"command", name_of(r)}, {"in_hex", to_hex(r.in)}};
    j["out"] = decode::to_json(decode::decode_outbox(r.in, r.out));
    j["out_hex"] = to_hex(r.out);
    return j;
}

void print(const request &r, bool all, std::ostream &out) {
    decode::item tree = decode::decode_outbox(r.in, r.out);
    out << decode::to_text(tree, all ? decode::zeros::show : decode::zeros::hide);
}

void send(const session &s, request &r) {
    // Four queries need no DEVX uid. Whether this one does, the kernel says better than we could.
    context c = open_context(s, KDEVX_DEVX_TRY);
    kdevx_failure why{};
    if (general_command(c.get(), r.in, r.out, why)) return;
    trouble t(name_of(r), why);
    if (why.outbox_valid) t.facts["out_hex"] = to_hex(r.out);
    throw t;
}

void run_cmd(session &s, const cmd_options &o) {
    request r = compose(o);
    if (o.dry_run) {
        json j{{"command", name_of(r)}, {"in_hex", to_hex(r.in)}, {"out_size", r.out.size()}};
        s.show(j, [&](std::ostream &out) { out << hex_dump(r.in); });
        return;
    }
    send(s, r);
    s.show(to_json(r), [&](std::ostream &out) { print(r, o.all, out); });
}

constexpr const char *cmd_help =
    "Paths go into nested layouts with dots and into arrays with [n]: qpc.log_rq_size, pas[2]. "
    "A value that does\nnot fit its field, and a field that does not exist, are refused by "
    "name "
    "before anything is sent.\nOnly general commands: opcodes 0xb00 to 0xcff and the queries "
    "that "
    "the kernel lets through.\nA refusal of the firmware ends with status 6 and prints status "
    "and "
    "syndrome (see kdevx explain).\n\n"
    "Examples:\n"
    "  kdevx cmd QUERY_HCA_CAP op_mod=1\n"
    "  kdevx cmd QUERY_ADAPTER --json | jq .out\n"
    "  kdevx cmd QUERY_NIC_VPORT_CONTEXT allowed_list_type=0 --dry-run\n"
    "  kdevx cmd --hex '0100 0000 0000 0001 0000 0000 0000 0000'";

struct cmd_cmd final : command {
    cmd_options o;

    cmd_cmd() : command("cmd", "send one firmware command, decode its outbox", cmd_help) {}
    void declare(grammar &g) override {
        g.word("OPCODE", o.opcode, "QUERY_HCA_CAP, or its number");
        g.words("FIELDS", o.fields, "fields of the inbox by PRM name; the rest is zero",
                "FIELD=VALUE ...");
        g.word("-x,--hex", o.hex, "the whole inbox as hexadecimal bytes instead");
        g.number("--out-size", o.out_size, {smallest_mailbox, largest_mailbox},
                 "bytes of outbox (default: as the PRM has it)");
        g.flag("-a,--all", o.all, "print fields that are zero too");
        g.flag("-n,--dry-run", o.dry_run, "print the inbox, send nothing, open nothing");
    }
    void run(session &s) override { run_cmd(s, o); }
};

} // namespace

std::unique_ptr<command> cmd_command() {
    return std::make_unique<cmd_cmd>();
}

} // namespace kdevx::tool
