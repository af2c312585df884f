// SPDX-License-Identifier: MIT
// Faults on demand, from the guest and from the host.
#include "harness.hpp"

#include "../unit/catch.hpp"
#include "firmware/syndromes.hpp"
#include "inject.hpp"
#include "inject/control.hpp"

#include <sys/socket.h>

using namespace hca_test;
using firmware::syndrome;

namespace {

prm::mailbox<inject_in> injection(std::uint16_t opcode) {
    prm::mailbox<inject_in> in;
    in.set<"opcode">(opcode).set<"magic", inject_magic>();
    return in;
}

std::uint32_t pd(driver &d) {
    return d.simple("ALLOC_PD", 0);
}

// A control that nobody is connected to.
struct host {
    inject::control control;
    explicit host(driver &d)
        : control(d.device.faults(), d.events,
                  unique_fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))) {}
    std::string operator()(const std::string &line) { return control.request(line); }
};

} // namespace

TEST_CASE("injection: only with inject=1, only with the magic") {
    driver plain;
    plain.bring_up();
    CHECK(result(plain.execute(injection(INJECT_FORGET))) == refused(syndrome::unknown_opcode));
    driver d("inject=1");
    d.bring_up();
    CHECK(result(d.execute(injection(INJECT_FORGET))) == 0);
    auto wrong = injection(INJECT_FORGET);
    wrong.set<"magic", 1>();
    CHECK(result(d.execute(wrong)) == refused(syndrome::bad_magic));
    CHECK(d.simple("QUERY_ADAPTER", 0) == refused(syndrome::outbox_too_short));
}

TEST_CASE("injection: kdevx-hca is known by its PSID") {
    driver d;
    d.bring_up();
    prm::mailbox<prm::query_adapter_in> in;
    in.set<"opcode", prm::op<"QUERY_ADAPTER">>();
    answer a = d.execute(in, prm::query_adapter_out.size);
    const auto name = std::as_bytes(std::span(psid));
    auto there = prm::view<prm::query_adapter_out>(a.out)
                     .bytes<"query_adapter_struct.vsd_contd_psid">()
                     .first(name.size());
    CHECK(std::ranges::equal(name, there));
}

TEST_CASE("injection: the second and third ALLOC_PD fail, the fourth does not") {
    driver d("inject=1");
    d.bring_up();
    auto in = injection(INJECT_FAIL);
    in.set<"target", prm::op<"ALLOC_PD">>()
        .set<"nth", 2>()
        .set<"count", 2>()
        .set<"status", 3>()
        .set<"value", 0x45d3a4>();
    CHECK(result(d.execute(in)) == 0);
    CHECK(pd(d) == 0);
    CHECK(pd(d) == 0x0345d3a4);
    CHECK(d.simple("NOP", 0) == 0);
    CHECK(pd(d) == 0x0345d3a4);
    CHECK(pd(d) == 0);
    CHECK(d.device.firmware().objects.size() == 2);
    in.set<"status", 0>(); // a refusal with no status is none
    CHECK(result(d.execute(in)) == refused(syndrome::bad_parameter));
}

TEST_CASE("injection: a delayed command is done at once and answered late, out of order") {
    driver d("inject=1");
    d.bring_up();
    auto in = injection(INJECT_DELAY);
    in.set<"target", prm::op<"ALLOC_PD">>().set<"delay_ms", 20>();
    CHECK(result(d.execute(in)) == 0);
    bytes alloc(16);
    prm::editor<prm::alloc_pd_in>(alloc).set<"opcode", prm::op<"ALLOC_PD">>();
    auto late = d.prepare(alloc, 16, 5);
    const auto started = loop::clock::now();
    d.start(5);
    CHECK_FALSE(d.is_done(5));
    CHECK(d.device.firmware().objects.size() == 1);
    CHECK(d.simple("NOP", 0) == 0); // another slot is served meanwhile
    d.start(5);                     // a doorbell of a slot under way changes nothing
    CHECK_FALSE(d.is_done(5));
    while (!d.is_done(5))
        d.events.run_once(std::chrono::milliseconds(100));
    CHECK(loop::clock::now() - started >= std::chrono::milliseconds(20));
    CHECK(d.finish(late).status() == 0);
    CHECK(d.device.firmware().objects.size() == 1);
}

TEST_CASE("injection: a command that is never answered, until it is ended") {
    driver d("inject=1");
    d.bring_up();
    auto in = injection(INJECT_HANG);
    in.set<"target", prm::op<"NOP">>();
    CHECK(result(d.execute(in)) == 0);
    bytes nop(16);
    prm::editor<prm::nop_in>(nop).set<"opcode", prm::op<"NOP">>();
    d.prepare(nop, 16, 7);
    d.start(7);
    CHECK_FALSE(d.is_done(7));
    CHECK(result(d.execute(in)) == 0);
    d.prepare(nop, 16, 9);
    d.start(9);
    CHECK(result(d.execute(injection(INJECT_FORGET))) == 0);
    CHECK(d.is_done(7));
    CHECK(d.is_done(9));
    CHECK(d.simple("NOP", 0) == 0);
}

TEST_CASE("injection: a reset forgets a command that is never answered") {
    driver d("inject=1");
    d.bring_up();
    auto in = injection(INJECT_HANG);
    in.set<"target", prm::op<"NOP">>();
    CHECK(result(d.execute(in)) == 0);
    bytes nop(16);
    prm::editor<prm::nop_in>(nop).set<"opcode", prm::op<"NOP">>();
    d.prepare(nop, 16, 7);
    d.start(7);
    CHECK(d.ask(wire::DEVICE_RESET, {}).error == 0);
    CHECK_FALSE(d.is_done(7));
}

TEST_CASE("injection: an answer that comes after a reset does not come") {
    driver d("inject=1");
    d.bring_up();
    auto in = injection(INJECT_DELAY);
    in.set<"target", prm::op<"NOP">>().set<"delay_ms", 5>();
    CHECK(result(d.execute(in)) == 0);
    bytes nop(16);
    prm::editor<prm::nop_in>(nop).set<"opcode", prm::op<"NOP">>();
    d.prepare(nop, 16, 7);
    d.start(7);
    CHECK(d.ask(wire::DEVICE_RESET, {}).error == 0);
    bool passed = false;
    d.events.after(std::chrono::milliseconds(10), [&] { passed = true; });
    while (!passed)
        d.events.run_once(std::chrono::milliseconds(100));
    CHECK_FALSE(d.is_done(7));
}

TEST_CASE("injection: pulled out, the device reads as ones and answers nothing") {
    driver d("inject=1");
    d.bring_up();
    bytes unplug(inject_in.size);
    prm::editor<inject_in>(unplug).set<"opcode", INJECT_UNPLUG>().set<"magic", inject_magic>();
    d.prepare(unplug, 16, 1);
    d.start(1);
    CHECK_FALSE(d.is_done(1));
    CHECK(d.bar32(0) == 0xffffffff);
    CHECK(d.read(7, 0, 2) == bytes(2, std::byte(0xff)));
    d.bar32(0x18, ~0u);
    CHECK(d.alive());
    CHECK(d.ask(wire::DEVICE_GET_INFO, bytes(16)).error == 0); // the client is still served
}

TEST_CASE("injection: a word of the init segment, a link that goes down, a loop that ends") {
    driver d("inject=1");
    d.bring_up();
    auto word = injection(INJECT_INIT_SEGMENT);
    bytes value(4);
    prm::store_be<std::uint32_t>(value.data(), 0xdeadbeef);
    word.set<"value", 0x1010>().set_bytes<"data">(value);
    CHECK(result(d.execute(word)) == 0);
    CHECK(d.bar32(0x1010) == 0xdeadbeef);
    word.set<"value", 0x1011>();
    CHECK(result(d.execute(word)) == refused(syndrome::bad_parameter));
    auto link = injection(INJECT_LINK);
    link.set<"number", 2>();
    CHECK(result(d.execute(link)) == refused(syndrome::bad_parameter)); // there is one port
    CHECK(result(d.execute(injection(INJECT_CLOSE))) == 0);
    CHECK(d.events.stopped());
}

TEST_CASE("control: requests of the host") {
    driver d;
    d.bring_up();
    host h(d);
    CHECK(h("fail ALLOC_PD nth=1 status=3 syndrome=0x77") == "ok");
    CHECK(pd(d) == 0x03000077);
    CHECK(pd(d) == 0);
    CHECK(h("hang 0x800 count=100") == "ok");
    CHECK(h("forget") == "ok");
    CHECK(pd(d) == 0);
    CHECK(h("iseg offset=0x1010 value=9") == "ok");
    CHECK(d.bar32(0x1010) == 9);
    CHECK(h("drop cqn=5").find("no CQ 0x5") != std::string::npos);
    CHECK(h("event PORT_CHANGE subtype=4 data=00").find("no event queue") != std::string::npos);
    CHECK(h("link up port=1").find("no event queue") != std::string::npos);
    CHECK(h("unplug") == "ok");
    CHECK(d.bar32(0) == 0xffffffff);
}

TEST_CASE("control: what is not understood is named") {
    driver d;
    host h(d);
    CHECK(h("").find("error: no request") == 0);
    CHECK(h("dance").find("there are fail, delay") != std::string::npos);
    CHECK(h("fail").find("which opcode") != std::string::npos);
    CHECK(h("fail NO_SUCH").find("which opcode is NO_SUCH?") != std::string::npos);
    CHECK(h("fail NOP status=x").find("status= takes a number") != std::string::npos);
    CHECK(h("fail NOP status=0").find("no such rule") != std::string::npos);
    CHECK(h("fail NOP colour=3").find("takes no colour") != std::string::npos);
    CHECK(h("event CQ_ERROR data=0").find("pairs") != std::string::npos);
    CHECK(h("event CQ_ERROR data=zz").find("pairs") != std::string::npos);
    CHECK(h("event 999").find("which event") != std::string::npos);
    CHECK(h("link sideways").find("up or down") != std::string::npos);
    for (std::size_t i = 0; i < inject::max_rules; ++i)
        REQUIRE(h("fail NOP") == "ok");
    CHECK(h("fail NOP").find("error") == 0);
}
