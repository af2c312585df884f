// SPDX-License-Identifier: MIT
// Every kind of object through its life: created, queried and found equal, modified, refused to
// strangers and while in use, destroyed.
#include "harness.hpp"

#include "../unit/catch.hpp"
#include "firmware/object.hpp"
#include "firmware/syndromes.hpp"

#include <functional>
#include <set>

using namespace hca_test;
using firmware::kind;
using firmware::object_type;
using firmware::syndrome;

namespace {

struct object_fixture : driver {
    basics b;
    std::uint32_t cq = 0, rq = 0, sq = 0, td = 0, xrcd = 0, rqt = 0, srq = 0, rmp = 0, qp = 0;

    object_fixture() {
        bring_up();
        b = make_basics();
    }

    template <const auto &L>
    bytes inbox(std::function<void(prm::editor<L> &)> fill, std::size_t more = 0) {
        bytes in(L.size + more);
        prm::editor<L> e(in);
        fill(e);
        REQUIRE(e.valid());
        return in;
    }

    // ---- a valid create inbox for each kind
    bytes cq_in() {
        return inbox<prm::create_cq_in>([&](auto &e) {
            e.template set<"cq_context.log_cq_size", 4>()
                .template set<"cq_context.uar_page">(b.uar)
                .template set<"cq_context.c_eqn_or_apu_element">(b.eq)
                .template set<"cq_context.dbr_umem_valid", 1>()
                .template set<"cq_context.dbr_umem_id">(b.umem)
                .template set<"cq_context.dbr_addr", 64>()
                .template set<"cq_umem_valid", 1>()
                .template set<"cq_umem_id">(b.umem)
                .template set<"cq_umem_offset", 4096>();
        });
    }
    void fill_wq(bytes &in, std::size_t at, unsigned log_stride) {
        prm::editor<prm::wq>(std::span(in).subspan(at))
            .set<"wq_type", 1>()
            .set<"pd">(b.pd)
            .set<"uar_page">(b.uar)
            .set<"log_wq_sz", 3>()
            .set<"log_wq_stride">(log_stride)
            .set<"wq_umem_valid", 1>()
            .set<"wq_umem_id">(b.umem)
            .set<"wq_umem_offset", 8192>()
            .set<"dbr_umem_valid", 1>()
            .set<"dbr_umem_id">(b.umem)
            .set<"dbr_addr", 128>();
    }
    bytes sq_in() {
        bytes in = inbox<prm::create_sq_in>([&](auto &e) {
            e.template set<"ctx.cqn">(need(cq, kind::cq)).template set<"ctx.user_index", 5>();
        });
        fill_wq(in, prm::place_of<prm::create_sq_in, "ctx.wq">.row.offset, 6);
        return in;
    }
    bytes rq_in() {
        bytes in = inbox<prm::create_rq_in>([&](auto &e) {
            e.template set<"ctx.cqn">(need(cq, kind::cq)).template set<"ctx.vsd", 1>();
        });
        fill_wq(in, prm::place_of<prm::create_rq_in, "ctx.wq">.row.offset, 4);
        return in;
    }
    bytes rmp_in() {
        bytes in = inbox<prm::create_rmp_in>([&](auto &e) { e.template set<"ctx.state", 1>(); });
        fill_wq(in, prm::place_of<prm::create_rmp_in, "ctx.wq">.row.offset, 4);
        return in;
    }
    bytes xrq_in() {
        bytes in = inbox<prm::create_xrq_in>(
            [&](auto &e) { e.template set<"xrq_context.cqn">(need(cq, kind::cq)); });
        fill_wq(in, prm::place_of<prm::create_xrq_in, "xrq_context.wq">.row.offset, 4);
        return in;
    }
    bytes qp_in() {
        return inbox<prm::create_qp_in>([&](auto &e) {
            e.template set<"qpc.pd">(b.pd)
                .template set<"qpc.cqn_snd">(need(cq, kind::cq))
                .template set<"qpc.cqn_rcv">(need(cq, kind::cq))
                .template set<"qpc.uar_page">(b.uar)
                .template set<"qpc.log_sq_size", 3>()
                .template set<"qpc.log_rq_size", 3>()
                .template set<"qpc.dbr_umem_valid", 1>()
                .template set<"qpc.dbr_umem_id">(b.umem)
                .template set<"wq_umem_valid", 1>()
                .template set<"wq_umem_id">(b.umem);
        });
    }
    bytes dct_in() {
        return inbox<prm::create_dct_in>([&](auto &e) {
            e.template set<"dct_context_entry.pd">(b.pd)
                .template set<"dct_context_entry.cqn">(need(cq, kind::cq))
                .template set<"dct_context_entry.srqn_xrqn">(need(rmp, kind::rmp))
                .template set<"dct_context_entry.dc_access_key", 0x1122334455667788>();
        });
    }
    bytes srq_in() {
        bytes in = inbox<prm::create_srq_in>(
            [&](auto &e) {
                e.template set<"srq_context_entry.pd">(b.pd)
                    .template set<"srq_context_entry.log_srq_size", 3>()
                    .template set<"srq_context_entry.dbr_addr">(memory.alloc(64, 64));
            },
            8);
        prm::store_be<std::uint64_t>(in.data() + prm::create_srq_in.size, memory.alloc(4096));
        return in;
    }
    bytes xrc_srq_in() {
        return inbox<prm::create_xrc_srq_in>([&](auto &e) {
            e.template set<"xrc_srq_context_entry.pd">(b.pd)
                .template set<"xrc_srq_context_entry.xrcd">(need(xrcd, kind::xrcd))
                .template set<"xrc_srq_context_entry.cqn">(need(cq, kind::cq))
                .template set<"xrc_srq_context_entry.log_xrc_srq_size", 3>()
                .template set<"xrc_srq_context_entry.dbr_umem_valid", 1>()
                .template set<"xrc_srq_context_entry.dbr_umem_id">(b.umem)
                .template set<"xrc_srq_umem_valid", 1>()
                .template set<"xrc_srq_umem_id">(b.umem);
        });
    }
    bytes mkey_in() {
        return inbox<prm::create_mkey_in>([&](auto &e) {
            e.template set<"memory_key_mkey_entry.access_mode_1_0", 1>()
                .template set<"memory_key_mkey_entry.lr", 1>()
                .template set<"memory_key_mkey_entry.lw", 1>()
                .template set<"memory_key_mkey_entry.qpn", 0xffffff>()
                .template set<"memory_key_mkey_entry.mkey_7_0", 0x42>()
                .template set<"memory_key_mkey_entry.pd">(b.pd)
                .template set<"memory_key_mkey_entry.start_addr", 0x7f0000001000>()
                .template set<"memory_key_mkey_entry.len", 8192>()
                .template set<"mkey_umem_valid", 1>()
                .template set<"mkey_umem_id">(b.umem);
        });
    }
    bytes tis_in() {
        return inbox<prm::create_tis_in>([&](auto &e) {
            e.template set<"ctx.transport_domain">(need(td, kind::transport_domain))
                .template set<"ctx.prio", 3>();
        });
    }
    bytes rqt_in() {
        const std::uint32_t n = need(rq, kind::rq);
        bytes in = inbox<prm::create_rqt_in>(
            [&](auto &e) {
                e.template set<"rqt_context.rqt_max_size", 8>()
                    .template set<"rqt_context.rqt_actual_size", 2>();
            },
            8);
        prm::store_be<std::uint32_t>(in.data() + prm::create_rqt_in.size, n);
        prm::store_be<std::uint32_t>(in.data() + prm::create_rqt_in.size + 4, n);
        return in;
    }
    bytes tir_in() {
        const std::byte key[] = {std::byte(1), std::byte(2), std::byte(3), std::byte(4)};
        return inbox<prm::create_tir_in>([&](auto &e) {
            e.template set<"ctx.disp_type", 1>()
                .template set<"ctx.transport_domain">(need(td, kind::transport_domain))
                .template set<"ctx.indirect_table">(need(rqt, kind::rqt))
                .template set<"ctx.rx_hash_fn", 2>()
                .template set_bytes<"ctx.rx_hash_toeplitz_key">(key);
        });
    }
    bytes inbox_of(kind k) {
        switch (k) {
        case kind::pd:
        case kind::uar:
        case kind::transport_domain:
        case kind::xrcd:
            return bytes(16);
        case kind::psv:
            return inbox<prm::create_psv_in>(
                [&](auto &e) { e.template set<"num_psv", 1>().template set<"pd">(b.pd); });
        case kind::cq:
            return cq_in();
        case kind::qp:
            return qp_in();
        case kind::dct:
            return dct_in();
        case kind::srq:
            return srq_in();
        case kind::xrc_srq:
            return xrc_srq_in();
        case kind::rmp:
            return rmp_in();
        case kind::xrq:
            return xrq_in();
        case kind::sq:
            return sq_in();
        case kind::rq:
            return rq_in();
        case kind::tis:
            return tis_in();
        case kind::tir:
            return tir_in();
        case kind::rqt:
            return rqt_in();
        case kind::mkey:
            return mkey_in();
        default:
            return {};
        }
    }
    // The object of a kind that others are made of; made at the first need.
    std::uint32_t need(std::uint32_t &id, kind k) {
        if (!id) id = make(k, inbox_of(k));
        return id;
    }
    std::uint32_t make(kind k, const bytes &in) {
        const object_type &t = firmware::type_of(k);
        answer a = try_make(k, in);
        INFO(t.noun << " syndrome " << std::hex << a.syndrome());
        REQUIRE(a.status() == 0);
        return std::uint32_t(prm::find_command(t.create)->id_place().get(a.out));
    }
    answer try_make(kind k, bytes in, std::optional<std::uint16_t> uid = {}) {
        const prm::command *row = prm::find_command(firmware::type_of(k).create);
        prm::editor<prm::general_obj_in_cmd_hdr>(in)
            .set<"opcode">(row->opcode)
            .set<"uid">(uid.value_or(b.uid));
        return execute(in, row->out->size);
    }
    // A query or destroy of the object with this id.
    answer about(const prm::command &row, std::uint32_t id, std::uint16_t uid) {
        bytes in(row.in->size);
        prm::editor<prm::general_obj_in_cmd_hdr>(in).set<"opcode">(row.opcode).set<"uid">(uid);
        row.id_place().put(in, id);
        return execute(in, row.out->size + 64);
    }
    std::uint32_t destroy(kind k, std::uint32_t id, std::optional<std::uint16_t> uid = {}) {
        const auto create = firmware::type_of(k).create;
        return result(about(*prm::find_related(create, prm::destroy), id, uid.value_or(b.uid)));
    }
    const prm::command *query_row(kind k) {
        return prm::find_related(firmware::type_of(k).create, prm::query);
    }
};

// Fields of a context that the device fills in, whatever they were created with.
const std::set<std::string_view> own_fields = {
    "state",
    "st",
    "status",
    "producer_counter",
    "consumer_counter",
    "hw_sq_wqebb_counter",
    "sw_sq_wqebb_counter",
    "hw_rq_counter",
    "sw_rq_counter",
};

void compare(const prm::layout_base &l, std::span<const std::byte> created,
             std::span<const std::byte> queried) {
    for (const prm::field &f : l.rows) {
        if (f.nested) {
            compare(*f.nested, created.subspan(f.offset), queried.subspan(f.offset));
            continue;
        }
        if (!f.is_bits() || own_fields.contains(f.name)) continue;
        prm::place p;
        p.row = f;
        for (std::uint32_t i = 0; i < f.count; ++i) {
            INFO(l.name << "." << f.name);
            CHECK(p.get(created, i) == p.get(queried, i));
        }
    }
}

std::size_t context_at(const prm::layout_base &command, const prm::layout_base &context) {
    for (const prm::field &f : command.rows)
        if (f.nested == &context) return f.offset;
    return 0;
}

const kind with_a_life[] = {
    kind::pd,   kind::transport_domain,
    kind::xrcd, kind::psv,
    kind::mkey, kind::cq,
    kind::qp,   kind::dct,
    kind::rmp,  kind::xrc_srq,
    kind::xrq,  kind::sq,
    kind::rq,   kind::tis,
    kind::tir,  kind::rqt,
};

} // namespace

TEST_CASE("object types: every path in the table exists, every limit is a capability") {
    for (const object_type &t : firmware::object_types()) {
        INFO(t.noun);
        if (t.what == kind::reserved_qpn) continue; // made by CREATE_GENERAL_OBJECT as well
        const prm::command *create = prm::find_command(t.create);
        REQUIRE(create);
        for (const auto &r : t.references)
            CHECK_FALSE(prm::find_place(*create->in, r.path).row.name.empty());
        if (!t.limit.empty())
            CHECK_FALSE(prm::find_place(prm::cmd_hca_cap, t.limit).row.name.empty());
        if (t.modify_mask.empty()) continue;
        const prm::command *modify = prm::find_related(t.create, prm::modify);
        REQUIRE(modify);
        CHECK_FALSE(prm::find_place(*modify->in, t.modify_mask).row.name.empty());
        for (const auto &m : t.modifiables)
            if (t.context) CHECK_FALSE(prm::find_place(*t.context, m.path).row.name.empty());
    }
    for (std::size_t k = 0; k < firmware::kind_count; ++k)
        CHECK(firmware::type_of(kind(k)).what == kind(k));
}

TEST_CASE("objects: created, queried equal, refused to a stranger, destroyed") {
    for (kind k : with_a_life) {
        object_fixture f;
        const object_type &t = firmware::type_of(k);
        INFO(t.noun);
        const bytes in = f.inbox_of(k);
        const std::uint32_t id = f.make(k, in);
        const auto stranger = std::uint16_t(f.uctx());
        if (const prm::command *query = f.query_row(k)) {
            answer a = f.about(*query, id, f.b.uid);
            REQUIRE(result(a) == 0);
            compare(*t.context,
                    std::span(in).subspan(context_at(*prm::find_command(t.create)->in, *t.context)),
                    std::span(a.out).subspan(context_at(*query->out, *t.context)));
            CHECK(result(f.about(*query, id, stranger)) == refused(syndrome::not_the_owner));
            CHECK(result(f.about(*query, id, 0)) == 0); // the driver sees everything
            CHECK(result(f.about(*query, id + 1000, f.b.uid)) == refused(syndrome::no_such_object));
        }
        CHECK(f.destroy(k, id, stranger) == refused(syndrome::not_the_owner));
        CHECK(f.destroy(k, id) == 0);
        CHECK(f.destroy(k, id) == refused(syndrome::no_such_object));
    }
}

TEST_CASE("objects: short inboxes and outboxes are refused, and nothing is made") {
    for (kind k : with_a_life) {
        object_fixture f;
        INFO(firmware::type_of(k).noun);
        bytes in = f.inbox_of(k);
        const prm::command *row = prm::find_command(firmware::type_of(k).create);
        const std::size_t before = f.device.firmware().objects.size();
        prm::editor<prm::general_obj_in_cmd_hdr>(in).set<"opcode">(row->opcode).set<"uid">(f.b.uid);
        CHECK(result(f.execute(in, row->out->size - 4)) == refused(syndrome::outbox_too_short));
        in.resize(row->in->size - 4);
        CHECK(result(f.execute(in, row->out->size)) == refused(syndrome::inbox_too_short));
        CHECK(f.device.firmware().objects.size() == before);
    }
}

TEST_CASE("objects: every reference has to be there, and to be one's own or lent") {
    for (kind k : with_a_life) {
        object_fixture f;
        const object_type &t = firmware::type_of(k);
        const prm::command *row = prm::find_command(t.create);
        const bytes good = f.inbox_of(k);
        for (const auto &r : t.references) {
            INFO(t.noun << " " << r.path);
            bytes bad = good;
            prm::find_place(*row->in, r.path).put(bad, 0xfffff1 & 0xffffff);
            CHECK(result(f.try_make(k, bad)) == refused(syndrome::no_such_object));
        }
    }
    object_fixture f;
    // A PD of another user context.
    const auto stranger = std::uint16_t(f.uctx());
    const std::uint32_t foreign = f.create(bytes(16), "ALLOC_PD", stranger);
    bytes in = f.mkey_in();
    prm::editor<prm::create_mkey_in>(in).set<"memory_key_mkey_entry.pd">(foreign);
    CHECK(result(f.try_make(kind::mkey, in)) == refused(syndrome::not_the_owner));
    // A PD of the driver, as its QPs for programs use.
    const std::uint32_t lent = f.create(bytes(16), "ALLOC_PD");
    prm::editor<prm::create_mkey_in>(in).set<"memory_key_mkey_entry.pd">(lent);
    CHECK(result(f.try_make(kind::mkey, in)) == 0);
}

TEST_CASE("objects: what is in use is not destroyed") {
    object_fixture f;
    const std::uint32_t tir = f.make(kind::tir, f.tir_in());
    CHECK(f.destroy(kind::rqt, f.rqt) == refused(syndrome::object_busy));
    CHECK(f.destroy(kind::rq, f.rq) == refused(syndrome::object_busy));
    CHECK(f.destroy(kind::cq, f.cq) == refused(syndrome::object_busy));
    CHECK(f.destroy(kind::transport_domain, f.td) == refused(syndrome::object_busy));
    CHECK(f.destroy(kind::umem, f.b.umem) == refused(syndrome::object_busy));
    CHECK(f.destroy(kind::pd, f.b.pd) == refused(syndrome::object_busy));
    CHECK(f.destroy(kind::uar, f.b.uar) == refused(syndrome::object_busy));
    CHECK(f.simple("DESTROY_EQ", f.b.eq) == refused(syndrome::object_busy));
    CHECK(f.simple("DESTROY_UCTX", f.b.uid) == refused(syndrome::uctx_not_empty));
    CHECK(f.destroy(kind::tir, tir) == 0);
    CHECK(f.destroy(kind::rqt, f.rqt) == 0);
    CHECK(f.destroy(kind::rq, f.rq) == 0);
    CHECK(f.destroy(kind::cq, f.cq) == 0);
    CHECK(f.destroy(kind::transport_domain, f.td) == 0);
    CHECK(f.destroy(kind::umem, f.b.umem) == 0);
    CHECK(f.destroy(kind::pd, f.b.pd) == 0);
    CHECK(f.destroy(kind::uar, f.b.uar) == 0);
    CHECK(f.simple("DESTROY_UCTX", f.b.uid) == 0);
}

TEST_CASE("objects: a refused create leaves its references free") {
    object_fixture f;
    bytes in = f.cq_in();
    prm::editor<prm::create_cq_in>(in).set<"cq_context.dbr_umem_id", 0x777>();
    CHECK(result(f.try_make(kind::cq, in)) == refused(syndrome::no_such_umem));
    CHECK(f.destroy(kind::umem, f.b.umem) == 0);
    CHECK(f.destroy(kind::uar, f.b.uar) == 0);
}

TEST_CASE("objects: no more than the capability says") {
    driver d("cap.log_max_pd=2");
    d.bring_up();
    for (int i = 0; i < 4; ++i)
        CHECK(d.simple("ALLOC_PD", 0) == 0);
    CHECK(d.simple("ALLOC_PD", 0) == refused(syndrome::too_many_objects));
}

TEST_CASE("objects: the four kinds of shared receive queues count in one space") {
    object_fixture f;
    std::set<std::uint32_t> ids;
    constexpr std::uint16_t driver = 0;
    const auto srqn = prm::find_command(firmware::type_of(kind::srq).create)->id_place();
    for (int i = 0; i < 3; ++i) {
        const answer a = f.try_make(kind::srq, f.inbox_of(kind::srq), driver);
        REQUIRE(result(a) == 0);
        ids.insert(std::uint32_t(srqn.get(a.out)));
        for (kind k : {kind::xrc_srq, kind::rmp, kind::xrq})
            ids.insert(f.make(k, f.inbox_of(k)));
    }
    // The first kind cannot be in a umem, so no program gets one.
    CHECK(result(f.try_make(kind::srq, f.inbox_of(kind::srq))) == refused(syndrome::umem_required));
    CHECK(ids.size() == 12);
    // And a number is no object of another kind than its own.
    const std::uint32_t rmp = f.make(kind::rmp, f.rmp_in());
    CHECK(f.destroy(kind::xrq, rmp) == refused(syndrome::no_such_object));
}

TEST_CASE("objects: an id is not given again at once") {
    object_fixture f;
    const std::uint32_t first = f.make(kind::pd, bytes(16));
    CHECK(f.destroy(kind::pd, first) == 0);
    CHECK(f.make(kind::pd, bytes(16)) != first);
}

TEST_CASE("umem: bounds, rights and owner are checked where it is used") {
    object_fixture f;
    auto cq_with = [&](auto edit) {
        bytes in = f.cq_in();
        prm::editor<prm::create_cq_in> e(in);
        edit(e);
        return result(f.try_make(kind::cq, in));
    };
    CHECK(cq_with([&](auto &e) { e.template set<"cq_umem_offset">(f.b.size - 1024); }) == 0);
    CHECK(cq_with([&](auto &e) { e.template set<"cq_umem_offset">(f.b.size - 960); }) ==
          refused(syndrome::umem_bounds));
    CHECK(cq_with([&](auto &e) { e.template set<"cq_umem_offset">(~0ull & ~63ull); }) ==
          refused(syndrome::umem_bounds));
    CHECK(cq_with([&](auto &e) { e.template set<"cq_umem_offset", 100>(); }) ==
          refused(syndrome::page_not_aligned));
    CHECK(cq_with([&](auto &e) { e.template set<"cq_context.dbr_addr">(f.b.size - 4); }) ==
          refused(syndrome::page_not_aligned));
    CHECK(cq_with([&](auto &e) { e.template set<"cq_context.dbr_addr">(f.b.size); }) ==
          refused(syndrome::umem_bounds));
    const std::uint32_t constant = f.umem(f.b.uid, f.b.memory, f.b.size, false);
    CHECK(cq_with([&](auto &e) { e.template set<"cq_umem_id">(constant); }) ==
          refused(syndrome::umem_read_only));
    CHECK(cq_with([&](auto &e) { e.template set<"cq_context.dbr_umem_id">(constant); }) == 0);
    const auto stranger = std::uint16_t(f.uctx());
    const std::uint32_t foreign = f.umem(stranger, f.b.memory, f.b.size);
    CHECK(cq_with([&](auto &e) { e.template set<"cq_umem_id">(foreign); }) ==
          refused(syndrome::no_such_umem));
}

TEST_CASE("umem: what it cannot be made of") {
    object_fixture f;
    auto umem_with = [&](auto edit, std::size_t entries = 4) {
        bytes in(prm::create_umem_in.size + entries * 8);
        prm::editor<prm::create_umem_in> e(in);
        e.set<"umem.num_of_mtt", 4>();
        edit(e);
        return result(f.try_make(kind::umem, in));
    };
    CHECK(umem_with([](auto &) {}) == 0);
    CHECK(umem_with([](auto &e) { e.template set<"umem.num_of_mtt", 0>(); }) ==
          refused(syndrome::bad_parameter));
    CHECK(umem_with([](auto &e) { e.template set<"umem.page_offset", 4096>(); }) ==
          refused(syndrome::bad_parameter));
    CHECK(umem_with([](auto &e) { e.template set<"umem.log_page_size", 20>(); }) ==
          refused(syndrome::page_size));
    CHECK(umem_with([](auto &) {}, 3) == refused(syndrome::list_too_short));
    CHECK(umem_with([](auto &e) { e.template set<"umem.num_of_mtt">(~0ull); }) ==
          refused(syndrome::list_too_short));
}

TEST_CASE("mkey: every way to translate, and what each demands") {
    object_fixture f;
    auto with = [&](auto edit, std::size_t more = 0, std::optional<std::uint16_t> uid = {}) {
        bytes in = f.mkey_in();
        in.resize(in.size() + more);
        prm::editor<prm::create_mkey_in> e(in);
        edit(e, in);
        return result(f.try_make(kind::mkey, in, uid));
    };
    CHECK(with([&](auto &e, auto &) { e.template set<"memory_key_mkey_entry.len">(f.b.size); }) ==
          0);
    CHECK(with([&](auto &e, auto &) {
              e.template set<"memory_key_mkey_entry.len">(f.b.size + 1);
          }) == refused(syndrome::umem_bounds));
    CHECK(with([&](auto &e, auto &) { e.template set<"mkey_umem_offset">(~0ull); }) ==
          refused(syndrome::umem_bounds));
    CHECK(with([&](auto &e, auto &) { e.template set<"mkey_umem_offset", 64>(); }) ==
          refused(syndrome::mkey_umem_offset));
    // Physical addresses are the driver's.
    auto physical = [](auto &e, auto &) {
        e.template set<"memory_key_mkey_entry.access_mode_1_0", 0>();
    };
    CHECK(with(physical) == refused(syndrome::privileged));
    CHECK(with(physical, 0, 0) == 0);
    // A list of pages: as many as the length needs.
    auto list = [](std::uint64_t octwords) {
        return [octwords](auto &e, auto &) {
            e.template set<"mkey_umem_valid", 0>()
                .template set<"memory_key_mkey_entry.log_page_size", 12>()
                .template set<"memory_key_mkey_entry.len", 3 * 4096>()
                .template set<"translations_octword_actual_size">(octwords);
        };
    };
    CHECK(with(list(2), 32) == 0);
    CHECK(with(list(1), 32) == refused(syndrome::mkey_translation));
    CHECK(with(list(2), 16) == refused(syndrome::list_too_short));
    // Keys of keys.
    auto klm = [](std::uint64_t n, std::uint32_t each) {
        return [n, each](auto &e, bytes &in) {
            e.template set<"memory_key_mkey_entry.access_mode_1_0", 2>()
                .template set<"translations_octword_actual_size">(n);
            for (std::size_t i = 0; (i + 1) * 16 + 0x110 <= in.size(); ++i)
                prm::store_be<std::uint32_t>(in.data() + 0x110 + i * 16, each);
        };
    };
    CHECK(with(klm(2, 4096), 32) == 0);
    CHECK(with(klm(2, 4095), 32) == refused(syndrome::mkey_translation));
    CHECK(with(klm(3, 4096), 32) == refused(syndrome::list_too_short));
    CHECK(with(klm(0xffffffff, 4096), 32) == refused(syndrome::list_too_short));
    CHECK(with([](auto &e, auto &) {
              e.template set<"memory_key_mkey_entry.access_mode_4_2", 2>();
          }) == refused(syndrome::mkey_access_mode));
}

TEST_CASE("modify: the mask says what changes, and nothing else does") {
    object_fixture f;
    const std::uint32_t tis = f.make(kind::tis, f.tis_in());
    bytes in(prm::modify_tis_in.size);
    prm::editor<prm::modify_tis_in> e(in);
    e.set<"opcode", prm::op<"MODIFY_TIS">>()
        .set<"uid">(f.b.uid)
        .set<"tisn">(tis)
        .set<"bitmask.prio", 1>()
        .set<"ctx.prio", 7>()
        .set<"ctx.lag_tx_port_affinity", 2>();
    CHECK(result(f.execute(in, 16)) == 0);
    answer a = f.about(*f.query_row(kind::tis), tis, f.b.uid);
    CHECK(a.get<prm::query_tis_out, "tis_context.prio">() == 7);
    CHECK(a.get<prm::query_tis_out, "tis_context.lag_tx_port_affinity">() == 0);
    prm::store_be<std::uint64_t>(in.data() + 0x10, 1ull << 40);
    CHECK(result(f.execute(in, 16)) == refused(syndrome::unknown_modify_bit));
}

TEST_CASE("modify: a table of receive queues changes its queues") {
    object_fixture f;
    const std::uint32_t rqt = f.make(kind::rqt, f.rqt_in());
    const std::uint32_t other = f.make(kind::rq, f.rq_in());
    bytes in(prm::modify_rqt_in.size + 4);
    prm::editor<prm::modify_rqt_in>(in)
        .set<"opcode", prm::op<"MODIFY_RQT">>()
        .set<"uid">(f.b.uid)
        .set<"rqtn">(rqt)
        .set<"bitmask.rqn_list", 1>()
        .set<"ctx.rqt_actual_size", 1>();
    prm::store_be<std::uint32_t>(in.data() + prm::modify_rqt_in.size, other);
    CHECK(result(f.execute(in, 16)) == 0);
    CHECK(f.destroy(kind::rq, other) == refused(syndrome::object_busy));
    CHECK(f.destroy(kind::rq, f.rq) == 0); // no longer in the table
    answer a = f.about(*f.query_row(kind::rqt), rqt, f.b.uid);
    CHECK(a.get<prm::query_rqt_out, "rqt_context.rqt_actual_size">() == 1);
    CHECK(prm::load_be<std::uint32_t>(a.out.data() + prm::query_rqt_out.size) == other);
}

TEST_CASE("modify: send and receive queues go from state to state") {
    object_fixture f;
    const std::uint32_t sq = f.make(kind::sq, f.sq_in());
    auto to = [&](std::uint64_t believed, std::uint64_t wanted) {
        bytes in(prm::modify_sq_in.size);
        prm::editor<prm::modify_sq_in>(in)
            .set<"opcode", prm::op<"MODIFY_SQ">>()
            .set<"uid">(f.b.uid)
            .set<"sqn">(sq)
            .set<"sq_state">(believed)
            .set<"ctx.state">(wanted);
        return result(f.execute(in, 16));
    };
    constexpr int rst = 0, rdy = 1, err = 3;
    CHECK(to(rdy, err) == refused(syndrome::wrong_object_state)); // it is in RST
    CHECK(to(rst, rdy) == 0);
    answer a = f.about(*f.query_row(kind::sq), sq, f.b.uid);
    CHECK(a.get<prm::query_sq_out, "sq_context.state">() == rdy);
    CHECK(to(rdy, err) == 0);
    CHECK(to(err, rdy) == refused(syndrome::wrong_object_state));
    CHECK(to(err, rst) == 0);
}

TEST_CASE("shared receive queues: the limit that is armed is the limit that is queried") {
    object_fixture f;
    const std::uint32_t rmp = f.make(kind::rmp, f.rmp_in());
    bytes in(prm::arm_rq_in.size);
    prm::editor<prm::arm_rq_in>(in)
        .set<"opcode", prm::op<"ARM_RQ">>()
        .set<"uid">(f.b.uid)
        .set<"op_mod", 1>()
        .set<"srq_number">(rmp)
        .set<"lwm", 5>();
    CHECK(result(f.execute(in, 16)) == 0);
    answer a = f.about(*f.query_row(kind::rmp), rmp, f.b.uid);
    CHECK(a.get<prm::query_rmp_out, "rmp_context.wq.lwm">() == 5);
    prm::editor<prm::arm_rq_in>(in).set<"op_mod", 9>();
    CHECK(result(f.execute(in, 16)) == refused(syndrome::unknown_op_mod));
}

TEST_CASE("flow table: its e-switch is named by its owner always, or never") {
    object_fixture f;
    // The tables' commands begin alike.
    auto inbox = [&](const char *command, std::uint64_t by_owner, std::uint64_t owner) {
        bytes in(prm::create_flow_table_in.size);
        prm::editor<prm::destroy_flow_table_in> e(in);
        e.set<"opcode">(prm::opcodes.find(command)->number);
        e.set<"other_eswitch">(by_owner).set<"eswitch_owner_vhca_id">(owner);
        prm::editor<prm::general_obj_in_cmd_hdr>(in).set<"uid">(f.b.uid);
        return in;
    };
    constexpr std::uint64_t ours = 1, anothers = 2; // of one HCA alone
    CHECK(result(f.execute(inbox("CREATE_FLOW_TABLE", 1, anothers), 16)) ==
          refused(syndrome::no_such_eswitch));
    const answer made = f.execute(inbox("CREATE_FLOW_TABLE", 1, ours), 16);
    REQUIRE(result(made) == 0);
    auto destroy = [&](std::uint64_t by_owner) {
        bytes in = inbox("DESTROY_FLOW_TABLE", by_owner, by_owner ? ours : 0);
        prm::editor<prm::destroy_flow_table_in>(in).set<"table_id">(
            made.get<prm::create_flow_table_out, "table_id">());
        return result(f.execute(in, 16));
    };
    CHECK(destroy(0) == refused(syndrome::no_such_object));
    CHECK(destroy(1) == 0);
}
