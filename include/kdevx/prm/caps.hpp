// SPDX-License-Identifier: MIT
// Capability pages by type: what QUERY_HCA_CAP's `capability` holds.
#pragma once

#include "kdevx/prm/caps_flow.hpp"
#include "kdevx/prm/caps_general.hpp"
#include "kdevx/prm/caps_general_2.hpp"
#include "kdevx/prm/caps_offload.hpp"
#include "kdevx/prm/values.hpp"

namespace kdevx::prm {

// clang-format off
inline constexpr values cap_types{"MLX5_CAP_", {
    {"GENERAL",                 0x00},
    {"ETHERNET_OFFLOADS",       0x01},
    {"ODP",                     0x02},
    {"ATOMIC",                  0x03},
    {"ROCE",                    0x04},
    {"IPOIB_OFFLOADS",          0x05},
    {"IPOIB_ENHANCED_OFFLOADS", 0x06},
    {"FLOW_TABLE",              0x07},
    {"ESWITCH_FLOW_TABLE",      0x08},
    {"ESWITCH",                 0x09},
    {"QOS",                     0x0c},
    {"DEBUG",                   0x0d},
    {"DEV_MEM",                 0x0f},
    {"TLS",                     0x11},
    {"VDPA_EMULATION",          0x13},
    {"DEV_EVENT",               0x14},
    {"IPSEC",                   0x15},
    {"CRYPTO",                  0x1a},
    {"WQE_BASED_FLOW_TABLE",    0x1b},
    {"SHAMPO",                  0x1d},
    {"PSP",                     0x1e},
    {"MACSEC",                  0x1f},
    {"GENERAL_2",               0x20},
    {"PORT_SELECTION",          0x25},
    {"ADV_VIRTUALIZATION",      0x26},
    {"ADV_RDMA",                0x28},
    {"TLP_EMULATION",           0x2a},
}};
template <fixed_string Name>
inline constexpr std::uint32_t cap = value_of<cap_types, Name>;

inline constexpr variant cap_pages[] = {
    {cap<"GENERAL">,                 &cmd_hca_cap},
    {cap<"ETHERNET_OFFLOADS">,       &per_protocol_networking_offload_caps},
    {cap<"ODP">,                     &odp_cap},
    {cap<"ATOMIC">,                  &atomic_caps},
    {cap<"ROCE">,                    &roce_cap},
    {cap<"IPOIB_OFFLOADS">,          &per_protocol_networking_offload_caps},
    {cap<"IPOIB_ENHANCED_OFFLOADS">, &per_protocol_networking_offload_caps},
    {cap<"FLOW_TABLE">,              &flow_table_nic_cap},
    {cap<"ESWITCH_FLOW_TABLE">,      &flow_table_eswitch_cap},
    {cap<"ESWITCH">,                 &e_switch_cap},
    {cap<"QOS">,                     &qos_cap},
    {cap<"DEBUG">,                   &debug_cap},
    {cap<"DEV_MEM">,                 &device_mem_cap},
    {cap<"TLS">,                     &tls_cap},
    {cap<"VDPA_EMULATION">,          &virtio_emulation_cap},
    {cap<"DEV_EVENT">,               &device_event_cap},
    {cap<"IPSEC">,                   &ipsec_cap},
    {cap<"CRYPTO">,                  &crypto_cap},
    {cap<"WQE_BASED_FLOW_TABLE">,    &wqe_based_flow_table_cap},
    {cap<"SHAMPO">,                  &shampo_cap},
    {cap<"PSP">,                     &psp_cap},
    {cap<"MACSEC">,                  &macsec_cap},
    {cap<"GENERAL_2">,               &cmd_hca_cap_2},
    {cap<"PORT_SELECTION">,          &port_selection_cap},
    {cap<"ADV_VIRTUALIZATION">,      &adv_virtualization_cap},
    {cap<"ADV_RDMA">,                &adv_rdma_cap},
    {cap<"TLP_EMULATION">,           &tlp_dev_emu_capabilities},
};
// clang-format on

// What op_mod of QUERY_HCA_CAP asks for: a page, and of it what the device can or what is set now.
enum class cap_kind : std::uint16_t { maximum = 0, current = 1 };
constexpr std::uint16_t cap_op_mod(std::uint32_t page, cap_kind kind) {
    return std::uint16_t(page << 1 | std::uint16_t(kind));
}

} // namespace kdevx::prm
