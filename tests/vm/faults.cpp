// SPDX-License-Identifier: MIT
#include "faults.hpp"

#include "inject.hpp"

namespace kdevx::vm {

void must_be_kdevx_hca(kdevx_context *c) {
    exchange x("QUERY_ADAPTER");
    REQUIRE(general(c, x) == ok);
    const prm::view<prm::query_adapter_out> answer(x.out.bytes());
    const auto psid = answer.bytes<"query_adapter_struct.vsd_contd_psid">();
    const std::string_view text(reinterpret_cast<const char *>(psid.data()), psid.size());
    REQUIRE(text.substr(0, hca::psid.size()) == hca::psid);
}

faults::~faults() {
    // Where the device is gone, so are the rules.
    prm::mailbox<hca::inject_in> in;
    std::byte out[16];
    in.set<"opcode">(hca::INJECT_FORGET).set<"magic">(hca::inject_magic);
    const outcome got =
        call(kdevx_general_cmd, context_.get(), static_cast<const void *>(in.bytes().data()),
             in.bytes().size(), static_cast<void *>(out), sizeof out);
    CHECK((got == ok || got.why.cause == KDEVX_CAUSE_DEVICE_GONE ||
           got.why.cause == KDEVX_CAUSE_COMMAND_NOT_EXECUTED));
}

box faults::send(unsigned opcode,
                 const std::vector<std::pair<const char *, std::uint64_t>> &fields) {
    box in(hca::inject_in), out(hca::inject_out);
    in.set("opcode", opcode);
    in.set("magic", hca::inject_magic);
    for (const auto &[path, value] : fields)
        in.set(path, value);
    REQUIRE(call(kdevx_general_cmd, context_.get(), static_cast<const void *>(in.data()), in.size(),
                 static_cast<void *>(out.data()), out.size()) == ok);
    return out;
}

void faults::rule(unsigned opcode, std::string_view command, unsigned count,
                  const std::vector<std::pair<const char *, std::uint64_t>> &fields) {
    auto all = fields;
    all.emplace_back("target", vm::opcode(command));
    all.emplace_back("count", count);
    send(opcode, all);
}

void faults::delay(std::string_view command, std::chrono::milliseconds by, unsigned count) {
    rule(hca::INJECT_DELAY, command, count, {{"delay_ms", std::uint64_t(by.count())}});
}

void faults::hang(std::string_view command, unsigned count) {
    rule(hca::INJECT_HANG, command, count);
}

void faults::fail(std::string_view command, std::uint8_t status, std::uint32_t syndrome,
                  unsigned count) {
    rule(hca::INJECT_FAIL, command, count, {{"status", status}, {"value", syndrome}});
}

void faults::unplug() {
    send(hca::INJECT_UNPLUG, {{"delay_ms", 50}});
}

void faults::drop_completions(std::uint64_t cqn, unsigned count) {
    send(hca::INJECT_DROP_COMPLETION, {{"value", cqn}, {"count", count}});
}

std::uint64_t faults::count_objects() {
    return send(hca::INJECT_COUNT, {}).get("value");
}

} // namespace kdevx::vm
