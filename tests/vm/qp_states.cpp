// SPDX-License-Identifier: MIT
#include "qp_states.hpp"

namespace kdevx::vm {
namespace {

outcome modify(const qp_ptr &qp, const kdevx_qp_attr &attr, std::uint32_t mask) {
    return call(kdevx_qp_modify, qp.get(), &attr, mask);
}

} // namespace

outcome set_state(const qp_ptr &qp, kdevx_qp_state state, std::uint32_t with) {
    auto attr = sized<kdevx_qp_attr>();
    attr.qp_state = std::uint8_t(state);
    attr.port_num = 1;
    return modify(qp, attr, KDEVX_QP_STATE | with);
}

outcome to_init(const qp_ptr &qp) {
    auto attr = sized<kdevx_qp_attr>();
    attr.qp_state = KDEVX_QPS_INIT;
    attr.port_num = 1;
    attr.access_flags = KDEVX_MR_REMOTE_WRITE | KDEVX_MR_REMOTE_READ;
    return modify(qp, attr,
                  KDEVX_QP_STATE | KDEVX_QP_PKEY_INDEX | KDEVX_QP_PORT | KDEVX_QP_ACCESS_FLAGS);
}

outcome to_rtr(const qp_ptr &qp, std::uint32_t dest_qpn) {
    auto attr = sized<kdevx_qp_attr>();
    attr.qp_state = KDEVX_QPS_RTR;
    attr.path_mtu = 5;
    attr.dest_qp_num = dest_qpn;
    attr.rq_psn = first_receive_psn;
    attr.max_dest_rd_atomic = 4;
    attr.min_rnr_timer = 12;
    attr.ah.dlid = 1;
    attr.ah.port_num = 1;
    return modify(qp, attr,
                  KDEVX_QP_STATE | KDEVX_QP_AV | KDEVX_QP_PATH_MTU | KDEVX_QP_DEST_QPN |
                      KDEVX_QP_RQ_PSN | KDEVX_QP_MAX_DEST_RD_ATOMIC | KDEVX_QP_MIN_RNR_TIMER);
}

outcome to_rts(const qp_ptr &qp, std::uint32_t first_psn) {
    auto attr = sized<kdevx_qp_attr>();
    attr.qp_state = KDEVX_QPS_RTS;
    attr.timeout = 14;
    attr.retry_cnt = 7;
    attr.rnr_retry = 6;
    attr.sq_psn = first_psn;
    attr.max_rd_atomic = 1;
    return modify(qp, attr,
                  KDEVX_QP_STATE | KDEVX_QP_TIMEOUT | KDEVX_QP_RETRY_CNT | KDEVX_QP_RNR_RETRY |
                      KDEVX_QP_SQ_PSN | KDEVX_QP_MAX_QP_RD_ATOMIC);
}

outcome dct_to_rtr(const qp_ptr &qp) {
    auto attr = sized<kdevx_qp_attr>();
    attr.qp_state = KDEVX_QPS_RTR;
    attr.path_mtu = 5;
    attr.min_rnr_timer = 12;
    attr.ah.port_num = 1;
    return modify(qp, attr,
                  KDEVX_QP_STATE | KDEVX_QP_AV | KDEVX_QP_PATH_MTU | KDEVX_QP_MIN_RNR_TIMER);
}

kdevx_qp_attr attr_of(const qp_ptr &qp) {
    auto attr = sized<kdevx_qp_attr>();
    REQUIRE(call(kdevx_qp_query, qp.get(), ~0u >> 1, &attr) == ok);
    return attr;
}

} // namespace kdevx::vm
