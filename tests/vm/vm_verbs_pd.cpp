// SPDX-License-Identifier: MIT
// Protection domains, XRC domains, addresses.
#include "verbs.hpp"

#include <fcntl.h>
#include <unistd.h>

using namespace kdevx;
using namespace kdevx::vm;

TEST_CASE("a PD, and its number in DEVX", "[verbs][pd]") {
    bench b;
    pd_ptr one = make<pd_ptr>(kdevx_pd_alloc, b.context());
    pd_ptr two = make<pd_ptr>(kdevx_pd_alloc, b.context());
    CHECK(info_of(one).pdn != info_of(two).pdn);
    CHECK(info_of(one).handle != info_of(two).handle);
    CHECK(info_of(one).handle == 0); // as good as any other

    exchange key = b.mkey();
    key.set("memory_key_mkey_entry.pd", info_of(one).pdn);
    object_ptr mkey = b.create(key);
    // The kernel does not know that firmware's objects use it; the firmware does.
    CHECK(call(kdevx_pd_dealloc, one.get()) == failed(EBUSY, KDEVX_CAUSE_BUSY));
    mkey.reset();
    CHECK(call(kdevx_pd_dealloc, one.release()) == ok);
}

TEST_CASE("a PD without DEVX", "[verbs][pd]") {
    verbs v(KDEVX_DEVX_NEVER);
    CHECK(info_of(v.pd).pdn != 0);
}

TEST_CASE("a PD in use names one who uses it", "[verbs][pd]") {
    verbs v;
    pages memory(4096);
    mr_ptr mr = v.make_mr(memory);
    CHECK(call(kdevx_pd_dealloc, v.pd.get()) == held_by{KDEVX_KIND_MR, info_of(mr).handle});
    mr.reset();
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RC));
    CHECK(call(kdevx_pd_dealloc, v.pd.get()) == held_by{KDEVX_KIND_QP, info_of(qp).handle});
    CHECK(call(kdevx_cq_destroy, v.cq.get()) == held_by{KDEVX_KIND_QP, info_of(qp).handle});
    CHECK(info_of(v.pd).pdn != 0); // and is none the worse for it
}

TEST_CASE("an XRC domain of one's own, and one that is shared by a file", "[verbs][xrcd]") {
    context_ptr c = open_context(), other = open_context();
    xrcd_ptr own = make<xrcd_ptr>(kdevx_xrcd_open, c.get());
    CHECK(kdevx_xrcd_handle(own.get()) >= 0);

    const int file = open("/tmp/xrcd", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(file >= 0);
    CHECK(refusal_of<xrcd_ptr>(kdevx_xrcd_open_shared, c.get(), file, 0u) ==
          failed(EAGAIN, KDEVX_CAUSE_INVALID));
    xrcd_ptr first = make<xrcd_ptr>(kdevx_xrcd_open_shared, c.get(), file, unsigned(O_CREAT));
    CHECK(refusal_of<xrcd_ptr>(kdevx_xrcd_open_shared, c.get(), file, unsigned(O_CREAT | O_EXCL)) ==
          failed(EINVAL, KDEVX_CAUSE_INVALID));
    xrcd_ptr second = make<xrcd_ptr>(kdevx_xrcd_open_shared, other.get(), file, 0u);
    CHECK(refusal_of<xrcd_ptr>(kdevx_xrcd_open_shared, c.get(), -1, 0u) ==
          failed(EBADF, KDEVX_CAUSE_INVALID));
    close(file);
}

TEST_CASE("an XRC domain in use names one who uses it", "[verbs][xrcd]") {
    verbs v;
    xrcd_ptr domain = make<xrcd_ptr>(kdevx_xrcd_open, v.context.get());
    auto o = v.srq_of();
    o.type = KDEVX_SRQ_XRC;
    o.xrcd = domain.get();
    o.cq = v.cq.get();
    srq_ptr srq = v.make_srq(o);
    CHECK(call(kdevx_xrcd_close, domain.get()) == held_by{KDEVX_KIND_SRQ, info_of(srq).handle});
    srq.reset();
    auto target = v.qp_of(KDEVX_QP_XRC_TGT);
    target.xrcd = domain.get();
    qp_ptr qp = make<qp_ptr>(kdevx_qp_create_xrc_tgt, v.context.get(), &target);
    CHECK(call(kdevx_xrcd_close, domain.get()) == held_by{KDEVX_KIND_QP, info_of(qp).handle});
}

TEST_CASE("an address", "[verbs][ah]") {
    verbs v;
    kdevx_address to{};
    to.dlid = 7;
    to.port_num = 1;
    ah_ptr ah = make<ah_ptr>(kdevx_ah_create, v.pd.get(), &to);
    CHECK(info_of(ah).has_dmac == 0); // InfiniBand
    CHECK(call(kdevx_pd_dealloc, v.pd.get()) == held_by{KDEVX_KIND_AH, info_of(ah).handle});

    to.port_num = 9;
    CHECK(refusal_of<ah_ptr>(kdevx_ah_create, v.pd.get(), &to) ==
          failed(EINVAL, KDEVX_CAUSE_INVALID));
    to.port_num = 0;
    CHECK(refusal_of<ah_ptr>(kdevx_ah_create, v.pd.get(), &to) ==
          failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(refusal_of<ah_ptr>(kdevx_ah_create, v.pd.get(),
                             static_cast<const kdevx_address *>(nullptr)) ==
          failed(EINVAL, KDEVX_CAUSE_INVALID));
}
