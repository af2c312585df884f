// SPDX-License-Identifier: MIT
// The decoder where its golden cases do not reach: every layout, any bytes, and explain.
#include "catch.hpp"
#include "decode/command.hpp"
#include "decode/explain.hpp"
#include "decode/json.hpp"
#include "decode/layout.hpp"
#include "decode/text.hpp"
#include "kdevx/prm/commands.hpp"
#include "kdevx/prm/tir.hpp"

#include <bit>
#include <random>

using namespace kdevx;
using namespace kdevx::decode;

namespace {

// Set bits that the tree shows, each once.
unsigned shown_bits(const item &i) {
    unsigned n = unsigned(std::popcount(i.kind == item_kind::note ? 0 : i.number));
    for (std::byte b : i.raw)
        n += unsigned(std::popcount(std::to_integer<unsigned>(b)));
    for (const item &inner : i.items)
        n += shown_bits(inner);
    return n;
}
unsigned set_bits(std::span<const std::byte> b) {
    unsigned n = 0;
    for (std::byte x : b)
        n += unsigned(std::popcount(std::to_integer<unsigned>(x)));
    return n;
}

std::vector<std::byte> random_bytes(std::mt19937 &r, std::size_t n) {
    std::vector<std::byte> b(n);
    for (std::byte &x : b)
        x = std::byte(r());
    return b;
}

} // namespace

TEST_CASE("no set bit is lost and none is shown twice, whatever the bytes", "[decode]") {
    std::mt19937 r(1);
    for (const prm::command &c : prm::commands)
        for (std::size_t size : {std::size_t(c.in->size), std::size_t(c.in->size) + 36,
                                 std::size_t(c.in->size) / 2 + 3, std::size_t(9)}) {
            std::vector<std::byte> in = random_bytes(r, size);
            prm::store_be(in.data(), c.opcode);
            CAPTURE(std::string(c.name), size);
            item i = decode_inbox(in);
            CHECK(i.name == c.name);
            CHECK(shown_bits(i) == set_bits(in));
            CHECK_FALSE(to_text(i, zeros::show).empty());
            CHECK(to_json(i).is_object());
        }
}

TEST_CASE("an outbox is decoded by the inbox it answers", "[decode]") {
    std::mt19937 r(2);
    for (const prm::command &c : prm::commands)
        for (std::size_t size : {std::size_t(c.out->size), std::size_t(c.out->size) + 68,
                                 std::size_t(0), std::size_t(5)}) {
            std::vector<std::byte> in(16), out = random_bytes(r, size);
            prm::store_be(in.data(), c.opcode);
            CAPTURE(std::string(c.name), size);
            CHECK(shown_bits(decode_outbox(in, out)) == set_bits(out));
        }
}

TEST_CASE("values are found by their path", "[decode]") {
    prm::mailbox<prm::create_tir_in> in;
    in.set<"opcode">(prm::op<"CREATE_TIR">).set<"ctx.rx_hash_fn">(2);
    item i = decode_inbox(in.bytes());
    REQUIRE(i.find_path("ctx.rx_hash_fn"));
    CHECK(i.find_path("ctx.rx_hash_fn")->number == 2);
    CHECK(i.find_path("ctx.rx_hash_fn")->label == "TOEPLITZ");
    CHECK(i.find_path("ctx.no_such") == nullptr);
    CHECK(i.find_path("opcode.no_such") == nullptr);
    CHECK(to_json(i)["ctx"]["rx_hash_fn"]["name"] == "TOEPLITZ");
}

TEST_CASE("zeros are hidden unless asked for", "[decode]") {
    prm::mailbox<prm::destroy_tir_in> in;
    in.set<"opcode">(prm::op<"DESTROY_TIR">);
    CHECK(to_text(decode_inbox(in.bytes())) == "DESTROY_TIR\n  opcode  0x902 DESTROY_TIR\n");
    CHECK(to_text(decode_inbox(in.bytes()), zeros::show) ==
          "DESTROY_TIR\n  opcode  0x902 DESTROY_TIR\n  uid     0\n  op_mod  0\n  tirn    0\n");
}

TEST_CASE("explain says what a status means, and of a syndrome only what is known", "[decode]") {
    syndrome_list none;
    CHECK(explain(3, 0x357275, "CREATE_RQ", none) ==
          "status 3 BAD_PARAM_ERR: a parameter is wrong, not supported or reserved\n"
          "syndrome 0x357275: not known here; its meaning is the firmware's own\n");
    CHECK(explain(0, 0, "", none) == "status 0 OK: done\n");
    CHECK(explain(0x7f, 1, "", none).starts_with("status 0x7f: the PRM has no such status\n"));
}

TEST_CASE("syndromes come from files, with their source", "[decode]") {
    syndrome_list l;
    REQUIRE(l.add("# comment\n\n0x10 | CREATE_CQ | first | here\n16 | * | any | there | too\n"
                  "0x10 | CREATE_CQ | second | here",
                  "f")
                .empty());
    CHECK(l.size() == 3);
    CHECK(l.find(0x10, "CREATE_CQ")->meaning == "second");
    CHECK(l.find(0x10, "CREATE_QP")->source == "there | too");
    CHECK(l.find(0x11, "CREATE_CQ") == nullptr);
    CHECK(explain(3, 0x10, "CREATE_CQ", l).ends_with("syndrome 0x10: second (here)\n"));
}

TEST_CASE("a syndrome of an unknown command says for which command it is known", "[decode]") {
    syndrome_list l;
    REQUIRE(l.add("0x10 | CREATE_CQ | text | here\n", "f").empty());
    CHECK(explain(3, 0x10, "", l).ends_with("syndrome 0x10: text (here, for CREATE_CQ)\n"));
    CHECK(explain(3, 0x10, "CREATE_QP", l).find("not known here") != std::string::npos);
}

TEST_CASE("a wrong line in a syndrome file is named, and nothing of the file is taken",
          "[decode]") {
    const char *good = "0x1 | * | text | source\n";
    auto [line, wrong] = GENERATE(table<const char *, const char *>({
        {"zero | * | text | source", "the first column is not a 32-bit number"},
        {"0x100000000 | * | text | source", "the first column is not a 32-bit number"},
        {"1 | CREATE_CQQ | text | source",
         "the second column is neither * nor the name of a command"},
        {"1 | * | | source", "the third column, the meaning, is empty"},
        {"1 | * | text", "the fourth column is empty: say where the meaning comes from"},
    }));
    syndrome_list l;
    CHECK(l.add(std::string(good) + line, "f") == std::string("f:2: ") + wrong);
    CHECK(l.size() == 0);
}

TEST_CASE("a syndrome file that is not there is named with the reason", "[decode]") {
    syndrome_list l;
    CHECK(l.add_file("/no/such/file") == "/no/such/file: No such file or directory");
}

TEST_CASE("the shipped syndromes are those of the list and of the software HCA", "[decode]") {
    syndrome_list l = syndrome_list::shipped();
    CHECK(l.find(0x317175, "CREATE_MKEY")->source == "openucx/ucx pull request 8689");
    CHECK(l.find(0x357275, "CREATE_SQ")->source == "DPDK commit 4240b11e7b");
    CHECK(l.find(0xde0001, "NOP")->source == "kdevx-hca");
    CHECK(l.find(0xde0001, "NOP")->meaning == "this HCA knows no such opcode");
}

TEST_CASE("a file of the user's adds to the shipped syndromes", "[decode]") {
    syndrome_list l = syndrome_list::shipped();
    REQUIRE(l.add("0x357275 | CREATE_SQ | mine | my notes\n", "f").empty());
    CHECK(l.find(0x357275, "CREATE_SQ")->meaning == "mine");
    CHECK(l.find(0x357275, "CREATE_RQ")->source == "DPDK commit 4240b11e7b");
}
