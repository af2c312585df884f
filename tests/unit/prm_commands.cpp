// SPDX-License-Identifier: MIT
// The registry of commands against the lists of the kernel's DEVX filter, and against itself.
#include "catch.hpp"
#include "kdevx/prm/caps.hpp"
#include "kdevx/prm/commands.hpp"
#include "kdevx/prm/event.hpp"

#include <algorithm>
#include <vector>

using namespace kdevx::prm;

namespace {

std::vector<unsigned> accepted(command_class cls) {
    std::vector<unsigned> r;
    for (const command &c : commands)
        if (c.devx && c.cls == cls) r.push_back(c.opcode);
    std::sort(r.begin(), r.end());
    return r;
}

std::vector<unsigned> sorted(std::vector<unsigned> v) {
    std::sort(v.begin(), v.end());
    return v;
}

} // namespace

// The numbers below are those of devx_is_obj_create_cmd() and its neighbours in the kernel's
// devx.c.
TEST_CASE("the commands that DEVX lets create an object", "[prm]") {
    CHECK(accepted(create) ==
          sorted({0xa00, 0x200, 0x400, 0x500, 0x700, 0x705, 0x710, 0x717, 0x800, 0x806,
                  0x80e, 0x816, 0x827, 0x829, 0x900, 0x904, 0x908, 0x90c, 0x912, 0x916,
                  0x930, 0x933, 0x936, 0x939, 0x93d, 0x940, 0x782, 0x771, 0x600}));
}

TEST_CASE("the commands that DEVX lets modify an object", "[prm]") {
    CHECK(accepted(modify) ==
          sorted({0xa01, 0x403, 0x90d, 0x905, 0x909, 0x917, 0x901, 0x913, 0x93c, 0x785,
                  0x827, 0x829, 0x502, 0x503, 0x504, 0x505, 0x506, 0x507, 0x50a, 0x50e,
                  0x708, 0x703, 0x714, 0x71a, 0x726, 0x729, 0x72a, 0x936}));
}

TEST_CASE("the commands that DEVX lets query an object", "[prm]") {
    CHECK(accepted(query) == sorted({0xa02, 0x201, 0x402, 0x50b, 0x702, 0x707, 0x713, 0x719, 0x725,
                                     0x727, 0x90f, 0x907, 0x90b, 0x919, 0x903, 0x915, 0x773, 0x932,
                                     0x935, 0x937, 0x93b, 0x942, 0x93f, 0x784, 0x82a}));
}

TEST_CASE("the general commands that DEVX lets through", "[prm]") {
    for (unsigned o : {0x100, 0x101, 0x10a, 0x740, 0x750, 0x752, 0x754, 0x760, 0x762, 0x76f, 0x770,
                       0x80a, 0x80d, 0x822, 0x824, 0x826, 0x842, 0xb00, 0xcff}) {
        CAPTURE(o);
        CHECK(devx_accepts(std::uint16_t(o), general));
    }
    for (unsigned o : {0x805, 0x50d, 0x203, 0x107, 0x755, 0x302, 0xaff, 0xd00, 0x400}) {
        CAPTURE(o);
        CHECK_FALSE(devx_accepts(std::uint16_t(o), general));
    }
    std::vector<unsigned> outside;
    for (unsigned o : accepted(general))
        if (o < general_first || o >= general_end) outside.push_back(o);
    CHECK(outside.size() == 17);
}

TEST_CASE("what only the kernel may send is refused in every class", "[prm]") {
    for (std::uint16_t o : {op<"CREATE_EQ">, op<"ALLOC_UAR">, op<"CREATE_UMEM">, op<"CREATE_UCTX">,
                            op<"ENABLE_HCA">, op<"DESTROY_CQ">})
        for (command_class c : {general, create, modify, query, destroy}) {
            CAPTURE(o, int(c));
            CHECK_FALSE(devx_accepts(o, c));
        }
}

TEST_CASE("a command's opcode and class name one row", "[prm]") {
    for (const command &c : commands) {
        CAPTURE(std::string(c.name));
        CHECK(find_command(c.opcode, c.cls) == &c);
        CHECK(opcodes.name_of(c.opcode) == c.name);
    }
}

TEST_CASE("every inbox begins with opcode and op_mod, every outbox with status and syndrome",
          "[prm]") {
    for (const command &c : commands) {
        CAPTURE(std::string(c.name));
        const field *opcode = c.in->find("opcode"), *status = c.out->find("status"),
                    *syndrome = c.out->find("syndrome");
        REQUIRE((opcode && status && syndrome));
        CHECK((opcode->first_bit() == 0 && opcode->width() == 16));
        CHECK((status->first_bit() == 0 && status->width() == 8));
        CHECK((syndrome->first_bit() == 32 && syndrome->width() == 32));
        if (const field *uid = c.in->find("uid"); uid && c.id != "uid")
            CHECK((uid->first_bit() == 16 && uid->width() == 16));
    }
}

TEST_CASE("what can be created can be destroyed", "[prm]") {
    for (const command &c : commands) {
        if (c.cls != create) continue;
        CAPTURE(std::string(c.name));
        CHECK(c.object == c.opcode);
        const command *d = find_related(c.opcode, destroy);
        REQUIRE(d);
        CHECK(d->id_place().row.width() >= c.id_place().row.width());
    }
}

TEST_CASE("where a new object's number stands and how wide it is", "[prm]") {
    const command *cq = find_command(op<"CREATE_CQ">),
                  *flow = find_command(op<"CREATE_FLOW_GROUP">),
                  *fte = find_command(op<"SET_FLOW_TABLE_ENTRY">),
                  *any = find_command(op<"CREATE_GENERAL_OBJECT">);
    CHECK((cq->id_in_outbox() && cq->id == "cqn" && cq->id_place().row.width() == 24));
    CHECK((flow->id_in_outbox() && flow->id_place().row.offset == 8));
    CHECK((!fte->id_in_outbox() && fte->id_place().row.offset == 0x20));
    CHECK((any->id_in_outbox() && any->id_place().row.width() == 32));
}

TEST_CASE("the bits that the kernel forces are single bits of the inbox", "[prm]") {
    unsigned forced = 0;
    for (const command &c : commands)
        for (std::string_view path : {c.forced.buffer, c.forced.doorbell}) {
            if (path.empty()) continue;
            CAPTURE(std::string(c.name), std::string(path));
            CHECK(find_place(*c.in, path).row.width() == 1);
            ++forced;
        }
    CHECK(forced == 16);
    CHECK(find_command(op<"CREATE_SRQ">)->forced.buffer.empty());
}

TEST_CASE("numbers are found by name and named by number", "[prm]") {
    STATIC_REQUIRE(op<"CREATE_CQ"> == 0x400);
    STATIC_REQUIRE(status<"BAD_RES_STATE_ERR"> == 9);
    STATIC_REQUIRE(event<"CQ_ERROR"> == 4);
    CHECK(opcodes.name_of(0x50e) == "INIT2INIT_QP");
    CHECK(opcodes.name_of(0x7ff).empty());
    CHECK(statuses.find(0x10u)->name == "BAD_QP_STATE_ERR");
}

TEST_CASE("capability pages, registers and events choose their layout by number", "[prm]") {
    CHECK(variant_of(cap_pages, cap<"ODP">) == &odp_cap);
    CHECK(variant_of(cap_pages, 0x3f) == nullptr);
    CHECK(variant_of(register_layouts, reg<"PTYS">) == &ptys_reg);
    CHECK(variant_of(event_layouts, event<"DCT_DRAINED">) == &dct_events);
    CHECK(cap_op_mod(cap<"ROCE">, cap_kind::current) == 9);
    for (const value &v : cap_types.rows) {
        CAPTURE(std::string(v.name));
        CHECK(variant_of(cap_pages, v.number) != nullptr);
    }
}
