// SPDX-License-Identifier: MIT
// The registry of all commands: each noun's group, joined. At compile time one filters it into a
// table of what one needs; the HCA and the decoder walk it.
#pragma once

#include "kdevx/prm/command.hpp"
#include "kdevx/prm/cong.hpp"
#include "kdevx/prm/counter.hpp"
#include "kdevx/prm/cq.hpp"
#include "kdevx/prm/crypto.hpp"
#include "kdevx/prm/dct.hpp"
#include "kdevx/prm/eq.hpp"
#include "kdevx/prm/flow.hpp"
#include "kdevx/prm/flow_action.hpp"
#include "kdevx/prm/general.hpp"
#include "kdevx/prm/hca.hpp"
#include "kdevx/prm/l2.hpp"
#include "kdevx/prm/lag.hpp"
#include "kdevx/prm/mad.hpp"
#include "kdevx/prm/mkey.hpp"
#include "kdevx/prm/pd.hpp"
#include "kdevx/prm/port.hpp"
#include "kdevx/prm/qp_transitions.hpp"
#include "kdevx/prm/roce.hpp"
#include "kdevx/prm/sched.hpp"
#include "kdevx/prm/srq.hpp"
#include "kdevx/prm/tir.hpp"
#include "kdevx/prm/umem.hpp"
#include "kdevx/prm/vhca.hpp"
#include "kdevx/prm/vport.hpp"
#include "kdevx/prm/wq.hpp"
#include "kdevx/prm/xrq.hpp"

namespace kdevx::prm {

template <std::size_t... N>
consteval auto join(const command_group<N> &...groups) {
    std::array<command, (N + ...)> all{};
    std::size_t i = 0;
    auto append = [&](const auto &rows) {
        for (const command &row : rows)
            all[i++] = row;
    };
    (append(groups.rows), ...);
    return all;
}

// clang-format off
inline constexpr auto commands = join(
    bring_up_commands, hca_commands, eq_commands, eqe_commands, pd_commands,
    transport_domain_commands, xrcd_commands, uctx_commands, umem_commands, uar_commands,
    mkey_commands, psv_commands, memory_commands, cq_commands, qp_commands, qp_kernel_commands,
    srq_commands, xrc_srq_commands, dct_commands, dct_kernel_commands, xrq_commands, rq_commands,
    sq_commands, rmp_commands, rqt_commands, delay_drop_commands, tir_commands, tis_commands,
    flow_table_commands, flow_group_commands, fte_commands, flow_root_commands,
    modify_header_commands, packet_reformat_commands, steering_commands, q_counter_commands,
    flow_counter_commands, monitor_commands, general_object_commands, vhca_access_commands,
    crypto_commands, scheduling_commands, rate_limit_commands, vport_commands,
    vport_kernel_commands, roce_commands, roce_kernel_commands, l2_table_commands,
    vxlan_port_commands, mcg_commands, packet_log_commands, mad_commands, cong_commands,
    cong_kernel_commands, lag_commands, lag_kernel_commands, register_commands,
    register_kernel_commands, vhca_commands);
// clang-format on

// SET_FLOW_TABLE_ENTRY, SET_L2_TABLE_ENTRY and ADD_VXLAN_UDP_DPORT have two rows: DEVX sends them
// as a create (the first) and as a modify of what was created.
constexpr const command *find_command(std::uint16_t opcode) {
    for (const command &c : commands)
        if (c.opcode == opcode) return &c;
    return nullptr;
}
constexpr const command *find_command(std::uint16_t opcode, command_class cls) {
    for (const command &c : commands)
        if (c.opcode == opcode && c.cls == cls) return &c;
    return nullptr;
}
// The first command of a class for the objects that this opcode creates: how to query or destroy.
constexpr const command *find_related(std::uint16_t object, command_class cls) {
    for (const command &c : commands)
        if (object && c.object == object && c.cls == cls) return &c;
    return nullptr;
}
// May a program send this opcode by DEVX's method for this class? The general range is open, known
// opcode or not.
constexpr bool devx_accepts(std::uint16_t opcode, command_class cls) {
    if (cls == general && opcode >= general_first && opcode < general_end) return true;
    const command *c = find_command(opcode, cls);
    return c && c->devx && cls != destroy;
}

} // namespace kdevx::prm
