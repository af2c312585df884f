// SPDX-License-Identifier: MIT
// kdevx explain: what a firmware status and a syndrome mean, as far as anybody has said so.
#include "command.hpp"
#include "numbers.hpp"
#include "similar.hpp"
#include "decode/explain.hpp"

#include "kdevx/prm/status.hpp"

#include <filesystem>

#include <fmt/format.h>

namespace kdevx::tool {
namespace {

struct explain_options {
    std::string status, syndrome, command;
    std::vector<std::string> files;
};

// What the kernel makes of a status where there is no outbox to hand over (destroy, umem, UAR).
const char *errno_without_outbox(std::uint32_t status) {
    switch (status) {
    case prm::status<"OK">:
        return "0";
    case prm::status<"BAD_OP_ERR">:
    case prm::status<"BAD_PARAM_ERR">:
    case prm::status<"BAD_RES_ERR">:
    case prm::status<"BAD_RES_STATE_ERR">:
    case prm::status<"IX_ERR">:
    case prm::status<"BAD_QP_STATE_ERR">:
    case prm::status<"BAD_PKT_ERR">:
    case prm::status<"BAD_SIZE_OUTS_CQES_ERR">:
        return "EINVAL";
    case prm::status<"RES_BUSY">:
        return "EBUSY";
    case prm::status<"NOT_READY">:
    case prm::status<"NO_RES_ERR">:
        return "EAGAIN";
    case prm::status<"LIM_ERR">:
        return "ENOMEM";
    default:
        return "EIO";
    }
}

std::uint32_t parse_status(const std::string &text) {
    if (auto number = parse_number(text)) {
        if (*number <= 0xff) return std::uint32_t(*number);
        throw usage(text + ": a status has 8 bits", "is it the syndrome? That comes second");
    }
    std::vector<std::string_view> names;
    for (const prm::value &v : prm::statuses.rows) {
        if (v.name == text || v.name == text + "_ERR") return v.number;
        names.push_back(v.name.ends_with("_ERR") ? v.name.substr(0, v.name.size() - 4) : v.name);
    }
    throw usage("there is no status " + text, did_you_mean(text, names));
}

std::uint32_t parse_syndrome(const std::string &text) {
    auto number = parse_number(text);
    if (number && *number <= 0xffffffff) return std::uint32_t(*number);
    throw usage(text + ": a syndrome is a number of 32 bits");
}

decode::syndrome_list all_syndromes(const session &s, const explain_options &o) {
    decode::syndrome_list all = decode::syndrome_list::shipped();
    std::vector<std::string> files;
    for (const std::string &f : s.syndrome_files)
        if (std::filesystem::exists(f)) files.push_back(f);
    files.insert(files.end(), o.files.begin(), o.files.end());
    for (const std::string &f : files)
        if (std::string wrong = all.add_file(f); !wrong.empty()) throw usage(wrong);
    return all;
}

json status_to_json(std::uint32_t status) {
    const prm::value *v = prm::statuses.find(status);
    json j{{"number", status}, {"known", v != nullptr}};
    if (!v) return j;
    j["name"] = v->name;
    j["text"] = v->text;
    j["errno_without_outbox"] = errno_without_outbox(status);
    return j;
}

json syndrome_to_json(std::uint32_t number, const decode::syndrome *s) {
    json j{{"number", fmt::format("{:#010x}", number)}, {"known", s != nullptr}};
    if (!s) return j;
    j["command"] = s->command;
    j["meaning"] = s->meaning;
    j["source"] = s->source;
    return j;
}

void print(std::uint32_t status, std::uint32_t number, const explain_options &o,
           const decode::syndrome_list &known, std::ostream &out) {
    std::string text = decode::explain(status, number, o.command, known);
    // Who gave no syndrome wants to hear about the status only.
    out << (o.syndrome.empty() ? text.substr(0, text.find('\n') + 1) : text);
    if (status != prm::status<"OK"> && prm::statuses.find(status))
        out << fmt::format("as an errno: EREMOTEIO where the call has an outbox; {} where it has "
                           "none (destroy, umem, UAR)\n",
                           errno_without_outbox(status));
}

void run_explain(session &s, const explain_options &o) {
    std::uint32_t status = parse_status(o.status);
    std::uint32_t number = o.syndrome.empty() ? 0 : parse_syndrome(o.syndrome);
    decode::syndrome_list known = all_syndromes(s, o);
    json j{{"status", status_to_json(status)}};
    if (!o.syndrome.empty())
        j["syndrome"] = syndrome_to_json(number, known.find(number, o.command));
    s.show(j, [&](std::ostream &out) { print(status, number, o, known, out); });
}

constexpr const char *explain_help =
    "Known are the syndromes of kdevx-hca and those that somebody explained in public; "
    "each with its source,\nnone is made up. Lines of /etc/kdevx/syndromes and of "
    "~/.config/kdevx/syndromes are read too, if there.\n\n"
    "Examples:\n"
    "  kdevx explain 3 0x317175\n"
    "  kdevx explain BAD_RES_STATE\n"
    "  kdevx explain 5 0xde0102 --json";

struct explain_cmd final : command {
    explain_options o;

    explain_cmd() : command("explain", "what a firmware status and syndrome mean", explain_help) {}
    void declare(grammar &g) override {
        g.word("STATUS", o.status, "number or PRM name of the status", true);
        g.word("SYNDROME", o.syndrome, "number of the syndrome");
        g.word("-c,--command", o.command,
               "the command that was refused: a syndrome can mean one thing for each");
        g.words("-f,--file", o.files, "more syndromes: NUMBER | COMMAND or * | MEANING | SOURCE",
                "FILE");
    }
    void run(session &s) override { run_explain(s, o); }
};

} // namespace

std::unique_ptr<command> explain_command() {
    return std::make_unique<explain_cmd>();
}

} // namespace kdevx::tool
