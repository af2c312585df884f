// SPDX-License-Identifier: MIT
// Every object and method of the contract in one list, for those who walk it: probe, conformance,
// tracer, schema export.
#pragma once

#include "kabi/async_fd.hpp"
#include "kabi/device.hpp"
#include "kabi/devx.hpp"
#include "kabi/devx_obj.hpp"
#include "kabi/flow.hpp"
#include "kabi/memory.hpp"
#include "kabi/pages.hpp"
#include "kabi/umem.hpp"
#include "kabi/verbs.hpp"

namespace kdevx::kabi {

struct object_entry {
    const kabi::object *object;
    std::span<const method_base *const> methods;
};

// No methods of ours, but ids that the kernel gives out.
inline constexpr object comp_channel{"UVERBS_OBJECT_COMP_CHANNEL", 2}; // made by a write command
inline constexpr object counters{"UVERBS_OBJECT_COUNTERS", 15};        // verbs flow counters
inline constexpr object comp_cntr{"UVERBS_OBJECT_COMP_CNTR", 19, presence::always, v7_3};

inline constexpr object_entry objects[] = {
    {&device::object, device::methods},
    {&pd::object, pd::methods},
    {&comp_channel, {}},
    {&cq::object, cq::methods},
    {&qp::object, qp::methods},
    {&srq::object, srq::methods},
    {&ah::object, ah::methods},
    {&mr::object, mr::methods},
    {&mw::object, mw::methods},
    {&flow::object, flow::methods},
    {&xrcd::object, xrcd::methods},
    {&rwq_ind_tbl::object, rwq_ind_tbl::methods},
    {&wq::object, wq::methods},
    {&flow_action::object, flow_action::methods},
    {&dm::object, dm::methods},
    {&counters, {}},
    {&async_event::object, async_event::methods},
    {&dmah::object, dmah::methods},
    {&dmabuf::object, dmabuf::methods},
    {&comp_cntr, {}},
    {&devx::object, devx::methods},
    {&devx_obj::object, devx_obj::methods},
    {&umem::object, umem::methods},
    {&flow_matcher::object, flow_matcher::methods},
    {&async_cmd_fd::object, async_cmd_fd::methods},
    {&async_event_fd::object, async_event_fd::methods},
    {&var::object, var::methods},
    {&pp::object, pp::methods},
    {&uar::object, uar::methods},
    {&steering_anchor::object, steering_anchor::methods},
};

constexpr const object_entry *find_object(std::uint16_t id) {
    for (const object_entry &e : objects)
        if (e.object->id == id) return &e;
    return nullptr;
}
constexpr const method_base *find_method(std::uint16_t object_id, std::uint16_t method_id) {
    if (const object_entry *e = find_object(object_id))
        for (const method_base *m : e->methods)
            if (m->id == method_id) return m;
    return nullptr;
}

} // namespace kdevx::kabi
