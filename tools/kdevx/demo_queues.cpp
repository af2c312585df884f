// SPDX-License-Identifier: MIT
#include "demo_queues.hpp"

#include "kdevx/prm/opcodes.hpp"

namespace kdevx::tool::demo {

prm::mailbox<prm::create_cq_in> create_cq(const ids &i) {
    prm::mailbox<prm::create_cq_in> m;
    m.set<"opcode", prm::op<"CREATE_CQ">>();
    m.set<"cq_umem_id">(i.umem).set<"cq_umem_offset">(cq_offset);
    m.set<"cq_context.dbr_umem_id">(i.umem).set<"cq_context.dbr_addr">(cq_dbr_offset);
    m.set<"cq_context.log_cq_size">(log_cq_size).set<"cq_context.uar_page">(i.uar_page);
    m.set<"cq_context.c_eqn_or_apu_element">(i.eqn);
    return m;
}

prm::mailbox<prm::create_qp_in> create_qp(const ids &i) {
    prm::mailbox<prm::create_qp_in> m;
    m.set<"opcode", prm::op<"CREATE_QP">>();
    m.set<"wq_umem_id">(i.umem).set<"wq_umem_offset">(wq_offset);
    m.set<"qpc.dbr_umem_id">(i.umem).set<"qpc.dbr_addr">(qp_dbr_offset);
    m.set<"qpc.st", prm::value_of<prm::qpc_service_types, "RC">>();
    m.set<"qpc.pm_state", prm::value_of<prm::qpc_pm_states, "MIGRATED">>();
    m.set<"qpc.pd">(i.pd).set<"qpc.uar_page">(i.uar_page);
    m.set<"qpc.log_sq_size">(log_sq_size).set<"qpc.log_rq_size">(log_rq_size);
    m.set<"qpc.cqn_snd">(i.cqn).set<"qpc.cqn_rcv">(i.cqn);
    return m;
}

prm::mailbox<prm::rst2init_qp_in> to_init(const ids &i) {
    prm::mailbox<prm::rst2init_qp_in> m;
    m.set<"opcode", prm::op<"RST2INIT_QP">>();
    m.set<"qpn">(i.qpn);
    m.set<"qpc.pm_state", prm::value_of<prm::qpc_pm_states, "MIGRATED">>();
    m.set<"qpc.rre", 1>().set<"qpc.rwe", 1>();
    m.set<"qpc.primary_address_path.vhca_port_num", 1>();
    return m;
}

prm::mailbox<prm::init2rtr_qp_in> to_rtr(const ids &i, const path &p) {
    prm::mailbox<prm::init2rtr_qp_in> m;
    m.set<"opcode", prm::op<"INIT2RTR_QP">>();
    m.set<"qpn">(i.qpn).set<"qpc.remote_qpn">(i.qpn);
    m.set<"qpc.mtu", prm::value_of<prm::qpc_mtus, "1K_BYTES">>();
    m.set<"qpc.log_msg_max", 30>().set<"qpc.min_rnr_nak", 12>();
    m.set<"qpc.primary_address_path.fl", 1>(); // do not leave the device
    m.set<"qpc.primary_address_path.vhca_port_num", 1>();
    m.set<"qpc.primary_address_path.rlid">(p.lid);
    m.set<"qpc.primary_address_path.grh">(p.grh);
    m.set<"qpc.primary_address_path.hop_limit">(p.grh ? 64 : 0);
    m.set_bytes<"qpc.primary_address_path.rgid_rip">(p.gid);
    return m;
}

prm::mailbox<prm::rtr2rts_qp_in> to_rts(const ids &i) {
    prm::mailbox<prm::rtr2rts_qp_in> m;
    m.set<"opcode", prm::op<"RTR2RTS_QP">>();
    m.set<"qpn">(i.qpn);
    m.set<"qpc.retry_count", 7>().set<"qpc.rnr_retry", 7>();
    m.set<"qpc.primary_address_path.ack_timeout", 14>();
    return m;
}

prm::mailbox<prm::query_qp_in> query_qp(const ids &i) {
    prm::mailbox<prm::query_qp_in> m;
    m.set<"opcode", prm::op<"QUERY_QP">>();
    m.set<"qpn">(i.qpn);
    return m;
}

prm::mailbox<prm::query_cq_in> query_cq(const ids &i) {
    prm::mailbox<prm::query_cq_in> m;
    m.set<"opcode", prm::op<"QUERY_CQ">>();
    m.set<"cqn">(i.cqn);
    return m;
}

} // namespace kdevx::tool::demo
