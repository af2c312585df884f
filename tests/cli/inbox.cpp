// SPDX-License-Identifier: MIT
#include "tools/kdevx/inbox.hpp"
#include "tools/kdevx/flat.hpp"
#include "tools/kdevx/numbers.hpp"
#include "tools/kdevx/trouble.hpp"

#include "../unit/catch.hpp"

#include "decode/command.hpp"
#include "kdevx/prm/cq.hpp"
#include "kdevx/prm/hca.hpp"
#include "kdevx/prm/qp_transitions.hpp"

#include <map>

using namespace kdevx;
using namespace kdevx::tool;

namespace {
std::string why(const prm::layout_base &layout, const std::string &assignment) {
    inbox in(layout);
    try {
        in.assign(assignment);
    } catch (const trouble &t) {
        CHECK(t.code == exit_code::usage);
        return std::string(t.what()) + " / " + t.hint;
    }
    return "";
}
bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}
} // namespace

TEST_CASE("numbers are decimal, hexadecimal or binary, and nothing else", "[cli]") {
    CHECK(parse_number("18") == 18);
    CHECK(parse_number("0x12") == 18);
    CHECK(parse_number("0b10010") == 18);
    CHECK(parse_number("18446744073709551615") == 0xffffffffffffffff);
    for (const char *bad : {"", "0x", "18446744073709551616", "-1", "+1", " 1", "1 ", "12z", "z"})
        CHECK_FALSE(parse_number(bad));
}

TEST_CASE("bytes are pairs of digits, with fillers between the pairs", "[cli]") {
    auto bytes = parse_hex("0x0100 0a:0B_ff");
    REQUIRE(bytes);
    CHECK(to_hex(*bytes) == "01000a0bff");
    for (const char *bad : {"", "0x", "0", "001", "0 0", "zz"})
        CHECK_FALSE(parse_hex(bad));
}

TEST_CASE("fields reach their bits by name, through nesting and arrays", "[cli]") {
    inbox in(prm::create_cq_in);
    in.assign("opcode=0x400");
    in.assign("cq_context.log_cq_size=6");
    in.assign("cq_context.dbr_addr=0x1122334455667788");
    in.assign("pas[1]=0x1000");
    prm::view<prm::create_cq_in> v(in.bytes());
    CHECK(v.get<"opcode">() == 0x400);
    CHECK(v.get<"cq_context.log_cq_size">() == 6);
    CHECK(v.get<"cq_context.dbr_addr">() == 0x1122334455667788);
    CHECK(in.bytes().size() == prm::create_cq_in.size + 16);
    CHECK(v.get<"pas">(1) == 0x1000);
    CHECK(v.get<"pas">(0) == 0);
}

TEST_CASE("byte strings are given as hex and keep their order", "[cli]") {
    inbox in(prm::init2rtr_qp_in);
    in.assign("qpc.primary_address_path.rgid_rip=fe80000000000000 0000000000000001");
    prm::view<prm::init2rtr_qp_in> v(in.bytes());
    CHECK(to_hex(v.bytes<"qpc.primary_address_path.rgid_rip">()) ==
          "fe800000000000000000000000000001");
}

TEST_CASE("a misfit is refused by the name of its field", "[cli]") {
    CHECK(has(why(prm::query_hca_cap_in, "op_mod=0x10000"), "op_mod: 0x10000 does not fit: it has "
                                                            "16 bits, at most 0xffff"));
    CHECK(has(why(prm::query_hca_cap_in, "other_function=2"), "it has 1 bit, at most 0x1"));
    CHECK(has(why(prm::query_hca_cap_in, "op_mod=one"), "one is not a number"));
    CHECK(has(why(prm::query_hca_cap_in, "op_mod"), "FIELD=VALUE"));
    CHECK(
        has(why(prm::query_hca_cap_in, "op_modd=1"), "has no field op_modd / did you mean op_mod"));
    CHECK(has(why(prm::query_hca_cap_in, "zzzzzzz=1"), "its fields are opcode, op_mod"));
    CHECK(has(why(prm::query_hca_cap_in, "op_mod[1]=1"), "op_mod has 1 element"));
    CHECK(has(why(prm::query_hca_cap_in, "op_mod.x=1"), "op_mod has no parts"));
    CHECK(has(why(prm::create_cq_in, "cq_context=1"), "cq_context has parts"));
    CHECK(has(why(prm::create_cq_in, "pas[x]=1"), "must hold the number"));
    CHECK(has(why(prm::create_cq_in, "pas[60000]=1"), "more than 65535 bytes"));
    CHECK(has(why(prm::init2rtr_qp_in, "qpc.primary_address_path.rgid_rip=" + std::string(34, '0')),
              "17 bytes do not fit: it has 16"));
    CHECK(has(why(prm::init2rtr_qp_in, "qpc.primary_address_path.rgid_rip=xyz"), "written as hex"));
}

TEST_CASE("fields come back under the same paths, bits without a name too", "[cli]") {
    inbox in(prm::create_cq_in);
    in.assign("opcode=0x400");
    in.assign("cq_context.log_cq_size=6");
    in.assign("cq_umem_id=0x1234");
    in.assign("pas[1]=0x1000");
    std::vector<std::byte> bytes = in.bytes();
    bytes[0x0c] = std::byte{0x80};
    std::map<std::string, std::string> found;
    each_field(decode::decode_inbox(bytes), [&](const std::string &path, const decode::item &i) {
        found[path] = value_text(i);
    });
    CHECK(found["cq_context.log_cq_size"] == "6");
    CHECK(found["cq_umem_id"] == "0x1234");
    CHECK(found["pas[0]"] == "0x0");
    CHECK(found["pas[1]"] == "0x1000");
    CHECK(found["UNKNOWN@0xc"] == "0x80000000");
    CHECK(found["cq_context.cqe_sz"].substr(0, 2) == "0 "); // it has a name
}
