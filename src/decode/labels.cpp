// SPDX-License-Identifier: MIT
#include "decode/labels.hpp"

#include "kdevx/prm/commands.hpp"
#include "kdevx/prm/event.hpp"
#include "kdevx/prm/objects.hpp"

namespace kdevx::decode {

using namespace prm;

namespace {

enum class numbers { one, flags };

struct labelled {
    std::string_view layout, field; // an empty layout: this field name anywhere
    const values_base *table;
    numbers how = numbers::one;
};

// clang-format off
const labelled rows_with_labels[] = {
    {"",                       "opcode",               &opcodes},
    {"",                       "status",               &statuses},
    {"",                       "obj_type",             &object_types},
    {"",                       "table_type",           &flow_table_types},
    {"",                       "register_id",          &registers},
    {"",                       "ts_format",            &timestamp_formats},
    {"",                       "wq_type",              &wq_types},
    {"",                       "scheduling_hierarchy", &scheduling_hierarchies},
    {"alloc_modify_header_context_in", "table_type",   &flow_table_types},
    {"query_pages_in",         "op_mod",               &query_pages_ops},
    {"manage_pages_in",        "op_mod",               &manage_pages_ops},
    {"access_register_in",     "op_mod",               &access_register_ops},
    {"modify_cq_in",           "op_mod",               &modify_cq_ops},
    {"arm_rq_in",              "op_mod",               &arm_rq_ops},
    {"teardown_hca_in",        "profile",              &teardown_profiles},
    {"cqc",                    "status",               &cqc_statuses},
    {"cqc",                    "st",                   &cqc_states},
    {"cqc",                    "cqe_sz",               &cqe_sizes},
    {"cqc",                    "cq_period_mode",       &cq_period_modes},
    {"eqc",                    "status",               &eqc_statuses},
    {"eqc",                    "st",                   &eqc_states},
    {"qpc",                    "state",                &qpc_states},
    {"qpc",                    "st",                   &qpc_service_types},
    {"qpc",                    "pm_state",             &qpc_pm_states},
    {"qpc",                    "mtu",                  &qpc_mtus},
    {"qpc",                    "atomic_mode",          &qpc_atomic_modes},
    {"rqc",                    "state",                &rqc_states},
    {"rqc",                    "mem_rq_type",          &rqc_mem_rq_types},
    {"modify_rq_in",           "rq_state",             &rqc_states},
    {"sqc",                    "state",                &sqc_states},
    {"modify_sq_in",           "sq_state",             &sqc_states},
    {"rmpc",                   "state",                &rmpc_states},
    {"modify_rmp_in",          "rmp_state",            &rmpc_states},
    {"srqc",                   "state",                &srqc_states},
    {"xrc_srqc",               "state",                &xrc_srqc_states},
    {"dctc",                   "state",                &dctc_states},
    {"dctc",                   "mtu",                  &qpc_mtus},
    {"xrqc",                   "state",                &xrqc_states},
    {"xrqc",                   "topology",             &xrqc_topologies},
    {"xrqc",                   "offload",              &xrqc_offloads},
    {"tirc",                   "disp_type",            &tirc_disp_types},
    {"tirc",                   "rx_hash_fn",           &rx_hash_functions},
    {"dest_format_struct",     "destination_type",     &flow_destination_types},
    {"flow_context",           "action",               &flow_actions, numbers::flags},
    {"flow_table_context",     "table_miss_action",    &flow_miss_actions},
    {"packet_reformat_context_in", "reformat_type",    &reformat_types},
    {"set_action_in",          "action_type",          &header_actions},
    {"add_action_in",          "action_type",          &header_actions},
    {"copy_action_in",         "action_type",          &header_actions},
    {"set_action_in",          "field",                &header_fields},
    {"add_action_in",          "field",                &header_fields},
    {"copy_action_in",         "src_field",            &header_fields},
    {"copy_action_in",         "dst_field",            &header_fields},
    {"scheduling_context",     "element_type",         &scheduling_element_types},
    {"uctx",                   "cap",                  &uctx_caps, numbers::flags},
    {"query_vport_state_out",  "state",                &vport_states},
    {"eqe",                    "event_type",           &event_types},
    {"cq_error",               "syndrome",             &cq_error_syndromes},
    {"encryption_key_obj",     "key_size",             &key_sizes},
    {"encryption_key_obj",     "key_purpose",          &key_purposes},
};
// clang-format on

const labelled *table_for(const layout_base &in, const field &f) {
    const labelled *anywhere = nullptr;
    for (const labelled &l : rows_with_labels) {
        if (l.field != f.name) continue;
        if (l.layout == in.name) return &l;
        // A context's `status` is not a command's.
        if (l.layout.empty() && (f.name != "status" || in.find("syndrome"))) anywhere = &l;
    }
    return anywhere;
}

std::string flags(const values_base &table, std::uint64_t number) {
    std::string r;
    for (const value &v : table.rows)
        if (number & v.number) r += (r.empty() ? "" : "|") + std::string(v.name);
    return r;
}

} // namespace

std::string label_of(const layout_base &in, const field &f, std::uint64_t number) {
    const labelled *l = table_for(in, f);
    if (!l) return {};
    if (l->how == numbers::flags) return flags(*l->table, number);
    return number >> 32 ? std::string() : std::string(l->table->name_of(std::uint32_t(number)));
}

} // namespace kdevx::decode
