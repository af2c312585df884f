// SPDX-License-Identifier: MIT
// Every object of lives.cpp: created, seen as it was created, changed, seen as it was changed, kept
// apart from others, holding what it uses, destroyed, gone.
#include "lives.hpp"
#include "raw.hpp"

#include <rdma/mlx5_user_ioctl_cmds.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

class play {
    const life &life_;
    bench bench_;
    object_ptr object_;
    std::uint64_t number_ = 0;

public:
    explicit play(const life &l) : life_(l) {}

    exchange inbox() {
        exchange x(life_.create, life_.more_in);
        put(x, life_.given);
        return x;
    }
    void put(exchange &x, const std::vector<setting> &settings) {
        for (const setting &s : settings)
            x.set(s.path, s.value.on(bench_));
    }

    void create() {
        exchange x = inbox();
        REQUIRE(vm::create(bench_.context(), x, object_) == ok);
        const auto &place = x.row.id_place();
        number_ = x.row.id_in_outbox() ? place.get(x.out.bytes()) : place.get(x.in.bytes());
        const auto info = info_of(object_.get());
        CHECK(info.opcode == x.row.opcode);
        if (x.row.id_in_outbox() && place.row.offset == 8)
            CHECK((info.device_id & 0xffffff) == (number_ & 0xffffff));
    }

    // With the object's number in it.
    exchange about(const char *command, const std::vector<setting> &given) {
        exchange x(command, life_.more_in, life_.more_out);
        x.in.set(x.row.id, number_);
        put(x, given);
        return x;
    }

    exchange look() {
        exchange x = about(life_.query, life_.ask);
        REQUIRE(query(object_.get(), x) == ok);
        CHECK(x.get("status") == 0);
        return x;
    }

    void check_as_created() {
        if (!life_.query) return;
        const exchange seen = look();
        const std::string prefix = std::string(life_.context) + ".";
        for (const setting &s : life_.given) {
            const std::string path = s.path;
            if (!path.starts_with(prefix)) continue;
            const std::string there = life_.query_context + path.substr(prefix.size() - 1);
            CAPTURE(there);
            CHECK(seen.get(there) == s.value.on(bench_));
        }
    }

    void take(const step &s) {
        CAPTURE(s.command);
        if (*s.command) change(s);
        if (s.shown.empty()) return;
        const exchange seen = look();
        for (const setting &shown : s.shown) {
            CAPTURE(shown.path);
            CHECK(seen.get(shown.path) == shown.value.on(bench_));
        }
    }
    void change(const step &s) {
        exchange x = about(s.command, s.given);
        const outcome got = modify(object_.get(), x);
        if (s.refused)
            CHECK(got == refused(*s.refused));
        else
            CHECK(got == ok);
    }
    void take_all_steps() {
        for (const step &s : life_.steps)
            take(s);
    }

    // Another object's handle does not stand for this one, nor does another number.
    void check_identity() {
        if (!life_.query) return;
        object_ptr other = bench_.create(exchange("ALLOC_XRCD"));
        exchange x = about(life_.query, life_.ask);
        CHECK(query(other.get(), x) == failed(EINVAL, KDEVX_CAUSE_INVALID));
        x.in.set(x.row.id, number_ ^ 1);
        CHECK(query(object_.get(), x) == failed(EINVAL, KDEVX_CAUSE_INVALID));
        for (const step &s : life_.steps) {
            if (!*s.command) continue;
            exchange change = about(s.command, s.given);
            CHECK(modify(other.get(), change) == failed(EINVAL, KDEVX_CAUSE_INVALID));
        }
        // A query sent as a modification, and the other way round.
        CHECK(modify(object_.get(), x) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    }

    // What this one uses stays, and is none the worse for the attempt.
    void check_holds() {
        for (resource r : life_.holds) {
            CAPTURE(int(r));
            CHECK(try_to_end(r) == failed(EBUSY, KDEVX_CAUSE_BUSY));
        }
        if (life_.query) look();
    }
    outcome try_to_end(resource r) {
        if (r == resource::umem) return call(kdevx_umem_dereg, bench_.umem());
        return call(kdevx_object_destroy, bench_.holder(r));
    }

    void end() {
        CHECK(call(kdevx_object_destroy, object_.get()) == ok);
        kdevx_object *gone = object_.release();
        if (life_.query) {
            exchange x = about(life_.query, life_.ask);
            CHECK(query(gone, x) == failed(EBADF, KDEVX_CAUSE_CLOSED));
        }
        CHECK(call(kdevx_object_destroy, gone) == failed(EBADF, KDEVX_CAUSE_CLOSED));
        // That the firmware let go of all it used is seen when the bench is cleared.
    }

    void check_spoiled() {
        if (!life_.spoiled) return;
        exchange x = inbox();
        put(x, {*life_.spoiled});
        object_ptr none;
        CHECK(vm::create(bench_.context(), x, none) == refused(*life_.because_of_it));
        CHECK(x.get("syndrome") == life_.because_of_it->syndrome);
    }
};

void live(const life &l) {
    play p(l);
    p.check_spoiled();
    p.create();
    p.check_as_created();
    p.check_identity();
    p.check_holds();
    p.take_all_steps();
    p.end();
}

} // namespace

TEST_CASE("the life of every object", "[objects]") {
    for (const life &l : lives()) {
        DYNAMIC_SECTION(l.create) {
            live(l);
        }
    }
}

TEST_CASE("closing the context destroys what is left, whatever uses what", "[objects]") {
    {
        bench b;
        for (const life &l : lives()) {
            if (l.holds.empty()) continue;
            CAPTURE(l.create);
            exchange x(l.create, l.more_in);
            for (const setting &s : l.given)
                x.set(s.path, s.value.on(b));
            object_ptr o;
            REQUIRE(create(b.context(), x, o) == ok);
            o.release();
        }
        b.abandon();
    }
    // The device is as good as new.
    bench again;
    CHECK(again[resource::cqn] != 0);
}

TEST_CASE("objects of one context are nothing to another", "[objects]") {
    bench mine, theirs;
    exchange key = theirs.mkey();
    // The number is right, and belongs to another uid.
    key.set("memory_key_mkey_entry.pd", mine[resource::pd]);
    object_ptr made;
    const outcome got = create(theirs.context(), key, made);
    CHECK(got.why.cause == KDEVX_CAUSE_FIRMWARE_REFUSED);
    exchange foreign = theirs.cq();
    foreign.set("cq_umem_id", mine[resource::umem]);
    if (mine[resource::umem] != theirs[resource::umem])
        CHECK(create(theirs.context(), foreign, made) == refused(because::no_such_umem));
}

TEST_CASE("commands that create nothing, and creates sent elsewhere", "[objects]") {
    bench b;
    object_ptr made;
    exchange question("QUERY_CQ"), pd("ALLOC_PD");
    CHECK(create(b.context(), question, made) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(general(b.context(), pd) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    object_ptr cq = b.create(b.cq());
    CHECK(query(cq.get(), pd) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(modify(cq.get(), pd) == failed(EINVAL, KDEVX_CAUSE_INVALID));
}

TEST_CASE("a create whose outbox cannot be written leaves nothing behind", "[objects]") {
    bench b;
    exchange x = b.cq();
    kdevx_object *made = nullptr;
    void *const nowhere = pointer_to(64);
    CHECK(call(kdevx_object_create, b.context(), static_cast<const void *>(x.in.data()),
               x.in.size(), nowhere, std::size_t(16),
               &made) == failed(EFAULT, KDEVX_CAUSE_INVALID));
    CHECK(made == nullptr);
    // Nothing holds the page any more.
    uar_ptr again = alloc_uar(b.context(), KDEVX_UAR_NC_DEDICATED);
    CHECK(call(kdevx_uar_free, b.uar()) == ok);
    b.forget_uar();
}

TEST_CASE("two objects of different types are not mistaken for each other", "[objects]") {
    bench b;
    object_ptr rq = b.create(b.recipe(resource::rqn)), sq = b.create(b.recipe(resource::sqn));
    exchange x("QUERY_SQ");
    x.set("sqn", info_of(sq.get()).device_id & 0xffffff);
    CHECK(query(sq.get(), x) == ok);
    CHECK(query(rq.get(), x) == failed(EINVAL, KDEVX_CAUSE_INVALID));
}

TEST_CASE("a QP in a multicast group", "[objects]") {
    bench b;
    object_ptr qp = b.create(b.qp("UD"));
    exchange attach("ATTACH_TO_MCG");
    attach.set("qpn", info_of(qp.get()).device_id & 0xffffff);
    attach.in.data()[0x10] = std::byte(0xff); // the first byte of a multicast GID
    attach.in.data()[0x1f] = std::byte(0x01);
    object_ptr membership = b.create(attach);
    CHECK(call(kdevx_object_destroy, qp.get()) == failed(EBUSY, KDEVX_CAUSE_BUSY));
    CHECK(call(kdevx_object_destroy, membership.release()) == ok);
    CHECK(call(kdevx_object_destroy, qp.release()) == ok);
    exchange nobody("ATTACH_TO_MCG");
    CHECK(create(b.context(), nobody.set("qpn", 0xabcdef), membership) ==
          refused(because::no_such_object));
}

TEST_CASE("a steering tag is not a program's to choose, from 7.2 on", "[objects]") {
    bench b;
    exchange x = b.mkey();
    x.set("memory_key_mkey_entry.pcie_tph_en", 1);
    object_ptr mkey = b.create(x);
    exchange seen("QUERY_MKEY");
    REQUIRE(query(mkey.get(), seen.set("mkey_index", info_of(mkey.get()).device_id & 0xffffff)) ==
            ok);
    CHECK(seen.get("memory_key_mkey_entry.pcie_tph_en") == (kernel() < version{7, 2} ? 1 : 0));
}

TEST_CASE("an SRQ of the old kind cannot have its buffer in a umem", "[objects]") {
    // The kernel forces umems into all other queues; CREATE_SRQ has no field for one.
    bench b;
    exchange x("CREATE_SRQ");
    x.set("srq_context_entry.pd", b[resource::pd]).set("srq_context_entry.log_srq_size", 4);
    object_ptr none;
    CHECK(create(b.context(), x, none) == refused(because::umem_required));
}
