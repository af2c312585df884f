// SPDX-License-Identifier: MIT
#include "firmware/steering.hpp"

#include "firmware/field_copy.hpp"
#include "kdevx/prm/counter.hpp"
#include "kdevx/prm/flow.hpp"
#include "kdevx/prm/flow_action.hpp"

#include <algorithm>
#include <map>

namespace kdevx::hca::firmware {
namespace {

using prm::create_flow_table_in;

constexpr unsigned most_log_table_size = 24;
constexpr std::uint8_t last_table_type = 0x0e; // RDMA_TRANSPORT_TX

struct flow_table : extension {
    bool by_owner = false; // named with the owner of its e-switch
    std::uint8_t type = 0;
    std::uint8_t level = 0;
    std::uint64_t size = 0;
    std::map<std::uint32_t, object *> groups;  // by first index
    std::map<std::uint32_t, object *> entries; // by index
};

struct flow_group : extension {
    std::uint32_t first = 0, last = 0;
    object *table = nullptr;
};

flow_table &table_of(object &o) {
    return static_cast<flow_table &>(*o.own);
}
flow_group &group_of(object &o) {
    return static_cast<flow_group &>(*o.own);
}

// A table's e-switch is named by its owner, or not at all. There is one, and we own it.
syndrome check_eswitch(state &s, command &c) {
    const auto in = c.inbox<create_flow_table_in>();
    if (!in.get<"other_eswitch">()) return syndrome::none;
    const auto owner = in.get<"eswitch_owner_vhca_id">();
    if (owner == s.caps.general("vhca_id")) return syndrome::none;
    return c.refuse(syndrome::no_such_eswitch, "eswitch_owner_vhca_id {}", owner);
}

// By whichever of the two a table was made, by that it goes on to be named.
syndrome check_named_alike(command &c, object &table) {
    const bool by_owner = c.inbox<create_flow_table_in>().get<"other_eswitch">();
    if (by_owner == table_of(table).by_owner) return syndrome::none;
    return c.refuse(syndrome::no_such_object, "flow table {:#x} with other_eswitch {:d}", table.id,
                    by_owner);
}

// The table that a command names; all of them name it in the same places.
syndrome find_table(state &s, command &c, object *&table) {
    const auto in = c.inbox<prm::query_fte_in>();
    const auto id = std::uint32_t(in.get<"table_id">());
    if (c.inbox<create_flow_table_in>().get<"other_vport">())
        return c.refuse(syndrome::no_such_vport, "");
    if (syndrome why = check_eswitch(s, c); why != syndrome::none) return why;
    syndrome why = find_object(s, c, kind::flow_table, id, true, table);
    if (why == syndrome::none) why = check_named_alike(c, *table);
    if (why == syndrome::none && table_of(*table).type != in.get<"table_type">())
        return c.refuse(syndrome::no_such_object, "flow table {:#x} is of type {:#x}", id,
                        table_of(*table).type);
    return why;
}

} // namespace

// ---- tables
// ---------------------------------------------------------------------------------------

syndrome check_flow_table(state &s, command &c, object &o) {
    const auto in = c.inbox<create_flow_table_in>();
    auto own = std::make_unique<flow_table>();
    own->by_owner = in.get<"other_eswitch">();
    own->type = std::uint8_t(in.get<"table_type">());
    own->level = std::uint8_t(in.get<"flow_table_context.level">());
    own->size = 1ull << std::min<std::uint64_t>(in.get<"flow_table_context.log_size">(), 63);
    o.own = std::move(own);
    if (in.get<"other_vport">()) return c.refuse(syndrome::no_such_vport, "");
    if (syndrome why = check_eswitch(s, c); why != syndrome::none) return why;
    if (table_of(o).type > last_table_type)
        return c.refuse(syndrome::unsupported_type, "table_type {:#x}", table_of(o).type);
    if (table_of(o).size > 1ull << most_log_table_size)
        return c.refuse(syndrome::above_capability, "log_size");
    const auto miss = std::uint32_t(in.get<"flow_table_context.table_miss_id">());
    constexpr std::uint64_t go_to_table = 1;
    if (in.get<"flow_table_context.table_miss_action">() != go_to_table || !miss)
        return syndrome::none;
    return use_object(s, c, o, kind::flow_table, miss);
}

syndrome stop_flow_table(state &s, command &c, object &o) {
    if (syndrome why = check_eswitch(s, c); why != syndrome::none) return why;
    return check_named_alike(c, o);
}

syndrome modify_flow_table(state &s, command &c) {
    constexpr std::uint64_t miss_table = 1u << 0, lag_master_next_table = 1u << 15;
    object *table = nullptr;
    if (syndrome why = find_table(s, c, table); why != syndrome::none) return why;
    const auto in = c.inbox<prm::modify_flow_table_in>();
    const auto mask = in.get<"modify_field_select">();
    if (mask & ~(miss_table | lag_master_next_table))
        return c.refuse(syndrome::unknown_modify_bit, "{:#x}", mask);
    constexpr auto at = prm::place_of<prm::modify_flow_table_in, "flow_table_context">.row.offset;
    const auto from = std::span<const std::byte>(c.in).subspan(at);
    if (mask & miss_table)
        for (const char *field : {"table_miss_action", "table_miss_id"})
            copy_field(prm::find_place(prm::flow_table_context, field), from, table->context);
    if (mask & lag_master_next_table)
        copy_field(prm::find_place(prm::flow_table_context, "lag_master_next_table_id"), from,
                   table->context);
    return syndrome::none;
}

syndrome set_flow_table_root(state &s, command &c) {
    constexpr std::uint16_t disconnect = 1;
    object *table = nullptr;
    if (c.inbox<prm::set_flow_table_root_in>().get<"other_eswitch">())
        return c.refuse(syndrome::no_such_eswitch, "");
    return c.op_mod == disconnect ? syndrome::none : find_table(s, c, table);
}

// ---- groups
// ---------------------------------------------------------------------------------------

syndrome check_flow_group(state &s, command &c, object &o) {
    const auto in = c.inbox<prm::create_flow_group_in>();
    auto own = std::make_unique<flow_group>();
    flow_group &g = *own;
    o.own = std::move(own);
    g.first = std::uint32_t(in.get<"start_flow_index">());
    g.last = std::uint32_t(in.get<"end_flow_index">());
    if (syndrome why = find_table(s, c, g.table); why != syndrome::none) return why;
    flow_table &t = table_of(*g.table);
    if (g.first > g.last || g.last >= t.size)
        return c.refuse(syndrome::flow_range, "{} to {} of {}", g.first, g.last, t.size);
    auto next = t.groups.upper_bound(g.last);
    if (next != t.groups.begin() && group_of(*std::prev(next)->second).last >= g.first)
        return c.refuse(syndrome::flow_overlap, "group {:#x}", std::prev(next)->second->id);
    o.uses.push_back(g.table);
    return syndrome::none;
}

void start_flow_group(state &, command &, object &o) {
    table_of(*group_of(o).table).groups[group_of(o).first] = &o;
}

syndrome stop_flow_group(state &, command &, object &o) {
    table_of(*group_of(o).table).groups.erase(group_of(o).first);
    return syndrome::none;
}

// ---- entries
// --------------------------------------------------------------------------------------

namespace {

constexpr std::size_t entry_context = 0x40; // in SET and in QUERY
constexpr std::size_t lists = prm::flow_context.size;

template <prm::fixed_string Name>
constexpr std::uint64_t action = prm::value_of<prm::flow_actions, Name>;
template <prm::fixed_string Name>
constexpr std::uint64_t destination = prm::value_of<prm::flow_destination_types, Name>;
template <prm::fixed_string Name>
constexpr unsigned field_bit = prm::value_of<prm::set_fte_fields, Name>;

// An entry's context as it came, and where its two lists are in it.
struct entry_view {
    prm::view<prm::flow_context> v;
    std::size_t destinations, destination_size, counters;

    explicit entry_view(std::span<const std::byte> context)
        : v(context), destinations(v.get<"destination_list_size">()),
          destination_size(v.get<"extended_destination">() ? prm::extended_dest_format.size
                                                           : prm::dest_format_struct.size),
          counters(v.get<"flow_counter_list_size">()) {}
    std::size_t counter_list() const { return lists + destinations * destination_size; }
    std::size_t size() const { return counter_list() + counters * prm::flow_counter_list.size; }
};

syndrome use_destination(state &s, command &c, object &o, std::span<const std::byte> at,
                         std::uint8_t level, bool ignore_level) {
    const prm::view<prm::dest_format_struct> d(at);
    const auto id = std::uint32_t(d.get<"destination_id">());
    switch (d.get<"destination_type">()) {
    case destination<"TIR">:
        return use_object(s, c, o, kind::tir, id);
    case destination<"FLOW_TABLE">: {
        syndrome why = use_object(s, c, o, kind::flow_table, id);
        if (why == syndrome::none && !ignore_level && table_of(*o.uses.back()).level <= level)
            return c.refuse(syndrome::flow_level, "table {:#x}", id);
        return why;
    }
    case destination<"VPORT">:
    case destination<"UPLINK">:
        return syndrome::none;
    }
    return c.refuse(syndrome::unsupported_type, "destination_type {:#x}",
                    d.get<"destination_type">());
}

syndrome use_counter(state &s, command &c, object &o, std::uint32_t id) {
    object *counter = s.objects.find_covering(kind::flow_counter, id);
    return use_object(s, c, o, kind::flow_counter, counter ? counter->id : id);
}

// Everything that the entry sends to, counts with or rewrites by.
syndrome use_all(state &s, command &c, object &o, std::uint8_t level, bool ignore_level) {
    const entry_view e(o.context);
    const auto actions = e.v.get<"action">();
    const std::span<const std::byte> context = o.context;
    syndrome why = syndrome::none;
    for (std::size_t i = 0; i < e.destinations && why == syndrome::none; ++i)
        why = use_destination(s, c, o, context.subspan(lists + i * e.destination_size), level,
                              ignore_level);
    for (std::size_t i = 0; i < e.counters && why == syndrome::none; ++i) {
        const auto *at = context.data() + e.counter_list() + i * prm::flow_counter_list.size;
        why = use_counter(s, c, o, prm::load_be<std::uint32_t>(at));
    }
    if (why == syndrome::none && actions & action<"PACKET_REFORMAT">)
        why = use_object(s, c, o, kind::packet_reformat,
                         std::uint32_t(e.v.get<"packet_reformat_id">()));
    if (why == syndrome::none && actions & action<"MOD_HDR">)
        why =
            use_object(s, c, o, kind::modify_header, std::uint32_t(e.v.get<"modify_header_id">()));
    return why;
}

// The old context with what the mask names taken from the new one.
std::vector<std::byte> merge(std::span<const std::byte> old, std::span<const std::byte> fresh,
                             std::uint64_t mask) {
    const auto wants = [mask](unsigned bit) { return mask >> bit & 1; };
    std::vector<std::byte> merged(old.begin(), old.begin() + lists);
    const auto take = [&](const char *field) {
        copy_field(prm::find_place(prm::flow_context, field), fresh, merged);
    };
    const entry_view before(old), after(fresh);
    const auto append = [&](std::span<const std::byte> from, std::size_t at, std::size_t n) {
        merged.insert(merged.end(), from.begin() + std::ptrdiff_t(at),
                      from.begin() + std::ptrdiff_t(at + n));
    };
    if (wants(field_bit<"ACTION">))
        for (const char *field : {"action", "packet_reformat_id", "modify_header_id"})
            take(field);
    if (wants(field_bit<"FLOW_TAG">)) take("flow_tag");
    const bool destinations = wants(field_bit<"DESTINATION_LIST">);
    const bool counters = wants(field_bit<"FLOW_COUNTERS">);
    if (destinations)
        for (const char *field : {"destination_list_size", "extended_destination"})
            take(field);
    if (counters) take("flow_counter_list_size");
    const entry_view &d = destinations ? after : before, &n = counters ? after : before;
    append(destinations ? fresh : old, lists, d.destinations * d.destination_size);
    append(counters ? fresh : old, n.counter_list(), n.counters * prm::flow_counter_list.size);
    return merged;
}

struct entry_command {
    object *table = nullptr;
    std::uint32_t index = 0;
    object *entry = nullptr; // null: there is none at the index
};

syndrome find_entry(state &s, command &c, entry_command &e) {
    if (syndrome why = find_table(s, c, e.table); why != syndrome::none) return why;
    e.index = std::uint32_t(c.inbox<prm::query_fte_in>().get<"flow_index">());
    auto &entries = table_of(*e.table).entries;
    auto found = entries.find(e.index);
    if (found != entries.end()) e.entry = found->second;
    c.note("flow table {:#x} index {}", e.table->id, e.index);
    return syndrome::none;
}

syndrome entry_exists(command &c, const entry_command &e) {
    return e.entry ? syndrome::none : c.refuse(syndrome::flow_range, "no entry {}", e.index);
}

syndrome create_entry(state &s, command &c, const entry_command &e,
                      std::span<const std::byte> context, bool ignore_level) {
    if (e.entry) return c.refuse(syndrome::flow_exists, "index {}", e.index);
    object *group = nullptr;
    const auto id = prm::view<prm::flow_context>(context).get<"group_id">();
    syndrome why = find_object(s, c, kind::flow_group, std::uint32_t(id), true, group);
    if (why != syndrome::none) return why;
    const flow_group &g = group_of(*group);
    if (g.table != e.table || e.index < g.first || e.index > g.last)
        return c.refuse(syndrome::flow_range, "index {} in group {:#x}", e.index, id);
    auto o = std::make_unique<object>();
    o->type = &type_of(kind::flow_entry);
    o->uid = c.uid;
    o->context.assign(context.begin(), context.end());
    o->uses = {e.table, group};
    why = use_all(s, c, *o, table_of(*e.table).level, ignore_level);
    if (why != syndrome::none) return why;
    object *made = s.objects.insert(std::move(o), max_objects);
    if (!made) return c.refuse(syndrome::too_many_objects, "flow entries");
    table_of(*e.table).entries[e.index] = made;
    return syndrome::none;
}

syndrome change_entry(state &s, command &c, const entry_command &e,
                      std::span<const std::byte> context, bool ignore_level) {
    if (syndrome why = entry_exists(c, e); why != syndrome::none) return why;
    const auto mask = c.inbox<prm::set_fte_in>().get<"modify_enable_mask">();
    if (mask >> (field_bit<"IPSEC_OBJ_ID"> + 1))
        return c.refuse(syndrome::unknown_modify_bit, "{:#x}", mask);
    object fresh{e.entry->type};
    fresh.context = merge(e.entry->context, context, mask);
    fresh.uses = {e.entry->uses[0], e.entry->uses[1]}; // table and group stay
    syndrome why = use_all(s, c, fresh, table_of(*e.table).level, ignore_level);
    if (why != syndrome::none) return why;
    s.objects.replace(*e.entry, std::move(fresh));
    return syndrome::none;
}

} // namespace

syndrome set_flow_entry(state &s, command &c) {
    enum : std::uint16_t { create = 0, modify = 1 };
    const auto in = c.inbox<prm::set_fte_in>();
    const auto context = std::span<const std::byte>(c.in).subspan(entry_context);
    const std::size_t size = entry_view(context).size();
    if (context.size() < size) return c.refuse(syndrome::list_too_short, "destinations");
    if (size > max_context_bytes - s.objects.context_bytes())
        return c.refuse(syndrome::out_of_memory, "");
    entry_command e;
    if (syndrome why = find_entry(s, c, e); why != syndrome::none) return why;
    if (e.index >= table_of(*e.table).size)
        return c.refuse(syndrome::flow_range, "index {} of {}", e.index, table_of(*e.table).size);
    const bool ignore_level = in.get<"ignore_flow_level">();
    if (c.op_mod == create) return create_entry(s, c, e, context.first(size), ignore_level);
    if (c.op_mod == modify) return change_entry(s, c, e, context.first(size), ignore_level);
    return c.refuse(syndrome::unknown_op_mod, "{:#x}", c.op_mod);
}

syndrome query_flow_entry(state &s, command &c) {
    entry_command e;
    syndrome why = find_entry(s, c, e);
    if (why == syndrome::none) why = entry_exists(c, e);
    if (why != syndrome::none) return why;
    const auto &context = e.entry->context;
    std::copy_n(context.begin(), std::min(context.size(), c.out.size() - entry_context),
                c.out.begin() + entry_context);
    return syndrome::none;
}

syndrome delete_flow_entry(state &s, command &c) {
    entry_command e;
    syndrome why = find_entry(s, c, e);
    if (why == syndrome::none) why = entry_exists(c, e);
    if (why != syndrome::none) return why;
    table_of(*e.table).entries.erase(e.index);
    s.objects.erase(*e.entry);
    return syndrome::none;
}

// ---- counters
// -------------------------------------------------------------------------------------

syndrome check_flow_counter(state &, command &c, object &o) {
    constexpr std::uint32_t bulk_unit = 128;
    const auto in = c.inbox<prm::alloc_flow_counter_in>();
    const auto bulk = std::uint32_t(in.get<"flow_counter_bulk">());
    const auto log_size = unsigned(in.get<"flow_counter_bulk_log_size">());
    if ((bulk & (bulk - 1)) != 0 || (bulk && log_size) || log_size > 15)
        return c.refuse(syndrome::bad_parameter, "bulk {:#x} log_size {}", bulk, log_size);
    o.range = bulk ? bulk * bulk_unit : 1u << log_size;
    return syndrome::none;
}

// No packet has passed: as many zeroes as were asked for.
syndrome query_flow_counter(state &s, command &c) {
    const auto in = c.inbox<prm::query_flow_counter_in>();
    const auto id = std::uint32_t(in.get<"flow_counter_id">());
    const auto n = std::max<std::uint64_t>(in.get<"num_of_counters">(), 1);
    object *counter = s.objects.find_covering(kind::flow_counter, id);
    syndrome why = find_object(s, c, kind::flow_counter, counter ? counter->id : id, true, counter);
    if (why != syndrome::none) return why;
    if (id - counter->id + n > counter->range)
        return c.refuse(syndrome::index_out_of_range, "{} from {:#x}", n, id);
    const std::size_t head = prm::query_flow_counter_out.size;
    if ((c.out.size() - head) / prm::traffic_counter.size < n)
        return c.refuse(syndrome::outbox_too_short, "{} counters", n);
    c.note("flow counter {:#x}", id);
    return syndrome::none;
}

// ---- what entries do
// ------------------------------------------------------------------------------

syndrome check_modify_header(state &, command &c, object &) {
    constexpr std::size_t list = prm::alloc_modify_header_context_in.size;
    const auto n = c.inbox<prm::alloc_modify_header_context_in>().get<"num_of_actions">();
    if (n == 0) return c.refuse(syndrome::bad_parameter, "no actions");
    if ((c.in.size() - list) / 8 < n) return c.refuse(syndrome::list_too_short, "{} actions", n);
    return syndrome::none;
}

syndrome check_packet_reformat(state &, command &c, object &) {
    const auto in = c.inbox<prm::alloc_packet_reformat_context_in>();
    const auto type = in.get<"packet_reformat_context.reformat_type">();
    const auto n = in.get<"packet_reformat_context.reformat_data_size">();
    constexpr std::size_t data =
        prm::place_of<prm::alloc_packet_reformat_context_in,
                      "packet_reformat_context.reformat_data">.row.offset;
    if (!prm::reformat_types.find(std::uint32_t(type)))
        return c.refuse(syndrome::unsupported_type, "reformat_type {:#x}", type);
    if (c.in.size() - data < n) return c.refuse(syndrome::list_too_short, "{} bytes", n);
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
