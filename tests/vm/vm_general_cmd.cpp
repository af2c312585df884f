// SPDX-License-Identifier: MIT
// Commands that make no object: what the kernel lets through, what the firmware says, and which
// numbers come back when it says no.
#include "bench.hpp"

#include "kdevx/prm/caps_general.hpp"

#include <sys/mman.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

outcome send(kdevx_context *c, unsigned opcode, std::vector<std::byte> &out) {
    std::vector<std::byte> in(64);
    in[0] = std::byte(opcode >> 8);
    in[1] = std::byte(opcode);
    return call(kdevx_general_cmd, c, static_cast<const void *>(in.data()), in.size(),
                static_cast<void *>(out.data()), out.size());
}

} // namespace

TEST_CASE("QUERY_HCA_CAP answers with the device's page", "[general]") {
    context_ptr c = open_context();
    exchange current("QUERY_HCA_CAP"), maximum("QUERY_HCA_CAP");
    REQUIRE(general(c.get(), current.set("op_mod", 1)) == ok);
    REQUIRE(general(c.get(), maximum.set("op_mod", 0)) == ok);
    CHECK(current.get("status") == 0);
    CHECK(current.get("syndrome") == 0);
    box page(prm::cmd_hca_cap), most(prm::cmd_hca_cap);
    std::memcpy(page.data(), current.out.data() + 0x10, page.size());
    std::memcpy(most.data(), maximum.out.data() + 0x10, most.size());
    CHECK(page.get("log_max_uctx") > 0);
    CHECK(page.get("num_ports") == 1);
    CHECK(page.get("log_max_qp") > 10);
    CHECK(page.get("event_cap") == 1);
    // The driver's SET_HCA_CAP can take, not add.
    for (const char *field : {"log_max_qp", "log_max_cq", "log_max_mkey", "log_max_pd"})
        CHECK(page.get(field) <= most.get(field));
}

TEST_CASE("a page that is not there is refused with status and syndrome", "[general]") {
    context_ptr c = open_context();
    exchange x("QUERY_HCA_CAP");
    CHECK(general(c.get(), x.set("op_mod", 0x7e << 1 | 1)) ==
          refused(because::no_such_capability_page));
    CHECK(x.get("status") == prm::status<"BAD_PARAM_ERR">);
    CHECK(x.get("syndrome") == because::no_such_capability_page.syndrome);
}

TEST_CASE("an opcode that the firmware does not know", "[general]") {
    context_ptr c = open_context();
    std::vector<std::byte> out(16, std::byte(0x5a));
    const outcome got = send(c.get(), 0xb7f, out);
    CHECK(got == refused(because::unknown_opcode));
    CHECK(got.why.detail[0] == 0xb7f);
    CHECK(out[0] == std::byte(prm::status<"BAD_OP_ERR">));
}

TEST_CASE("the kernel's list of general commands is ours", "[general]") {
    context_ptr c = open_context();
    unsigned passed = 0;
    for (unsigned opcode = 0; opcode < 0x10000; opcode += opcode < 0x1000 ? 1 : 0x3f1) {
        // Faults are injected by these; without the magic they are refused like any other.
        std::vector<std::byte> out(0x1010, std::byte(0x5a));
        const outcome got = send(c.get(), opcode, out);
        const bool sent = !(got == failed(EINVAL, KDEVX_CAUSE_INVALID));
        if (sent != prm::devx_accepts(std::uint16_t(opcode), prm::general)) {
            CAPTURE(opcode, got);
            CHECK(sent == prm::devx_accepts(std::uint16_t(opcode), prm::general));
        }
        if (!sent) continue;
        ++passed;
        if (got.err) {
            CAPTURE(opcode, got);
            CHECK(got.err == EREMOTEIO);
            CHECK(got.why.fw_syndrome != 0);
        }
    }
    CHECK(passed >= 0x200);
}

TEST_CASE("the kernel's list of create commands is ours", "[general][objects]") {
    bench b;
    unsigned passed = 0;
    for (unsigned opcode = 0; opcode < 0x1000; ++opcode) {
        std::vector<std::byte> in(0x200), out(0x40, std::byte(0x5a));
        in[0] = std::byte(opcode >> 8);
        in[1] = std::byte(opcode);
        // CREATE_PSV of one, and an EQ for CREATE_CQ, without which the kernel refuses these two.
        if (opcode == vm::opcode("CREATE_PSV")) in[8] = std::byte(0x10);
        if (opcode == vm::opcode("CREATE_CQ")) in[0x27] = std::byte(b[resource::eqn]);
        kdevx_object *made = nullptr;
        const outcome got =
            call(kdevx_object_create, b.context(), static_cast<const void *>(in.data()), in.size(),
                 static_cast<void *>(out.data()), out.size(), &made);
        object_ptr owner(made);
        const bool sent = !(got == failed(EINVAL, KDEVX_CAUSE_INVALID));
        passed += sent;
        CAPTURE(opcode, got);
        if (sent != prm::devx_accepts(std::uint16_t(opcode), prm::create))
            CHECK(sent == prm::devx_accepts(std::uint16_t(opcode), prm::create));
        if (sent && got.err) CHECK(got.err == EREMOTEIO);
    }
    CHECK(passed == 29);
}

TEST_CASE("lengths and pointers that the library refuses by itself", "[general]") {
    context_ptr c = open_context();
    std::vector<std::byte> in(0x10000), out(0x10000);
    in[0] = std::byte(0x01); // QUERY_ISSI
    in[1] = std::byte(0x0a);
    const auto with = [&](const void *i, std::size_t in_size, void *o, std::size_t out_size) {
        return call(kdevx_general_cmd, c.get(), i, in_size, o, out_size);
    };
    const expectation too_long = failed(E2BIG, KDEVX_CAUSE_LIMIT);
    void *const i = in.data(), *const o = out.data();
    CHECK(with(nullptr, 16, o, 112) == invalid);
    CHECK(with(i, 16, nullptr, 112) == invalid);
    for (std::size_t n : {0, 1, 15}) {
        CHECK(with(i, n, o, 112) == invalid);
        CHECK(with(i, 16, o, n) == invalid);
    }
    CHECK(with(i, 16, o, 65536) == too_long);
    CHECK(with(i, 65536, o, 112) == too_long);
    // The longest that the attribute can say reaches the firmware.
    CHECK(with(i, 16, o, 65535) == ok);
    CHECK(with(i, 65535, o, 112).err != E2BIG);
}

TEST_CASE("memory that is not there", "[general]") {
    context_ptr c = open_context();
    exchange x("QUERY_ISSI");
    pages last(8192);
    REQUIRE(mprotect(last.data() + 4096, 4096, PROT_NONE) == 0);
    const auto *nowhere = reinterpret_cast<const void *>(std::uintptr_t(64));
    CHECK(call(kdevx_general_cmd, c.get(), nowhere, std::size_t(16),
               static_cast<void *>(x.out.data()), x.out.size()) ==
          failed(EFAULT, KDEVX_CAUSE_INVALID));
    // An inbox whose end is not there.
    CHECK(call(kdevx_general_cmd, c.get(),
               static_cast<const void *>(last.data() + 4096 - 8), std::size_t(16),
               static_cast<void *>(x.out.data()), x.out.size())
              .err == EFAULT);
}

TEST_CASE("a closed context", "[general]") {
    kdevx_context *const none = nullptr;
    exchange x("QUERY_ISSI");
    CHECK(general(none, x) == failed(EINVAL, KDEVX_CAUSE_INVALID));
}
