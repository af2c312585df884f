// SPDX-License-Identifier: MIT
#include "firmware/commands.hpp"

#include "firmware/bring_up.hpp"
#include "firmware/device_memory.hpp"
#include "firmware/general_object.hpp"
#include "firmware/keyed_object.hpp"
#include "firmware/packet_pacing.hpp"
#include "firmware/queues.hpp"
#include "firmware/registers.hpp"
#include "firmware/steering.hpp"
#include "firmware/vport.hpp"
#include "kdevx/prm/commands.hpp"

#include <algorithm>

namespace kdevx::hca::firmware {
namespace {

using prm::op;

constexpr bool driver_only = false, everybody = true;

// clang-format off
constexpr command_row rows[] = {
    // Bring-up.
    {op<"ENABLE_HCA">,                phase::off,         driver_only, enable_hca},
    {op<"DISABLE_HCA">,               phase::off,         driver_only, disable_hca},
    {op<"QUERY_ISSI">,                phase::off,         everybody,   query_issi},
    {op<"SET_ISSI">,                  phase::enabled,     driver_only, set_issi},
    {op<"QUERY_PAGES">,               phase::enabled,     driver_only, query_pages},
    {op<"MANAGE_PAGES">,              phase::off,         driver_only, manage_pages},
    {op<"QUERY_HCA_CAP">,             phase::enabled,     everybody,   query_hca_cap},
    {op<"SET_HCA_CAP">,               phase::enabled,     driver_only, set_hca_cap},
    {op<"INIT_HCA">,                  phase::enabled,     driver_only, init_hca},
    {op<"TEARDOWN_HCA">,              phase::enabled,     driver_only, teardown_hca},
    {op<"QUERY_ADAPTER">,             phase::enabled,     everybody,   query_adapter},
    {op<"QUERY_SPECIAL_CONTEXTS">,    phase::enabled,     driver_only, query_special_contexts},
    {op<"SET_DRIVER_VERSION">,        phase::enabled,     driver_only, set_driver_version},
    {op<"NOP">,                       phase::off,         everybody,   nop},
    {op<"ACCESS_REG">,                phase::enabled,     driver_only, access_reg},

    // Ports.
    {op<"QUERY_NIC_VPORT_CONTEXT">,   phase::initialized, everybody,   query_nic_vport_context},
    {op<"MODIFY_NIC_VPORT_CONTEXT">,  phase::initialized, driver_only, modify_nic_vport_context},
    {op<"QUERY_VPORT_STATE">,         phase::initialized, everybody,   query_vport_state},
    {op<"MODIFY_VPORT_STATE">,        phase::initialized, driver_only, modify_vport_state},
    {op<"QUERY_HCA_VPORT_CONTEXT">,   phase::initialized, everybody,   query_hca_vport_context},
    {op<"MODIFY_HCA_VPORT_CONTEXT">,  phase::initialized, driver_only, modify_hca_vport_context},
    {op<"QUERY_HCA_VPORT_GID">,       phase::initialized, driver_only, query_hca_vport_gid},
    {op<"QUERY_HCA_VPORT_PKEY">,      phase::initialized, driver_only, query_hca_vport_pkey},
    {op<"QUERY_VPORT_COUNTER">,       phase::initialized, everybody,   query_vport_counter},
    {op<"QUERY_VNIC_ENV">,            phase::initialized, everybody,   query_vnic_env},
    {op<"MAD_IFC">,                   phase::initialized, driver_only, mad_ifc},

    // Commands about one kind of object that are more than its modify mask.
    {op<"MODIFY_CQ">,                 phase::initialized, everybody,   modify_cq},
    {op<"RST2INIT_QP">,               phase::initialized, everybody,   modify_qp},
    {op<"INIT2INIT_QP">,              phase::initialized, everybody,   modify_qp},
    {op<"INIT2RTR_QP">,               phase::initialized, everybody,   modify_qp},
    {op<"RTR2RTS_QP">,                phase::initialized, everybody,   modify_qp},
    {op<"RTS2RTS_QP">,                phase::initialized, everybody,   modify_qp},
    {op<"SQERR2RTS_QP">,              phase::initialized, everybody,   modify_qp},
    {op<"SQD_RTS_QP">,                phase::initialized, everybody,   modify_qp},
    {op<"2ERR_QP">,                   phase::initialized, everybody,   modify_qp},
    {op<"2RST_QP">,                   phase::initialized, everybody,   modify_qp},
    {op<"ARM_RQ">,                    phase::initialized, everybody,   arm_srq},
    {op<"ARM_XRC_SRQ">,               phase::initialized, everybody,   arm_srq},
    {op<"ARM_XRQ">,                   phase::initialized, everybody,   arm_srq},
    {op<"DRAIN_DCT">,                 phase::initialized, everybody,   drain_dct},
    {op<"ARM_DCT_FOR_KEY_VIOLATION">, phase::initialized, everybody,   arm_dct},
    {op<"MODIFY_FLOW_TABLE">,         phase::initialized, everybody,   modify_flow_table},
    {op<"SET_FLOW_TABLE_ROOT">,       phase::initialized, driver_only, set_flow_table_root},
    {op<"SET_FLOW_TABLE_ENTRY">,      phase::initialized, everybody,   set_flow_entry},
    {op<"QUERY_FLOW_TABLE_ENTRY">,    phase::initialized, everybody,   query_flow_entry},
    {op<"DELETE_FLOW_TABLE_ENTRY">,   phase::initialized, everybody,   delete_flow_entry},
    {op<"QUERY_FLOW_COUNTER">,        phase::initialized, everybody,   query_flow_counter},
    {op<"MODIFY_GENERAL_OBJECT">,     phase::initialized, everybody,   modify_general_object},
    {op<"QUERY_GENERAL_OBJECT">,      phase::initialized, everybody,   query_general_object},
    {op<"DESTROY_GENERAL_OBJECT">,    phase::initialized, everybody,   destroy_general_object},

    // Resources that are no objects.
    {op<"ALLOC_MEMIC">,               phase::initialized, driver_only, alloc_memic},
    {op<"MODIFY_MEMIC">,              phase::initialized, driver_only, modify_memic},
    {op<"DEALLOC_MEMIC">,             phase::initialized, driver_only, dealloc_memic},
    {op<"SET_PP_RATE_LIMIT">,         phase::initialized, everybody,   set_pp_rate_limit},

    // Objects that the caller names.
    {op<"ATTACH_TO_MCG">,             phase::initialized, everybody,   attach_to_mcg},
    {op<"DETACH_FROM_MCG">,           phase::initialized, everybody,   detach_from_mcg},
    {op<"ADD_VXLAN_UDP_DPORT">,       phase::initialized, everybody,   add_vxlan_udp_dport},
    {op<"DELETE_VXLAN_UDP_DPORT">,    phase::initialized, everybody,   delete_vxlan_udp_dport},
    {op<"SET_L2_TABLE_ENTRY">,        phase::initialized, everybody,   set_l2_table_entry},
    {op<"QUERY_L2_TABLE_ENTRY">,      phase::initialized, everybody,   query_l2_table_entry},
    {op<"DELETE_L2_TABLE_ENTRY">,     phase::initialized, everybody,   delete_l2_table_entry},
};
// clang-format on

const command_row *find_row(std::uint16_t opcode) {
    auto found = std::ranges::find(rows, opcode, &command_row::opcode);
    return found == std::end(rows) ? nullptr : found;
}

syndrome check_lengths(command &c, const prm::command &row) {
    if (c.in.size() < row.in->size)
        return c.refuse(syndrome::inbox_too_short, "{} of {}", c.in.size(), row.in->size);
    // A destroy answers with its status alone, whatever its layout repeats of the inbox: the kernel
    // gives every one that it sends for DEVX the same 16 bytes of outbox.
    const std::size_t least =
        row.cls == prm::destroy ? prm::general_obj_out_cmd_hdr.size : row.out->size;
    if (c.out.size() < least)
        return c.refuse(syndrome::outbox_too_short, "{} of {}", c.out.size(), least);
    return syndrome::none;
}

syndrome check_sender(state &s, command &c, phase from, bool users) {
    if (s.at < from)
        return c.refuse(from == phase::enabled ? syndrome::not_enabled : syndrome::not_initialized,
                        "");
    if (c.uid != 0 && !users) return c.refuse(syndrome::privileged, "uid {}", c.uid);
    return syndrome::none;
}

// The driver writes the uid into every command that a program sends.
syndrome check_uid(state &s, command &c) {
    if (c.uid == 0 || c.uid == shared_uid || s.objects.find(kind::uctx, c.uid))
        return syndrome::none;
    return c.refuse(syndrome::unknown_uid, "uid {}", c.uid);
}

syndrome run_on_objects(state &s, command &c, const prm::command &row) {
    // Of several queries or modifies of one object, those without a handler are not supported.
    const object_type *type = find_type(row.object);
    if (!type || prm::find_related(row.object, row.cls) != &row)
        return c.refuse(syndrome::unknown_opcode, "");
    if (syndrome why = check_sender(s, c, phase::initialized, everybody); why != syndrome::none)
        return why;
    switch (row.cls) {
    case prm::create:
        return create_object(s, c, row, *type);
    case prm::query:
        return query_object(s, c, row, *type);
    case prm::destroy:
        return destroy_object(s, c, row, *type);
    case prm::modify:
        if (!type->modify_mask.empty()) return modify_object(s, c, row, *type);
        break;
    case prm::general:
        break;
    }
    return c.refuse(syndrome::unknown_opcode, "");
}

} // namespace

syndrome run_command(state &s, command &c) {
    const prm::command *registered = prm::find_command(c.opcode);
    if (!registered) return c.refuse(syndrome::unknown_opcode, "");
    syndrome why = check_lengths(c, *registered);
    if (why == syndrome::none) why = check_uid(s, c);
    if (why != syndrome::none) return why;
    const command_row *row = find_row(c.opcode);
    if (!row) return run_on_objects(s, c, *registered);
    why = check_sender(s, c, row->from, row->users);
    return why == syndrome::none ? row->run(s, c) : why;
}

std::span<const command_row> command_rows() {
    return rows;
}

void refuse_command(command &c, std::uint8_t status, std::uint32_t number) {
    std::ranges::fill(c.out, std::byte(0));
    prm::editor<prm::cmd_out>(c.out).set<"status">(status).set<"syndrome">(number);
}

void conclude(command &c, syndrome why) {
    if (why != syndrome::none) refuse_command(c, find_syndrome(why)->status, std::uint32_t(why));
}

void read_head(command &c) {
    const auto head = c.inbox<prm::general_obj_in_cmd_hdr>();
    c.opcode = std::uint16_t(head.get<"opcode">());
    c.uid = std::uint16_t(head.get<"uid">());
    c.op_mod = std::uint16_t(head.get<"obj_type">());
}

std::string opcode_name(std::uint16_t opcode) {
    const auto name = prm::opcodes.name_of(opcode);
    return fmt::format("{}({:#x})", name.empty() ? "?" : name, opcode);
}

} // namespace kdevx::hca::firmware
