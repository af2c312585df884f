// SPDX-License-Identifier: MIT
// Modify and query of a QP the verbs way.
#include <cstring>

#include "base/options.hpp"
#include "core/address.hpp"
#include "core/qp.hpp"
#include "core/write_command.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

constexpr std::uint32_t known_mask = (1u << 21) - 1 + KDEVX_QP_RATE_LIMIT;

ib_uverbs_qp_dest wire(const kdevx_address &a) {
    ib_uverbs_qp_dest w{};
    put_route(a, w);
    put_path(a, w);
    return w;
}

kdevx_address address_from(const ib_uverbs_qp_dest &w) {
    kdevx_address a{};
    std::memcpy(a.dgid, w.dgid, sizeof a.dgid);
    a.flow_label = w.flow_label;
    a.dlid = w.dlid;
    a.sgid_index = w.sgid_index;
    a.hop_limit = w.hop_limit;
    a.traffic_class = w.traffic_class;
    a.sl = w.sl;
    a.src_path_bits = w.src_path_bits;
    a.static_rate = w.static_rate;
    a.is_global = w.is_global;
    a.port_num = w.port_num;
    return a;
}

ib_uverbs_ex_modify_qp modify_request(const pin<qp> &q, const kdevx_qp_attr &a,
                                      std::uint32_t mask) {
    ib_uverbs_ex_modify_qp w{};
    ib_uverbs_modify_qp &b = w.base;
    b.dest = wire(a.ah);
    b.alt_dest = wire(a.alt_ah);
    b.qp_handle = q.handle();
    b.attr_mask = mask;
    b.qkey = a.qkey;
    b.rq_psn = a.rq_psn;
    b.sq_psn = a.sq_psn;
    b.dest_qp_num = a.dest_qp_num;
    b.qp_access_flags = a.access_flags;
    b.pkey_index = a.pkey_index;
    b.alt_pkey_index = a.alt_pkey_index;
    b.qp_state = a.qp_state;
    b.cur_qp_state = a.cur_qp_state;
    b.path_mtu = a.path_mtu;
    b.path_mig_state = a.path_mig_state;
    b.en_sqd_async_notify = a.en_sqd_async_notify;
    b.max_rd_atomic = a.max_rd_atomic;
    b.max_dest_rd_atomic = a.max_dest_rd_atomic;
    b.min_rnr_timer = a.min_rnr_timer;
    b.port_num = a.port_num;
    b.timeout = a.timeout;
    b.retry_cnt = a.retry_cnt;
    b.rnr_retry = a.rnr_retry;
    b.alt_port_num = a.alt_port_num;
    b.alt_timeout = a.alt_timeout;
    w.rate_limit = a.rate_limit;
    return w;
}

kdevx_qp_attr attributes(const ib_uverbs_query_qp_resp &w) {
    kdevx_qp_attr a{};
    a.size = sizeof a;
    a.ah = address_from(w.dest);
    a.alt_ah = address_from(w.alt_dest);
    a.max_send_wr = w.max_send_wr;
    a.max_recv_wr = w.max_recv_wr;
    a.max_send_sge = w.max_send_sge;
    a.max_recv_sge = w.max_recv_sge;
    a.max_inline_data = w.max_inline_data;
    a.qkey = w.qkey;
    a.rq_psn = w.rq_psn;
    a.sq_psn = w.sq_psn;
    a.dest_qp_num = w.dest_qp_num;
    a.access_flags = w.qp_access_flags;
    a.pkey_index = w.pkey_index;
    a.alt_pkey_index = w.alt_pkey_index;
    a.qp_state = w.qp_state;
    a.cur_qp_state = w.cur_qp_state;
    a.path_mtu = w.path_mtu;
    a.path_mig_state = w.path_mig_state;
    a.sq_draining = w.sq_draining;
    a.max_rd_atomic = w.max_rd_atomic;
    a.max_dest_rd_atomic = w.max_dest_rd_atomic;
    a.min_rnr_timer = w.min_rnr_timer;
    a.port_num = w.port_num;
    a.timeout = w.timeout;
    a.retry_cnt = w.retry_cnt;
    a.rnr_retry = w.rnr_retry;
    a.alt_port_num = w.alt_port_num;
    a.alt_timeout = w.alt_timeout;
    return a;
}

// From each state, the states that any transition of any type leads to. RESET and ERR always.
constexpr unsigned one(unsigned state) {
    return 1u << state;
}
constexpr unsigned reachable[] = {
    /* RESET */ one(KDEVX_QPS_INIT),
    /* INIT  */ one(KDEVX_QPS_INIT) | one(KDEVX_QPS_RTR),
    /* RTR   */ one(KDEVX_QPS_RTS),
    /* RTS   */ one(KDEVX_QPS_RTS) | one(KDEVX_QPS_SQD),
    /* SQD   */ one(KDEVX_QPS_SQD) | one(KDEVX_QPS_RTS),
    /* SQE   */ one(KDEVX_QPS_RTS),
    /* ERR   */ 0,
};
constexpr unsigned from_anywhere = one(KDEVX_QPS_RESET) | one(KDEVX_QPS_ERR);

// Only what contradicts itself: what the library believes of the QP may be out of date.
result<void> check_attr(const kdevx_qp_attr &a, std::uint32_t mask) {
    constexpr std::uint32_t both = KDEVX_QP_STATE | KDEVX_QP_CUR_STATE;
    if (mask & ~known_mask) return invalid("attr_mask", mask, known_mask);
    if ((mask & KDEVX_QP_STATE) && a.qp_state > KDEVX_QPS_ERR)
        return invalid("qp_state", a.qp_state, KDEVX_QPS_ERR);
    if ((mask & KDEVX_QP_CUR_STATE) && a.cur_qp_state > KDEVX_QPS_ERR)
        return invalid("cur_qp_state", a.cur_qp_state, KDEVX_QPS_ERR);
    if ((mask & both) == both && !(one(a.qp_state) & (reachable[a.cur_qp_state] | from_anywhere)))
        return invalid("qp_state", a.qp_state, a.cur_qp_state);
    return {};
}

// Sent only where it says something: older kernels want none of it otherwise.
bool has_driver_part(const kdevx_qp_attr &a) {
    return a.ece_options || a.max_burst_sz || a.typical_pkt_sz;
}

void note(qp &q, const kdevx_qp_attr &a, std::uint32_t mask, const mlx5_ib_modify_qp_resp &r) {
    if (mask & KDEVX_QP_STATE) q.state = a.qp_state;
    if (r.response_length >= offsetof(mlx5_ib_modify_qp_resp, reserved))
        q.ece_options = r.ece_options;
    bool became_dct = q.type == KDEVX_QP_DCT && (mask & KDEVX_QP_STATE) &&
                      a.qp_state == KDEVX_QPS_RTR && r.response_length;
    if (!became_dct) return;
    q.dctn = r.dctn;
    q.ids |= KDEVX_QP_HAS_DCTN;
}

} // namespace

result<void> modify_qp(const pin<qp> &q, const kdevx_qp_attr *given, std::uint32_t mask) noexcept {
    if (!given) return invalid("attr");
    result<kdevx_qp_attr> a = read_options(given, "attr");
    if (!a) return a.failure();
    if (result<void> r = check_attr(*a, mask); !r) return r;
    ib_uverbs_ex_modify_qp in = modify_request(q, *a, mask);
    ib_uverbs_ex_modify_qp_resp out{};
    mlx5_ib_modify_qp driver_in{};
    driver_in.burst_info = {a->max_burst_sz, a->typical_pkt_sz, 0};
    driver_in.ece_options = a->ece_options;
    mlx5_ib_modify_qp_resp driver_out{};
    result<void> r = write_command<"IB_USER_VERBS_EX_CMD_MODIFY_QP">(
        q.file(), in, out, has_driver_part(*a) ? bytes_of(driver_in) : const_bytes{},
        bytes_of(driver_out));
    if (r) note(*q, *a, mask, driver_out);
    return r;
}

result<kdevx_qp_attr> query_qp(const pin<qp> &q, std::uint32_t mask) noexcept {
    ib_uverbs_query_qp in{};
    in.qp_handle = q.handle();
    in.attr_mask = mask;
    ib_uverbs_query_qp_resp out{};
    result<void> r = write_command<"IB_USER_VERBS_CMD_QUERY_QP">(q.file(), in, out);
    if (!r) return r.failure();
    q->state = out.qp_state;
    return attributes(out);
}

} // namespace kdevx::core
