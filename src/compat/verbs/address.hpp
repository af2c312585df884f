// SPDX-License-Identifier: MIT
#pragma once

#include <cstring>

#include <kdevx/ah.h>

#include "compat/verbs/api.hpp"

namespace kdevx::verbs {

inline kdevx_address address_of(const ibv_ah_attr &from) noexcept {
    kdevx_address to{};
    std::memcpy(to.dgid, from.grh.dgid.raw, sizeof to.dgid);
    to.flow_label = from.grh.flow_label;
    to.dlid = from.dlid;
    to.sgid_index = from.grh.sgid_index;
    to.hop_limit = from.grh.hop_limit;
    to.traffic_class = from.grh.traffic_class;
    to.sl = from.sl;
    to.src_path_bits = from.src_path_bits;
    to.static_rate = from.static_rate;
    to.is_global = from.is_global;
    to.port_num = from.port_num;
    return to;
}

inline ibv_ah_attr attr_of(const kdevx_address &from) noexcept {
    ibv_ah_attr to{};
    std::memcpy(to.grh.dgid.raw, from.dgid, sizeof from.dgid);
    to.grh.flow_label = from.flow_label;
    to.grh.sgid_index = from.sgid_index;
    to.grh.hop_limit = from.hop_limit;
    to.grh.traffic_class = from.traffic_class;
    to.dlid = from.dlid;
    to.sl = from.sl;
    to.src_path_bits = from.src_path_bits;
    to.static_rate = from.static_rate;
    to.is_global = from.is_global;
    to.port_num = from.port_num;
    return to;
}

} // namespace kdevx::verbs
