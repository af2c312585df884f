// SPDX-License-Identifier: MIT
// General objects by type: what follows the 16 bytes of header in the inbox that creates or
// modifies one, and in the outbox that queries it. A type that is missing has no public layout, or,
// like RESERVED_QPN, nothing but its header.
#pragma once

#include "kdevx/prm/crypto.hpp"
#include "kdevx/prm/general.hpp"
#include "kdevx/prm/virtio.hpp"

namespace kdevx::prm {

inline constexpr std::uint32_t object_offset = 0x10;

// clang-format off
inline constexpr variant object_layouts[] = {
    {object_type<"SW_ICM">,                 &sw_icm},
    {object_type<"GENEVE_TLV_OPT">,         &geneve_tlv_option},
    {object_type<"ENCRYPTION_KEY">,         &encryption_key_obj},
    {object_type<"VIRTIO_NET_Q">,           &virtio_net_q_object},
    {object_type<"IPSEC">,                  &ipsec_obj},
    {object_type<"MATCH_DEFINER">,          &match_definer},
    {object_type<"VIRTIO_Q_COUNTERS">,      &virtio_q_counters},
    {object_type<"SAMPLER">,                &sampler_obj},
    {object_type<"HEADER_MODIFY_ARGUMENT">, &modify_header_arg},
    {object_type<"FLOW_METER_ASO">,         &flow_meter_aso_obj},
    {object_type<"MACSEC">,                 &macsec_offload_obj},
    {object_type<"PAGE_TRACK">,             &page_track},
    {object_type<"INT_KEK">,                &int_kek_obj},
    {object_type<"FT_ALIAS">,               &alias_context},
};
// clang-format on

static_assert(general_obj_in_cmd_hdr.size == object_offset);
static_assert(general_obj_out_cmd_hdr.size == object_offset);

} // namespace kdevx::prm
