// SPDX-License-Identifier: MIT
#include "firmware/general_object.hpp"

#include "firmware/field_copy.hpp"
#include "kdevx/prm/commands.hpp"
#include "kdevx/prm/crypto.hpp"
#include "kdevx/prm/umem.hpp"
#include "kdevx/prm/virtio.hpp"

#include <algorithm>

namespace kdevx::hca::firmware {
namespace {

using prm::general_obj_in_cmd_hdr;

// What MODIFY_GENERAL_OBJECT can change in objects of a type: a mask in the object, and the fields
// that its bits stand for.
struct modify_rules {
    const prm::layout_base *object;
    std::string_view mask;
    std::span<const modifiable> fields;
};

// clang-format off
constexpr modifiable virtio_net_q_fields[] = {
    {0, "state"},
    {3, "dirty_bitmap_mkey"},
    {3, "dirty_bitmap_size"},
    {3, "dirty_bitmap_addr"},
    {4, "dirty_bitmap_dump_enable"},
};
constexpr modify_rules virtio_net_q_rules{&prm::virtio_net_q_object, "modify_field_select",
                                          virtio_net_q_fields};
constexpr modifiable modify_header_arg_fields[] = {{0, "access_pd"}};
constexpr modify_rules modify_header_arg_rules{&prm::modify_header_arg, {},
                                               modify_header_arg_fields};

struct general_row {
    std::uint16_t type;
    std::size_t size; // of the object, at least
    unsigned most_log_range = 0;
    const modify_rules *modify = nullptr;
    std::uint64_t right = 0; // what a program's user context must be allowed: a bit of uctx.cap
};
constexpr general_row rows[] = {
    {prm::object_type<"GENEVE_TLV_OPT">,         prm::geneve_tlv_option.size},
    {prm::object_type<"ENCRYPTION_KEY">,         prm::encryption_key_obj.size},
    {prm::object_type<"VIRTIO_NET_Q">,           prm::virtio_net_q_object.size, 0, &virtio_net_q_rules},
    {prm::object_type<"MATCH_DEFINER">,          prm::match_definer.size},
    {prm::object_type<"VIRTIO_Q_COUNTERS">,      prm::virtio_q_counters.size},
    {prm::object_type<"SAMPLER">,                prm::sampler_obj.size},
    {prm::object_type<"HEADER_MODIFY_ARGUMENT">, prm::modify_header_arg.size,   10, &modify_header_arg_rules},
    {prm::object_type<"FLOW_METER_ASO">,         prm::flow_meter_aso_obj.size,  10},
    {prm::object_type<"RESERVED_QPN">,           0,                             10},
    {prm::object_type<"RDMA_CTRL">,              0, 0, nullptr, prm::value_of<prm::uctx_caps, "RDMA_CTRL">},
};
// clang-format on

const general_row *find_row(std::uint16_t type) {
    auto found = std::ranges::find(rows, type, &general_row::type);
    return found == std::end(rows) ? nullptr : found;
}

// Reserved QPNs are numbers that no QP gets: they come out of the QPs' space.
constexpr kind kind_of(std::uint16_t type) {
    return type == prm::object_type<"RESERVED_QPN"> ? kind::reserved_qpn : kind::general;
}

// The type is the op_mod of all these commands.
syndrome find_general(state &s, command &c, object *&o) {
    const auto id = std::uint32_t(c.inbox<general_obj_in_cmd_hdr>().get<"obj_id">());
    const kind k = kind_of(c.op_mod);
    o = s.objects.find_covering(k, id);
    const bool same = o && o->sub_type == c.op_mod;
    if (!same)
        return c.refuse(syndrome::no_such_object, "{} {:#x}", prm::object_types.name_of(c.op_mod),
                        id);
    c.note("{} {:#x}", prm::object_types.name_of(c.op_mod), id);
    return find_object(s, c, k, o->id, true, o);
}

constexpr std::size_t header = general_obj_in_cmd_hdr.size;

bool has_right(state &s, const command &c, std::uint64_t right) {
    if (!right || is_driver(c.uid)) return true;
    const object *user = s.objects.find(kind::uctx, c.uid);
    return user && prm::view<prm::uctx>(user->context).get<"cap">() & right;
}

} // namespace

std::uint64_t general_object_types(unsigned first) {
    std::uint64_t types = 0;
    for (const general_row &row : rows)
        if (row.type >= first && row.type < first + 64) types |= 1ull << (row.type - first);
    return types;
}

syndrome check_general_object(state &s, command &c, object &o) {
    const general_row *row = find_row(c.op_mod);
    if (!row) return c.refuse(syndrome::unsupported_type, "obj_type {:#x}", c.op_mod);
    if (!has_right(s, c, row->right))
        return c.refuse(syndrome::privileged, "{}", prm::object_types.name_of(c.op_mod));
    if (c.in.size() < header + row->size)
        return c.refuse(syndrome::inbox_too_short, "{} of {}", c.in.size(), header + row->size);
    constexpr auto at = prm::place_of<general_obj_in_cmd_hdr, "op_param">.row.offset;
    const prm::view<prm::general_obj_create_param> param(
        std::span<const std::byte>(c.in).subspan(at, 4));
    const auto log_range = unsigned(param.get<"log_obj_range">());
    if (param.get<"alias_object">()) return c.refuse(syndrome::unsupported_type, "an alias");
    if (log_range > row->most_log_range)
        return c.refuse(syndrome::above_capability, "log_obj_range {}", log_range);
    o.sub_type = c.op_mod;
    o.type = &type_of(kind_of(c.op_mod));
    o.range = 1u << log_range;
    return syndrome::none;
}

syndrome query_general_object(state &s, command &c) {
    object *o = nullptr;
    if (syndrome why = find_general(s, c, o); why != syndrome::none) return why;
    const std::size_t n = std::min(c.out.size() - header, o->context.size());
    std::copy_n(o->context.begin(), n, c.out.begin() + header);
    prm::editor<prm::general_obj_out_cmd_hdr>(c.out).set<"obj_id">(o->id);
    return syndrome::none;
}

syndrome modify_general_object(state &s, command &c) {
    object *o = nullptr;
    if (syndrome why = find_general(s, c, o); why != syndrome::none) return why;
    const general_row *row = find_row(c.op_mod);
    if (!row->modify) return c.refuse(syndrome::not_modifiable, "obj_type {:#x}", c.op_mod);
    if (c.in.size() < header + row->size)
        return c.refuse(syndrome::inbox_too_short, "{} of {}", c.in.size(), header + row->size);
    const modify_rules &rules = *row->modify;
    const auto from = std::span<const std::byte>(c.in).subspan(header);
    // Without a mask the object is taken as a whole.
    const std::uint64_t mask =
        rules.mask.empty() ? ~0ull : prm::find_place(*rules.object, rules.mask).get(from);
    std::uint64_t known = rules.mask.empty() ? ~0ull : 0;
    for (const modifiable &m : rules.fields)
        known |= 1ull << m.bit;
    if (mask & ~known) return c.refuse(syndrome::unknown_modify_bit, "{:#x}", mask & ~known);
    for (const modifiable &m : rules.fields)
        if (mask >> m.bit & 1) copy_field(prm::find_place(*rules.object, m.path), from, o->context);
    return syndrome::none;
}

syndrome destroy_general_object(state &s, command &c) {
    object *o = nullptr;
    if (syndrome why = find_general(s, c, o); why != syndrome::none) return why;
    if (o->users) return c.refuse(syndrome::object_busy, "{:#x}", o->id);
    s.objects.erase(*o);
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
