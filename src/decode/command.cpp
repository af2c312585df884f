// SPDX-License-Identifier: MIT
#include "decode/command.hpp"

#include "decode/layout.hpp"
#include "kdevx/prm/caps.hpp"
#include "kdevx/prm/cmdif.hpp"
#include "kdevx/prm/commands.hpp"
#include "kdevx/prm/event.hpp"

namespace kdevx::decode {

using namespace prm;

namespace {

std::uint16_t opcode_of(bytes in) {
    return std::uint16_t(view<cmd_in>(in).get<"opcode">());
}

std::optional<std::uint32_t> read(const layout_base &l, std::string_view path, bytes b) {
    place p = find_place(l, path);
    if (p.row.name.empty() || !p.inside(b.size(), 0)) return {};
    return std::uint32_t(p.get(b));
}

// What the inbox says about the unions of either box.
selectors selectors_of(const command &c, bytes in) {
    selectors s;
    if (c.in->find("capability") || c.out->find("capability"))
        s.cap_page = std::uint32_t(view<cmd_in>(in).get<"op_mod">()) >> 1;
    s.register_id = read(*c.in, "register_id", in);
    if (c.in == &general_obj_in_cmd_hdr) s.object_type = read(*c.in, "obj_type", in);
    return s;
}

// A flow entry's list stands in the inbox that sets it and in the outbox that queries it.
void add_flow_list(selectors &s, const layout_base &l, bytes b) {
    s.destinations = read(l, "flow_context.destination_list_size", b);
    s.extended_destination = read(l, "flow_context.extended_destination", b).value_or(0) != 0;
}

item decode_box(const command *c, const layout_base &l, bytes in, bytes box) {
    selectors s;
    if (c) s = selectors_of(*c, in);
    add_flow_list(s, l, box);
    item i = decode_layout(l, box, s);
    i.name = c ? c->name : std::string_view("command");
    return i;
}

} // namespace

item decode_inbox(bytes in) {
    const command *c = find_command(opcode_of(in));
    return decode_box(c, c ? *c->in : cmd_in, in, in);
}

item decode_outbox(bytes in, bytes out) {
    const command *c = find_command(opcode_of(in));
    item i = decode_box(c, c ? *c->out : status_out, in, out);
    for (item &member : i.items)
        if (member.name == "status") member.always = true;
    return i;
}

item decode_capability(std::uint32_t page, bytes capability) {
    const layout_base *l = variant_of(cap_pages, page);
    if (!l) {
        item i = group("capability");
        i.items.push_back(note("no layout is known for capability page " + std::to_string(page)));
        return i;
    }
    item i = decode_layout(*l, capability);
    i.label = l->name;
    i.name = cap_types.name_of(page);
    return i;
}

item decode_eqe(bytes b) {
    selectors s;
    s.event_type = std::uint32_t(view<eqe>(b).get<"event_type">());
    return decode_layout(eqe, b, s);
}

} // namespace kdevx::decode
