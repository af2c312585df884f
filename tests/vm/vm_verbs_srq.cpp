// SPDX-License-Identifier: MIT
// Shared receive queues of the verbs kind. To DEVX a basic one is an RMP, and the others are what
// they are called.
#include "verbs.hpp"

using namespace kdevx;
using namespace kdevx::vm;

namespace {


outcome refusal_of_srq(verbs &v, const kdevx_srq_options &o) {
    return refusal_of<srq_ptr>(kdevx_srq_create, v.pd.get(), &o);
}

kdevx_srq_attr attr_of(const srq_ptr &srq) {
    kdevx_srq_attr attr{};
    REQUIRE(call(kdevx_srq_query, srq.get(), &attr) == ok);
    return attr;
}

kdevx_srq_options tag_matching(verbs &v) {
    auto o = v.srq_of();
    o.type = KDEVX_SRQ_TM;
    o.cq = v.cq.get();
    o.max_num_tags = 31;
    o.user_index = 0x77;
    return o;
}

} // namespace

TEST_CASE("a basic SRQ is an RMP", "[verbs][srq]") {
    verbs v;
    auto o = v.srq_of(100);
    o.max_sge = 3;
    srq_ptr srq = v.make_srq(o);
    const auto info = info_of(srq);
    CHECK(info.wqe_count == 128);
    CHECK(info.wqe_shift == 6);
    CHECK(info.max_sge == 3);
    CHECK(info.memory.buffer_size == 128 * 64);
    const exchange seen = look("QUERY_RMP", kdevx_srq_devx_query, srq.get());
    CHECK(seen.get("rmp_context.wq.log_wq_sz") == 7);
    CHECK(seen.get("rmp_context.wq.log_wq_stride") == 6);
    CHECK(seen.get("rmp_context.wq.pd") == info_of(v.pd).pdn);
    CHECK(seen.get("rmp_context.state") == prm::value_of<prm::rmpc_states, "RDY">);

    exchange wrong("QUERY_XRC_SRQ");
    CHECK(devx(kdevx_srq_devx_query, srq.get(), wrong) == invalid);
}

TEST_CASE("the limit of an SRQ", "[verbs][srq]") {
    verbs v;
    srq_ptr srq = v.make_srq(v.srq_of(15));
    CHECK(attr_of(srq).max_wr == 15);
    CHECK(attr_of(srq).max_sge == 1);
    CHECK(attr_of(srq).limit == 0);
    REQUIRE(call(kdevx_srq_set_limit, srq.get(), 5u) == ok);
    CHECK(attr_of(srq).limit == 5);
    CHECK(look("QUERY_RMP", kdevx_srq_devx_query, srq.get()).get("rmp_context.wq.lwm") == 5);
    CHECK(call(kdevx_srq_set_limit, srq.get(), 16u) == invalid);
    // By DEVX; the verbs way asks the device, and sees it.
    exchange x("MODIFY_RMP");
    x.set("rmp_state", prm::value_of<prm::rmpc_states, "RDY">);
    x.set("ctx.state", prm::value_of<prm::rmpc_states, "RDY">);
    x.set("bitmask.lwm", 1).set("ctx.wq.lwm", 9);
    REQUIRE(devx(kdevx_srq_devx_modify, srq.get(), x) == ok);
    CHECK(attr_of(srq).limit == 9);
}

TEST_CASE("an SRQ of an XRC domain", "[verbs][srq]") {
    verbs v;
    xrcd_ptr domain = make<xrcd_ptr>(kdevx_xrcd_open, v.context.get());
    auto o = v.srq_of(31);
    o.type = KDEVX_SRQ_XRC;
    o.xrcd = domain.get();
    o.cq = v.cq.get();
    o.user_index = 0x4321;
    srq_ptr srq = v.make_srq(o);
    CHECK(attr_of(srq).max_wr == 31);
    REQUIRE(call(kdevx_srq_set_limit, srq.get(), 6u) == ok);
    CHECK(attr_of(srq).limit == 6);
    CHECK(call(kdevx_cq_destroy, v.cq.get()) == held_by{KDEVX_KIND_SRQ, info_of(srq).handle});

    // The kernel makes it in its own name, and the firmware knows whose it is.
    exchange x("QUERY_XRC_SRQ"), arm("ARM_XRC_SRQ");
    arm.set("op_mod", 1).set("lwm", 7);
    CHECK(devx(kdevx_srq_devx_query, srq.get(), x) == refused(because::not_the_owner));
    CHECK(devx(kdevx_srq_devx_modify, srq.get(), arm) == refused(because::not_the_owner));
    CHECK(attr_of(srq).limit == 6);
    exchange wrong("QUERY_RMP");
    CHECK(devx(kdevx_srq_devx_query, srq.get(), wrong) == invalid);
}

TEST_CASE("an SRQ that matches tags", "[verbs][srq]") {
    verbs v;
    srq_ptr srq = v.make_srq(tag_matching(v));
    const exchange seen = look("QUERY_XRQ", kdevx_srq_devx_query, srq.get());
    CHECK(seen.get("xrq_context.topology") == prm::value_of<prm::xrqc_topologies, "TAG_MATCHING">);
    CHECK(seen.get("xrq_context.user_index") == 0x77);
    CHECK(seen.get("xrq_context.tag_matching_topology_context.log_matching_list_sz") == 5);
    auto o = tag_matching(v);
    o.max_num_tags = 1 << 20; // log_tag_matching_list_sz
    CHECK(refusal_of_srq(v, o) == invalid);
}

TEST_CASE("SRQs that contradict themselves", "[verbs][srq]") {
    verbs v;
    xrcd_ptr domain = make<xrcd_ptr>(kdevx_xrcd_open, v.context.get());
    auto o = v.srq_of(0);
    CHECK(refusal_of_srq(v, o) == invalid);
    o = v.srq_of(1 << 20);
    CHECK(refusal_of_srq(v, o) == invalid);
    o = v.srq_of();
    o.max_sge = 1000;
    CHECK(refusal_of_srq(v, o) == invalid);
    o = v.srq_of();
    o.xrcd = domain.get();
    CHECK(refusal_of_srq(v, o) == invalid);
    o = v.srq_of();
    o.type = KDEVX_SRQ_XRC;
    CHECK(refusal_of_srq(v, o) == invalid);
    o = v.srq_of();
    o.type = 9;
    CHECK(refusal_of_srq(v, o) == invalid);
}
