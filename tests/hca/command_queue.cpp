// SPDX-License-Identifier: MIT
// How commands come in and answers go out.
#include "harness.hpp"

#include "../unit/catch.hpp"
#include "firmware/syndromes.hpp"

using namespace hca_test;
using firmware::delivery;
using firmware::syndrome;

namespace {

bytes nop(std::size_t n = 16) {
    bytes b(n);
    prm::editor<prm::nop_in>(b).set<"opcode", prm::op<"NOP">>();
    return b;
}

delivery run(driver &d, driver::slot s) {
    d.start(s.n);
    REQUIRE(d.is_done(s.n));
    return d.finish(s).delivery;
}

} // namespace

TEST_CASE("init segment: what the driver looks for") {
    driver d;
    CHECK(d.bar32(0x04) >> 16 == 5);       // command interface revision
    CHECK((d.bar32(0x14) & 0xff) == 0x56); // 32 slots of 64 bytes
    CHECK(d.bar32(0x1fc) >> 31 == 0);      // not initializing
    CHECK(d.bar32(0xffc) == 0);            // no timeouts of its own
    const std::uint32_t low = d.bar32(0x1004);
    CHECK(d.bar32(0x1004) != low); // the clock goes
    // Narrow reads see the same big-endian bytes.
    CHECK(d.read(0, 0x05, 1) == bytes{std::byte(5)});
    driver timed("cmd_exec_to=7");
    CHECK(timed.bar32(0xff8) == (1u << 29 | 7));
    CHECK(timed.bar32(0xffc) != 0);
}

TEST_CASE("command queue: a command is answered, and its slot given back") {
    driver d;
    CHECK(result(d.execute(nop(), 16)) == 0);
    auto far = d.prepare(nop(), 16, 31);
    CHECK(run(d, far) == delivery::ok);
    // Two slots by one doorbell.
    auto a = d.prepare(nop(), 16, 3), b = d.prepare(nop(), 16, 4);
    d.bar32(0x18, 1u << 3 | 1u << 4);
    CHECK(d.is_done(3));
    CHECK(d.is_done(4));
    CHECK(d.finish(a).status() + d.finish(b).status() == 0);
}

TEST_CASE("command queue: what is wrong with an entry is its delivery status") {
    driver d;
    auto s = d.prepare(nop(600), 600);
    prm::editor<prm::cmd_queue_entry> e(d.memory.at(d.entry(0), 64));
    SECTION("type") {
        e.set<"type", 6>();
        CHECK(run(d, s) == delivery::descriptor);
    }
    SECTION("input too short") {
        e.set<"input_length", 7>();
        CHECK(run(d, s) == delivery::input_length);
    }
    SECTION("input too long") {
        e.set<"input_length">(firmware::max_command_length + 1);
        CHECK(run(d, s) == delivery::input_length);
    }
    SECTION("output too short") {
        e.set<"output_length", 7>();
        CHECK(run(d, s) == delivery::output_length);
    }
    SECTION("output too long") {
        e.set<"output_length", 0xffffffff>();
        CHECK(run(d, s) == delivery::output_length);
    }
    SECTION("mailbox not in guest memory") {
        e.set<"input_mailbox_pointer_63_32", 0x7fffffff>();
        CHECK(run(d, s) == delivery::firmware_error);
    }
    SECTION("output mailbox not in guest memory") {
        e.set<"output_mailbox_pointer_63_32", 0x7fffffff>();
        CHECK(run(d, s) == delivery::firmware_error);
    }
    SECTION("token of the second block") {
        prm::editor<prm::cmd_if_box>(d.memory.at(s.in_mailbox + 1024, 576)).set<"token">(0xff);
        CHECK(run(d, s) == delivery::token);
    }
    SECTION("block number") {
        prm::editor<prm::cmd_if_box>(d.memory.at(s.in_mailbox + 1024, 576))
            .set<"block_number", 7>();
        CHECK(run(d, s) == delivery::block_number);
    }
    // Whatever it was, the next command is served.
    CHECK(result(d.execute(nop(), 16)) == 0);
}

TEST_CASE("command queue: a chain that bites its tail ends with the length") {
    driver d;
    auto s = d.prepare(nop(16 + 512 * 3), 16);
    prm::editor<prm::cmd_if_box>(d.memory.at(s.in_mailbox, 576))
        .set<"next_pointer_31_10">(s.in_mailbox >> 10);
    CHECK(run(d, s) == delivery::block_number);
    // Written chains have no numbers to tell: the same block is written again, and that is all.
    auto out = d.prepare(nop(), 16 + 512 * 3);
    prm::editor<prm::cmd_if_box>(d.memory.at(out.out_mailbox, 576))
        .set<"next_pointer_31_10">(out.out_mailbox >> 10);
    CHECK(run(d, out) == delivery::ok);
}

TEST_CASE("command queue: doorbells of entries that are the driver's do nothing") {
    driver d;
    auto s = d.prepare(nop(), 16);
    d.memory.at(d.entry(0), 64)[63] = std::byte(0);
    d.memory.at(d.entry(0), 64)[0x20] = std::byte(0x5a);
    d.start(0);
    CHECK(d.memory.at(d.entry(0), 64)[0x20] == std::byte(0x5a));
    d.bar32(0x10, 0x7fffffff); // a queue in no memory
    d.start(0);
    d.bar32(0x18, ~0u);
    CHECK(d.alive());
    (void)s;
}

TEST_CASE("commands: lengths are checked against the layout") {
    driver d;
    d.bring_up();
    bytes query(16);
    prm::editor<prm::query_hca_cap_in>(query).set<"opcode", prm::op<"QUERY_HCA_CAP">>();
    CHECK(result(d.execute(query, 0x1010)) == 0);
    CHECK(result(d.execute(query, 0x1000)) == refused(syndrome::outbox_too_short));
    query.resize(8);
    CHECK(result(d.execute(query, 0x1010)) == refused(syndrome::inbox_too_short));
}

TEST_CASE("commands: what comes too early, and what nobody knows") {
    driver d;
    CHECK(d.simple("ALLOC_PD", 0) == refused(syndrome::not_initialized));
    CHECK(d.simple("QUERY_PAGES", 0) == refused(syndrome::not_enabled));
    d.bring_up();
    bytes unknown(64);
    prm::store_be<std::uint16_t>(unknown.data(), 0xb7f);
    CHECK(result(d.execute(unknown, 16)) == refused(syndrome::unknown_opcode));
    CHECK(d.simple("ALLOC_PD", 0, 99) == refused(syndrome::unknown_uid));
    const auto uid = std::uint16_t(d.uctx());
    CHECK(d.simple("DISABLE_HCA", 0, uid) == refused(syndrome::privileged));
    CHECK(d.simple("DISABLE_HCA", 0) == refused(syndrome::already_initialized));
}

TEST_CASE("commands: pages are given and taken back") {
    driver d;
    d.bring_up();
    bytes give(prm::manage_pages_in.size + 3 * 8);
    prm::editor<prm::manage_pages_in>(give)
        .set<"opcode", prm::op<"MANAGE_PAGES">>()
        .set<"op_mod", 1>()
        .set<"input_num_entries", 3>()
        .set_at<"pas">(0, 0x1000)
        .set_at<"pas">(1, 0x2000)
        .set_at<"pas">(2, 0x3000);
    CHECK(result(d.execute(give, 16)) == 0);
    bytes more = give;
    prm::editor<prm::manage_pages_in>(more).set<"input_num_entries", 4>();
    CHECK(result(d.execute(more, 16)) == refused(syndrome::list_too_short));
    prm::editor<prm::manage_pages_in>(more).set<"input_num_entries", 0xffffffff>();
    CHECK(result(d.execute(more, 16)) == refused(syndrome::list_too_short));
    bytes crooked = give;
    prm::editor<prm::manage_pages_in>(crooked).set_at<"pas">(1, 0x2001);
    CHECK(result(d.execute(crooked, 16)) == refused(syndrome::page_not_aligned));
    bytes take(16);
    prm::editor<prm::manage_pages_in>(take)
        .set<"opcode", prm::op<"MANAGE_PAGES">>()
        .set<"op_mod", 2>()
        .set<"input_num_entries", 100>();
    answer a = d.execute(take, 16 + 2 * 8); // there is room for two
    CHECK(a.get<prm::manage_pages_out, "output_num_entries">() == 2);
    CHECK(prm::load_be<std::uint64_t>(a.out.data() + 16) == 0x3000);
    a = d.execute(take, 16 + 10 * 8);
    CHECK(a.get<prm::manage_pages_out, "output_num_entries">() == 1);
}

TEST_CASE("commands: capabilities can be lowered, before INIT_HCA, and not raised") {
    driver d("cap.log_max_qp=9");
    REQUIRE(d.simple("ENABLE_HCA", 0) == 0);
    prm::mailbox<prm::query_hca_cap_in> query;
    query.set<"opcode", prm::op<"QUERY_HCA_CAP">>().set<"op_mod", 1>();
    answer a = d.execute(query, 0x1010);
    auto page = std::span(a.out).subspan(16);
    CHECK(prm::view<prm::cmd_hca_cap>(page).get<"log_max_qp">() == 9);
    prm::mailbox<prm::set_hca_cap_in> set;
    set.set<"opcode", prm::op<"SET_HCA_CAP">>().set_bytes<"capability">(page);
    prm::editor<prm::cmd_hca_cap> e(set.bytes().subspan(16));
    e.set<"log_max_qp", 8>();
    CHECK(result(d.execute(set)) == 0);
    CHECK(prm::view<prm::cmd_hca_cap>(
              std::span<const std::byte>(d.execute(query, 0x1010).out).subspan(16))
              .get<"log_max_qp">() == 8);
    e.set<"log_max_qp", 10>();
    CHECK(result(d.execute(set)) == refused(syndrome::above_capability));
    prm::mailbox<prm::query_hca_cap_in> odd;
    odd.set<"opcode", prm::op<"QUERY_HCA_CAP">>().set<"op_mod", 0x1ff << 1>();
    CHECK(result(d.execute(odd, 0x1010)) == refused(syndrome::no_such_capability_page));
    d.bring_up();
    e.set<"log_max_qp", 8>();
    CHECK(result(d.execute(set)) == refused(syndrome::already_initialized));
}

TEST_CASE("commands: a reset forgets everything") {
    driver d;
    d.bring_up();
    CHECK(d.ask(wire::DEVICE_RESET, {}).error == 0);
    CHECK((d.bar32(0x14) & ~0xffu) == 0);
    driver again;
    again.bring_up();
    again.create(bytes(16), "ALLOC_PD");
    // By the bit in the PCI Express capability.
    CHECK(again.write(7, 0x68 + 1, {std::byte(0x80)}).error == 0);
    CHECK(again.device.firmware().objects.size() == 0);
    CHECK(again.device.firmware().at == firmware::phase::off);
}

TEST_CASE("commands: whatever is in their inboxes, all are answered") {
    driver d;
    d.bring_up();
    const auto uid = std::uint16_t(d.uctx());
    std::uint32_t random = 1;
    const auto next = [&] { return random = random * 1664525 + 1013904223, random >> 24; };
    std::size_t answered = 0;
    const auto mark = d.memory.mark();
    for (int round = 0; round < 6; ++round)
        for (const prm::command &row : prm::commands) {
            if (row.opcode == prm::op<"TEARDOWN_HCA">) continue; // or the rest comes to nothing
            bytes in(row.in->size + 256);
            for (std::byte &b : in)
                b = round < 2 ? std::byte(round ? 0xff : 0) : std::byte(next());
            prm::editor<prm::general_obj_in_cmd_hdr> e(in);
            e.set<"opcode">(row.opcode).set<"uid">(round % 2 ? uid : 0);
            answer a = d.execute(in, row.out->size + 64);
            INFO(row.name);
            CHECK(a.delivery == delivery::ok);
            CHECK_FALSE(prm::statuses.name_of(a.status()).empty());
            if (a.status()) CHECK(firmware::find_syndrome(syndrome(a.syndrome())));
            ++answered;
            d.memory.rewind(mark);
        }
    CHECK(answered > 600);
}

TEST_CASE("syndromes: each has a number of its own, a status that is known, and a text") {
    std::vector<std::uint32_t> seen;
    for (const auto &row : firmware::all_syndromes()) {
        CHECK_FALSE(prm::statuses.name_of(row.status).empty());
        CHECK(std::string(row.text).size() > 8);
        CHECK(std::ranges::find(seen, std::uint32_t(row.code)) == seen.end());
        seen.push_back(std::uint32_t(row.code));
    }
    CHECK(firmware::find_syndrome(syndrome(0x123456)) == nullptr);
    CHECK(firmware::syndromes_as_text().find("0xde0101 BAD_RES_ERR") != std::string::npos);
}

TEST_CASE("options: wrong ones are named") {
    options o;
    CHECK(set_option(o, "port=eth").empty());
    CHECK_FALSE(o.infiniband);
    CHECK(set_option(o, "port=x").find("ib or eth") != std::string::npos);
    CHECK(set_option(o, "ports=3").find("1 to 2") != std::string::npos);
    CHECK(set_option(o, "lid").find("key=value") != std::string::npos);
    CHECK(set_option(o, "colour=red").find("vectors=") != std::string::npos);
    CHECK(set_option(o, "cap.nothing=1").find("no field nothing") != std::string::npos);
    CHECK(set_option(o, "cap.log_max_qp=32").find("does not fit") != std::string::npos);
    CHECK(set_option(o, "devid=-1").find("takes a number") != std::string::npos);
}
