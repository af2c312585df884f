// SPDX-License-Identifier: MIT
#include "world.hpp"

#include <algorithm>

namespace mock {

world::world() {
    k.on_get_context = [](mlx5_ib_alloc_ucontext_resp &r) {
        r.comp_mask = 1;
        r.clock_info_versions = 1;
        r.hca_core_clock_offset = 0x80;
    };
    context = k.open();
    REQUIRE(kdevx_pd_alloc(context, &pd, &why) == 0);
    make_memory();
    make_queues();
    make_rings();
    make_steering();
}

void world::make_memory() {
    static bytes in = random_bytes(64), out(64);
    const std::uint32_t page = KDEVX_UAR_NC_DEDICATED;
    const kdevx_address to{};
    REQUIRE(kdevx_object_create(context, in.data(), 64, out.data(), 64, &object, &why) == 0);
    REQUIRE(kdevx_umem_reg(context, in.data(), 64, nullptr, &umem, &why) == 0);
    REQUIRE(kdevx_uar_alloc(context, &page, 1, &uar, &why) == 0);
    REQUIRE(kdevx_cmd_comp_create(context, &cmd_comp, &why) == 0);
    REQUIRE(kdevx_event_channel_create(context, 0, &event_channel, &why) == 0);
    REQUIRE(kdevx_async_fd_create(context, &async_fd, &why) == 0);
    REQUIRE(kdevx_comp_channel_create(context, &comp_channel, &why) == 0);
    REQUIRE(kdevx_xrcd_open(context, &xrcd, &why) == 0);
    REQUIRE(kdevx_var_alloc(context, 0, &var, &why) == 0);
    REQUIRE(kdevx_pp_alloc(context, in.data(), 48, 0, &pp, &why) == 0);
    REQUIRE(kdevx_clock_open(context, &clock, &why) == 0);
    REQUIRE(kdevx_dm_alloc(context, KDEVX_DM_MEMIC, 64, 0, &dm, &why) == 0);
    REQUIRE(kdevx_mr_reg(pd, in.data(), 64, 0, 1, &mr, &why) == 0);
    REQUIRE(kdevx_ah_create(pd, &to, &ah, &why) == 0);
}

void world::make_queues() {
    auto co = sized<kdevx_cq_options>();
    co.cqe = 7;
    REQUIRE(kdevx_cq_create(context, &co, &cq, &why) == 0);
    auto so = sized<kdevx_srq_options>();
    so.max_wr = 7;
    REQUIRE(kdevx_srq_create(pd, &so, &srq, &why) == 0);
    auto qo = sized<kdevx_qp_options>();
    qo.type = KDEVX_QP_RC;
    qo.send_cq = qo.recv_cq = cq;
    qo.max_send_wr = qo.max_recv_wr = 4;
    REQUIRE(kdevx_qp_create(pd, &qo, &qp, &why) == 0);
    auto wo = sized<kdevx_wq_options>();
    wo.max_wr = 4;
    wo.cq = cq;
    REQUIRE(kdevx_wq_create(pd, &wo, &wq, &why) == 0);
    REQUIRE(kdevx_ind_table_create(context, 0, &wq, &ind_table, &why) == 0);
}

void world::make_rings() {
    REQUIRE(kdevx_cq_ring_create(cq, &cq_ring, &why) == 0);
    REQUIRE(kdevx_srq_ring_create(srq, nullptr, &srq_ring, &why) == 0);
    auto o = sized<kdevx_qp_ring_options>();
    o.send_cq = o.recv_cq = cq_ring;
    REQUIRE(kdevx_qp_ring_create(qp, &o, &qp_ring, &why) == 0);
}

void world::make_steering() {
    static bytes match = random_bytes(64);
    auto mo = sized<kdevx_flow_matcher_options>();
    mo.mask = match.data();
    mo.mask_size = 64;
    REQUIRE(kdevx_flow_matcher_create(context, &mo, &flow_matcher, &why) == 0);
    REQUIRE(kdevx_modify_header_create(context, match.data(), 16, KDEVX_FT_NIC_RX, &flow_action,
                                       &why) == 0);
    auto fo = sized<kdevx_flow_options>();
    fo.match_value = match.data();
    fo.match_value_size = 64;
    fo.flags = KDEVX_FLOW_DROP;
    REQUIRE(kdevx_flow_create(flow_matcher, &fo, &flow, &why) == 0);
    REQUIRE(kdevx_steering_anchor_create(context, KDEVX_FT_RDMA_RX, 0, &steering_anchor, &why) ==
            0);
}

void world::end_from(const void *first) {
    bool done = false;
    auto one = [&](auto *&p) {
        done = done || (first && p == first);
        return std::exchange(p, nullptr);
    };
#define KIND(noun, end_of_it)                                                                      \
    [&] {                                                                                          \
        if (!noun || done) return;                                                                 \
        CHECK(end(one(noun), &why) == 0);                                                          \
    },
    std::function<void()> ends[] = {KDEVX_KINDS(KIND)};
#undef KIND
    for (auto end_one = std::rbegin(ends); end_one != std::rend(ends); ++end_one)
        (*end_one)();
}

void world::gone(const void *ended) {
    if (context == ended) context = nullptr;
#define KIND(noun, end_of_it)                                                                      \
    if (noun == ended) noun = nullptr;
    KDEVX_KINDS(KIND)
#undef KIND
}

world::~world() {
    end_from(nullptr);
    close();
    for (kernel *one : {&k, &spare}) {
        CHECK(one->live() == 0);
        CHECK(one->broken_rules.empty());
    }
}

} // namespace mock
