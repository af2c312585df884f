// SPDX-License-Identifier: MIT
// Where packets go: the same members on both sides, but for the route, which libibverbs keeps
// apart.
#pragma once

#include <cstring>

#include <kdevx/ah.h>

#include "compat/verbs/api.hpp"

namespace kdevx::verbs {

template <class To, class From>
void copy_path(To &to, const From &from) noexcept {
    to.dlid = from.dlid;
    to.sl = from.sl;
    to.src_path_bits = from.src_path_bits;
    to.static_rate = from.static_rate;
    to.is_global = from.is_global;
    to.port_num = from.port_num;
}
template <class To, class From>
void copy_route(To &to, const From &from) noexcept {
    std::memcpy(&to.dgid, &from.dgid, sizeof to.dgid);
    static_assert(sizeof to.dgid == sizeof from.dgid);
    to.flow_label = from.flow_label;
    to.sgid_index = from.sgid_index;
    to.hop_limit = from.hop_limit;
    to.traffic_class = from.traffic_class;
}

inline kdevx_address address_of(const ibv_ah_attr &from) noexcept {
    kdevx_address to{};
    copy_path(to, from);
    copy_route(to, from.grh);
    return to;
}
inline ibv_ah_attr attr_of(const kdevx_address &from) noexcept {
    ibv_ah_attr to{};
    copy_path(to, from);
    copy_route(to.grh, from);
    return to;
}

} // namespace kdevx::verbs
