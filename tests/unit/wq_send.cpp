// SPDX-License-Identifier: MIT
// Every send request as bytes, against tests/golden/wq_send.txt.
#include "wq/address.hpp"
#include "wq_golden.hpp"
#include "wq_world.hpp"

#include "catch.hpp"

#include <functional>
#include <numeric>

using namespace world;

namespace {

constexpr std::uint32_t qpn = 0xabcdef;

std::uint64_t address_of(const void *p) {
    return std::uint64_t(std::uintptr_t(p));
}

// The requests that the golden file names, with what they point to.
struct requests {
    sge piece{0xaabbccdd0010, 64, 0x11223344};
    sge three[3]{{0xaabbccdd0010, 64, 0x11223344}, {0x1234, 0, 9}, {0xaabbccddeeff, 1, 0x55667788}};
    sge nothing{0x1234, 0, 9};
    sge eight{0xaabbccdd0018, 8, 0x11223344}, four{0xaabbccdd0018, 4, 0x11223344};
    char hello[6] = "hello";
    std::uint8_t counting[64];
    sge hello_piece{address_of(hello), 5, 0};
    sge two_inline[2]{{address_of(hello), 5, 0}, {address_of(counting), 12, 0}};
    sge counting_piece{address_of(counting), 64, 0};
    std::byte context[64], bsf[64];
    std::byte mtts[24]{}, klms[32]{};
    umr_request umr;
    wq::address to{};
    cq_world watched;
    pair target;
    std::map<std::string, std::function<void(send_request &)>> make;

    static pair_options target_options() {
        pair_options o;
        o.managed_send = o.managed_receive = true;
        o.wqebbs = 16;
        o.receives = 16;
        return o;
    }

    requests() : target(0xbeef, target_options()) {
        std::iota(counting, counting + 64, std::uint8_t(0));
        for (int i = 0; i < 64; ++i) {
            context[i] = std::byte(0x10 + i);
            bsf[i] = std::byte(0x50 + i);
        }
        for (int i = 0; i < 3; ++i)
            prm::store_be(mtts + 8 * i, std::uint64_t(0x100001003 + 0x1000 * i));
        prm::store_be(klms, std::uint64_t(0x0000100000000aaa));
        prm::store_be(klms + 8, std::uint64_t(0x7f0000010000));
        prm::store_be(klms + 16, std::uint64_t(0x0000200000000bbb));
        prm::store_be(klms + 24, std::uint64_t(0x7f0000020000));
        address_info a;
        a.lid_or_udp_port = 0x3456;
        a.sl = 5;
        a.path_bits = 0x12;
        a.stat_rate = 0xa;
        a.force_loopback = true;
        a.grh = true;
        a.source_gid_index = 3;
        a.flow_label = 0x12345;
        a.traffic_class = 0x66;
        a.hop_limit = 0x40;
        const std::uint8_t gid[16]{0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 2, 0xc9, 3, 0, 0, 0x12, 0x34};
        const std::uint8_t mac[6]{0, 0x11, 0x22, 0x33, 0x44, 0x55};
        std::memcpy(a.gid.data(), gid, 16);
        std::memcpy(a.mac.data(), mac, 6);
        if (!make_address(a, to)) std::abort();
        fill();
    }

    static void data(send_request &r, send_op op, const sge *list, std::uint32_t n,
                     std::uint32_t flags) {
        r.op = op;
        r.sg_list = list;
        r.num_sge = n;
        r.flags = flags;
    }
    void remote(send_request &r, send_op op, const sge *list, std::uint32_t flags) {
        data(r, op, list, 1, flags);
        r.rdma = {0x7f0011223344, 0x0badcafe};
    }
    void atomic(send_request &r, send_op op, const sge *list) {
        data(r, op, list, 1, send_signaled);
        r.atomic = {0x7f0011223348, 0x0badcafe, 0, 0, 0, 0};
    }
    void cas(send_request &r, send_op op, const sge *list) {
        atomic(r, op, list);
        r.atomic.swap_or_add = 0x3333333344444444;
        r.atomic.compare = 0x1111111122222222;
    }
    void add(send_request &r, send_op op, const sge *list) {
        atomic(r, op, list);
        r.atomic.swap_or_add = 0x0102030405060708;
    }
    void update(send_request &r) {
        r.op = send_op::umr;
        r.flags = send_signaled;
        umr = {};
        umr.mkey = 0xf02;
        umr.context = context;
        r.umr = &umr;
    }
    void wait_for(send_request &r, std::uint32_t base, std::uint32_t n) {
        watched.cq.waits = {};
        watched.cq.waits.position = base;
        r.op = send_op::wait_cq;
        r.wait = {&watched.cq, n};
    }
    void wait_data(send_request &r, send_op op, std::uint8_t condition) {
        r.op = op;
        r.flags = send_signaled;
        r.wait_data = {};
        r.wait_data.condition = condition;
        r.wait_data.value = 0x1122334455667788;
        r.wait_data.mask = ~0ull;
    }
    void fill_wire() {
        make["send"] = [&](auto &r) { data(r, send_op::send, three, 3, send_signaled); };
        make["send_empty"] = [&](auto &r) { data(r, send_op::send, &nothing, 1, send_signaled); };
        make["send_inline_empty"] = [&](auto &r) {
            data(r, send_op::send, &nothing, 1, send_signaled | send_inline);
        };
        make["send_imm"] = [&](auto &r) {
            data(r, send_op::send_imm, &hello_piece, 1,
                 send_signaled | send_solicited | send_inline);
            r.imm_or_rkey = 0xcafef00d;
        };
        make["send_inline_two"] = [&](auto &r) {
            data(r, send_op::send, two_inline, 2, send_signaled | send_inline);
        };
        make["send_inval"] = [&](auto &r) {
            data(r, send_op::send_inval, &piece, 1, send_fence);
            r.imm_or_rkey = 0xa1b2c3;
        };
        make["rdma_write"] = [&](auto &r) {
            remote(r, send_op::rdma_write, &counting_piece,
                   send_signaled | send_inline | send_strong_fence);
        };
        make["rdma_write_imm"] = [&](auto &r) {
            remote(r, send_op::rdma_write_imm, &piece, send_signaled);
            r.imm_or_rkey = 0x01020304;
        };
        make["rdma_read"] = [&](auto &r) { remote(r, send_op::rdma_read, &piece, send_signaled); };
        make["nop"] = [](auto &r) {
            r.op = send_op::nop;
            r.flags = send_signaled;
        };
    }
    void fill_atomics() {
        make["atomic_cas"] = [&](auto &r) { cas(r, send_op::atomic_cas, &eight); };
        make["atomic_add"] = [&](auto &r) { add(r, send_op::atomic_add, &eight); };
        make["masked_cas_8"] = [&](auto &r) {
            cas(r, send_op::masked_cas, &eight);
            r.atomic.swap_mask = 0xffffffff00000000;
            r.atomic.compare_mask = 0x00000000ffffffff;
        };
        make["masked_cas_4"] = [&](auto &r) {
            cas(r, send_op::masked_cas, &four);
            r.atomic.swap_mask = 0x0000ffff;
            r.atomic.compare_mask = 0xffff0000;
        };
        make["masked_add_8"] = [&](auto &r) {
            add(r, send_op::masked_add, &eight);
            r.atomic.swap_mask = 0x8000000080000000;
        };
        make["masked_add_4"] = [&](auto &r) {
            add(r, send_op::masked_add, &four);
            r.atomic.swap_mask = 0x80008000;
        };
    }
    void fill_keys() {
        make["local_inval"] = [](auto &r) {
            r.op = send_op::local_inval;
            r.flags = send_signaled;
            r.imm_or_rkey = 0xf01;
        };
        make["umr_mtt"] = [&](auto &r) {
            update(r);
            umr.mkey_mask =
                prm::mkey_mask<"LEN", "START_ADDR", "LR", "FREE", "RELAXED_ORDERING_READ">;
            umr.check = prm::umr_check<"NOT_FREE">;
            umr.xlt = mtts;
        };
        make["umr_klm"] = [&](auto &r) {
            update(r);
            umr.xlt = klms;
            umr.translation_offset = true;
            umr.xlt_offset = 0x123456789;
        };
        make["umr_pointer"] = [&](auto &r) {
            update(r);
            umr.mkey_mask = prm::mkey_mask<"LEN">;
            umr.check = prm::umr_check<"FREE">;
            umr.xlt_at = {0xaabbccdd0040, 0x80, 0x11223344};
        };
        make["umr_bsf"] = [&](auto &r) {
            update(r);
            umr.mkey_mask = prm::mkey_mask<"BSF_EN">;
            umr.xlt = std::span<const std::byte>(klms).first(16);
            umr.bsf = bsf;
        };
    }
    void fill_cross_channel() {
        make["wait_cq"] = [&](auto &r) { wait_for(r, 0xfffffe, 5); };
        make["wait_cq_past_64k"] = [&](auto &r) { wait_for(r, 0x12300, 0x45); };
        make["wait_data"] = [&](auto &r) {
            wait_data(r, send_op::wait_data, prm::wait_condition<"EQUAL">);
            r.wait_data.addr = 0xaabbccdd0018;
            r.wait_data.lkey = 0x11223344;
            r.wait_data.invert = r.wait_data.fail_to_error_cqe = true;
            r.wait_data.mask = 0xffffffff00000000;
        };
        make["wait_time"] = [&](auto &r) {
            wait_data(r, send_op::wait_time, prm::wait_condition<"CYCLIC_BIGGER">);
        };
        make["send_enable"] = [&](auto &r) {
            target.qp.reset();
            target.qp.state = RTS;
            target.advance(0x10002);
            target.qp.send_enables = {};
            target.qp.send_enables.index = target.qp.send_enables.position = 0xffff;
            r.op = send_op::send_enable;
            r.enable = {&target.qp, 3};
        };
        make["receive_enable"] = [&](auto &r) {
            target.qp.reset();
            target.qp.state = RTS;
            std::uint64_t id;
            const std::byte *segments;
            for (int i = 0; i < 0x10002; ++i) {
                if (target.qp.rq.post({}) != error::none) std::abort();
                target.qp.rq.retire(id, segments);
            }
            target.qp.receive_enables.index = target.qp.receive_enables.position = 0xffff;
            r.op = send_op::receive_enable;
            r.enable = {&target.qp, 3};
        };
    }
    void fill_transports() {
        make["ud_send"] = [&](auto &r) {
            data(r, send_op::send, &piece, 1, send_signaled);
            r.to = {&to, 0x012345, 0x11111111, 0};
        };
        make["ud_send_imm_inline"] = [&](auto &r) {
            data(r, send_op::send_imm, &counting_piece, 1,
                 send_signaled | send_solicited | send_inline);
            r.imm_or_rkey = 0xcafef00d;
            r.to = {&to, 0x012345, 0x11111111, 0};
        };
        make["dci_send_inline"] = [&](auto &r) {
            data(r, send_op::send, &hello_piece, 1, send_signaled | send_inline);
            r.to = {&to, 0x054321, 0, 0x0123456789abcdef};
        };
        make["dci_rdma_write"] = [&](auto &r) {
            remote(r, send_op::rdma_write, &piece, send_signaled);
            r.to = {&to, 0x054321, 0, 0x0123456789abcdef};
        };
        make["dci_atomic_add"] = [&](auto &r) {
            add(r, send_op::atomic_add, &eight);
            r.to = {&to, 0x054321, 0, 0x0123456789abcdef};
        };
        make["xrc_send"] = [&](auto &r) {
            data(r, send_op::send, &piece, 1, send_signaled);
            r.xrc_srqn = 0x123456;
        };
        make["xrc_rdma_read"] = [&](auto &r) {
            remote(r, send_op::rdma_read, &piece, send_signaled);
            r.xrc_srqn = 0x123456;
        };
        make["xrc_masked_cas_8"] = [&](auto &r) {
            make["masked_cas_8"](r);
            r.xrc_srqn = 0x123456;
        };
        make["uc_rdma_write"] = [&](auto &r) {
            remote(r, send_op::rdma_write, &piece, send_signaled);
        };
    }
    void fill() {
        fill_wire();
        fill_atomics();
        fill_keys();
        fill_cross_channel();
        fill_transports();
    }
};

wq::transport transport_of(const std::string &name) {
    if (name.starts_with("ud_")) return transport::ud;
    if (name.starts_with("uc_")) return transport::uc;
    if (name.starts_with("dci_")) return transport::dci;
    if (name.starts_with("xrc_")) return transport::xrc;
    return transport::rc;
}

pair_options options_for(const std::string &name) {
    pair_options o;
    o.transport = transport_of(name);
    o.master = true;
    return o;
}

// The bytes of the WQE at a slot of the ring, put together where they wrap.
golden::bytes wqe_at(pair &p, std::uint32_t slot, std::size_t size) {
    golden::bytes b;
    for (std::size_t i = 0; i < size; ++i)
        b.push_back(std::uint8_t(p.sq_ring.data()[(slot * 64 + i) % p.sq_ring.size()]));
    return b;
}

void check_at(const std::string &name, const std::string &digits, requests &all, unsigned turn,
              std::uint32_t slot) {
    pair p(qpn, options_for(name));
    REQUIRE(p.sq_error == error::none);
    p.advance(turn * p.qp.sq.wqebbs() + slot);
    std::memset(p.sq_ring.data(), 0xa5, p.sq_ring.size());
    send_request r;
    all.make.at(name)(r);
    const std::uint16_t index = std::uint16_t(p.qp.sq.producer());
    INFO(name << " at slot " << slot << " in turn " << turn);
    REQUIRE(p.qp.sq.post(r) == error::none);
    const golden::bytes expected = golden::with_index(digits, index);
    CHECK(golden::hex(wqe_at(p, slot, expected.size())) == golden::hex(expected));
    CHECK(std::uint16_t(p.qp.sq.producer() - index) == (expected.size() + 63) / 64);
    // Nothing else was touched.
    const std::size_t rest = p.sq_ring.size() - expected.size();
    const golden::bytes whole = wqe_at(p, slot, p.sq_ring.size());
    CHECK(golden::bytes(whole.end() - std::ptrdiff_t(rest), whole.end()) ==
          golden::bytes(rest, 0xa5));
}

} // namespace

TEST_CASE("every send WQE is what the specification says, at the last slots of a ring", "[wq]") {
    requests all;
    const auto entries = golden::read("wq_send.txt");
    REQUIRE(entries.size() == all.make.size());
    for (const auto &[name, digits] : entries)
        for (std::uint32_t slot : {4, 5, 6, 7})
            check_at(name, digits, all, 0, slot);
}

TEST_CASE("a WQE's index is that of its turn", "[wq]") {
    requests all;
    const auto entries = golden::read("wq_send.txt");
    for (const char *name : {"send", "rdma_write", "wait_cq", "umr_klm"})
        check_at(name, entries.at(name), all, 3, 6);
    // 65534, 65535, and 0 again; some go across it.
    for (const auto &[name, digits] : entries) {
        for (std::uint32_t slot : {6, 7})
            check_at(name, digits, all, 8191, slot);
        check_at(name, digits, all, 8192, 0);
    }
}

TEST_CASE("bug 60: a signature covers the whole WQE and nothing else", "[wq][bugs]") {
    // Three units, worked out by hand: the exclusive or of all bytes is 0xff.
    pair_options o;
    o.signature = true;
    pair p(qpn, o);
    p.advance(7);
    requests all;
    send_request r;
    all.make["send"](r);
    REQUIRE(p.qp.sq.post(r) == error::none);
    const golden::bytes w = wqe_at(p, 7, 48);
    CHECK(w[8] == 0xb8);
    CHECK(std::accumulate(w.begin(), w.end(), 0, [](int a, int b) { return a ^ b; }) == 0xff);
    // A WQE that wraps is signed across the ring's end.
    pair q(qpn, o);
    q.advance(7);
    all.make["rdma_write"](r);
    REQUIRE(q.qp.sq.post(r) == error::none);
    const golden::bytes v = wqe_at(q, 7, 112);
    CHECK(std::accumulate(v.begin(), v.end(), 0, [](int a, int b) { return a ^ b; }) == 0xff);
}

TEST_CASE("bug 60: queue numbers have 24 bits, and no more", "[wq][bugs]") {
    pair p(0xffffff);
    REQUIRE(p.sq_error == error::none);
    send_request r;
    r.op = send_op::nop;
    REQUIRE(p.qp.sq.post(r) == error::none);
    CHECK(prm::load_be<std::uint32_t>(p.sq_ring.data() + 4) == 0xffffff01);
    CHECK(pair(0x1000000).sq_error == error::bad_number);
    CHECK(pair(0x1000000).rq_error == error::bad_number);
}

TEST_CASE("bug 60: nothing of an older WQE is left in a newer one", "[wq][bugs]") {
    requests all;
    pair p(qpn, options_for(""));
    send_request r;
    all.make["rdma_write_imm"](r);
    r.flags |= send_solicited | send_fence;
    for (int i = 0; i < 8; ++i)
        REQUIRE(p.qp.sq.post(r) == error::none);
    p.drain();
    send_request plain;
    all.make["send_empty"](plain);
    plain.flags = 0;
    REQUIRE(p.qp.sq.post(plain) == error::none);
    CHECK(golden::hex(wqe_at(p, 0, 16)) ==
          golden::hex(golden::with_index("00wwww0aabcdef010000000000000000", 8)));
}

TEST_CASE("bug 68: value and mask are given in host order and stand big-endian", "[wq][bugs]") {
    requests all;
    pair p(qpn, options_for(""));
    send_request r;
    all.make["wait_data"](r);
    r.wait_data.value = 1;
    r.wait_data.mask = 0xff;
    // The convention, once for all builders: none is success.
    REQUIRE(p.qp.sq.post(r) == error::none);
    CHECK(prm::load_be<std::uint64_t>(p.sq_ring.data() + 0x20) == 1);
    CHECK(std::uint8_t(p.sq_ring.data()[0x27]) == 1);
    CHECK(std::uint8_t(p.sq_ring.data()[0x2f]) == 0xff);
    r.wait_data.addr += 4;
    CHECK(p.qp.sq.post(r) == error::misaligned);
}

TEST_CASE("the request after a change of keys is fenced, the one after that is not", "[wq]") {
    requests all;
    pair_options o = options_for("");
    o.wqebbs = 64;
    pair p(qpn, o);
    send_request key, plain, fenced;
    all.make["local_inval"](key);
    all.make["send_empty"](plain);
    fenced = plain;
    fenced.flags = send_fence;
    plain.flags = 0;
    auto fm = [&](const send_request &r) {
        const std::uint32_t slot = p.qp.sq.producer();
        REQUIRE(p.qp.sq.post(r) == error::none);
        return prm::load_be<std::uint32_t>(p.sq_ring.data() + slot * 64 + 8) >> 5;
    };
    CHECK(fm(plain) == 0);
    CHECK(fm(key) == 0);
    CHECK(fm(plain) == 1); // initiator small
    CHECK(fm(plain) == 0);
    CHECK(fm(key) == 0);
    CHECK(fm(fenced) == 4); // small and fence says more
    CHECK(fm(plain) == 0);
    CHECK(fm(key) == 0);
    CHECK(fm(key) == 1);
}

TEST_CASE("an address that does not fit its fields is refused", "[wq]") {
    wq::address a;
    address_info i;
    CHECK(make_address(i, a));
    i.sl = 16;
    CHECK_FALSE(make_address(i, a));
    i = {};
    i.flow_label = 1u << 20;
    CHECK_FALSE(make_address(i, a));
    i = {};
    i.source_gid_index = 1024;
    CHECK_FALSE(make_address(i, a));
}
