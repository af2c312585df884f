// SPDX-License-Identifier: MIT
#include "decode/unions.hpp"

#include "kdevx/prm/caps.hpp"
#include "kdevx/prm/event.hpp"
#include "kdevx/prm/flow.hpp"
#include "kdevx/prm/flow_action.hpp"
#include "kdevx/prm/objects.hpp"
#include "kdevx/prm/port.hpp"

#include <algorithm>

namespace kdevx::decode {

using namespace prm;

namespace {

const layout_base *by_number(std::span<const variant> all, std::optional<std::uint32_t> number) {
    return number ? variant_of(all, *number) : nullptr;
}

const layout_base *header_action(std::span<const std::byte> element) {
    switch (view<set_action_in>(element).get<"action_type">()) {
    case value_of<header_actions, "SET">:
        return &set_action_in;
    case value_of<header_actions, "ADD">:
        return &add_action_in;
    case value_of<header_actions, "COPY">:
        return &copy_action_in;
    }
    return nullptr;
}

const layout_base *flow_list_entry(std::uint32_t index, const selectors &choice) {
    if (!choice.destinations) return nullptr;
    if (index >= *choice.destinations) return &flow_counter_list;
    return choice.extended_destination ? static_cast<const layout_base *>(&extended_dest_format)
                                       : &dest_format_struct;
}

} // namespace

const layout_base *union_member(const layout_base &in, const field &f,
                                std::span<const std::byte> element, std::uint32_t index,
                                const selectors &choice) {
    if (f.name == "capability") return by_number(cap_pages, choice.cap_page);
    if (f.name == "register_data") return by_number(register_layouts, choice.register_id);
    if (f.name == "event_data") return by_number(event_layouts, choice.event_type);
    if (&in == &alloc_modify_header_context_in && f.name == "actions")
        return header_action(element);
    if (&in == &flow_context && f.name == "destination") return flow_list_entry(index, choice);
    return nullptr;
}

bool union_repeats(const field &f) {
    return f.name == "actions" || f.name == "destination";
}

std::uint32_t union_stride(const field &f, const layout_base &member, const selectors &choice) {
    if (f.name == "destination") return choice.extended_destination ? extended_dest_format.size : 8;
    return std::max(f.stride(), member.size);
}

const layout_base *body_of(const layout_base &header, const selectors &choice) {
    if (&header != &general_obj_in_cmd_hdr && &header != &general_obj_out_cmd_hdr) return nullptr;
    return by_number(object_layouts, choice.object_type);
}

} // namespace kdevx::decode
