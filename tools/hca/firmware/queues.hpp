// SPDX-License-Identifier: MIT
// From the contexts of queues and keys to queues that run and keys that translate: the hooks of
// object_types, and the commands that are about one kind only.
#pragma once

#include "firmware/state.hpp"

namespace kdevx::hca::firmware {

syndrome check_eq(state &s, command &c, object &o);
void start_eq(state &s, command &c, object &o);
void query_eq_counters(state &s, command &c, object &o);
syndrome stop_eq(state &s, command &c, object &o);

syndrome check_cq(state &s, command &c, object &o);
void start_cq(state &s, command &c, object &o);
void query_cq_counters(state &s, command &c, object &o);
syndrome stop_cq(state &s, command &c, object &o);
syndrome modify_cq(state &s, command &c);

syndrome check_mkey(state &s, command &c, object &o);
void start_mkey(state &s, command &c, object &o);
syndrome stop_mkey(state &s, command &c, object &o);

syndrome check_qp(state &s, command &c, object &o);
void start_qp(state &s, command &c, object &o);
void query_qp_counters(state &s, command &c, object &o);
syndrome stop_qp(state &s, command &c, object &o);
// RST2INIT_QP and all the others: the opcode says which.
syndrome modify_qp(state &s, command &c);

syndrome check_dct(state &s, command &c, object &o);
syndrome drain_dct(state &s, command &c);
syndrome arm_dct(state &s, command &c);

// Shared receive queues, in their four forms, and the command that arms each.
syndrome check_srq(state &s, command &c, object &o);
syndrome check_xrc_srq(state &s, command &c, object &o);
syndrome check_rmp(state &s, command &c, object &o);
syndrome check_xrq(state &s, command &c, object &o);
void start_srq(state &s, command &c, object &o);
syndrome stop_srq(state &s, command &c, object &o);
syndrome arm_srq(state &s, command &c);
syndrome change_rmp(state &s, command &c, object &o);

// Raw send and receive queues.
syndrome check_sq(state &s, command &c, object &o);
void start_sq(state &s, command &c, object &o);
syndrome change_sq(state &s, command &c, object &o);
void query_sq_state(state &s, command &c, object &o);
syndrome check_rq(state &s, command &c, object &o);
void start_rq(state &s, command &c, object &o);
syndrome change_rq(state &s, command &c, object &o);
void query_rq_state(state &s, command &c, object &o);
syndrome stop_wq(state &s, command &c, object &o);

// Where received packets go.
syndrome check_tir(state &s, command &c, object &o);
syndrome change_tir(state &s, command &c, object &o);
syndrome check_rqt(state &s, command &c, object &o);
syndrome change_rqt(state &s, command &c, object &o);
void query_rqt_list(state &s, command &c, object &o);

syndrome stop_uctx(state &s, command &c, object &o);
syndrome check_psv(state &s, command &c, object &o);

} // namespace kdevx::hca::firmware
