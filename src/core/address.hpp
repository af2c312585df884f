// SPDX-License-Identifier: MIT
// A kdevx_address in the kernel's structs, which have the same fields in two arrangements: the
// global route beside the rest (of a QP), or in a struct of its own (of an AH).
#pragma once

#include <cstring>

#include <kdevx/ah.h>

namespace kdevx::core {

template <class Wire>
void put_route(const kdevx_address &a, Wire &w) noexcept {
    std::memcpy(w.dgid, a.dgid, sizeof w.dgid);
    w.flow_label = a.flow_label;
    w.sgid_index = a.sgid_index;
    w.hop_limit = a.hop_limit;
    w.traffic_class = a.traffic_class;
}

template <class Wire>
void put_path(const kdevx_address &a, Wire &w) noexcept {
    w.dlid = a.dlid;
    w.sl = a.sl;
    w.src_path_bits = a.src_path_bits;
    w.static_rate = a.static_rate;
    w.is_global = a.is_global;
    w.port_num = a.port_num;
}

} // namespace kdevx::core
