// SPDX-License-Identifier: MIT
// The library's handles, each given back when its owner goes; the order of members is the order.
#pragma once

#include "kdevx/kdevx.h"

#include <memory>

namespace kdevx::tool {

template <auto Give>
struct give_back {
    template <class T>
    void operator()(T *p) const {
        Give(p, nullptr);
    }
};
using object = std::unique_ptr<kdevx_object, give_back<kdevx_object_destroy>>;
using umem = std::unique_ptr<kdevx_umem, give_back<kdevx_umem_dereg>>;
using uar = std::unique_ptr<kdevx_uar, give_back<kdevx_uar_free>>;
using cmd_comp = std::unique_ptr<kdevx_cmd_comp, give_back<kdevx_cmd_comp_destroy>>;

} // namespace kdevx::tool
