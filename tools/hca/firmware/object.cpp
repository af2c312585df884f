// SPDX-License-Identifier: MIT
#include "firmware/object.hpp"

#include "firmware/field_copy.hpp"
#include "firmware/state.hpp"

#include <algorithm>
#include <cstdlib>

namespace kdevx::hca::firmware {
namespace {

bool may_use(const object &o, std::uint16_t uid) {
    return is_driver(uid) || o.uid == uid || o.uid == shared_uid ||
           (o.uid == 0 && o.type->lendable);
}

bool may_change(const object &o, std::uint16_t uid) {
    return is_driver(uid) || o.uid == uid;
}

// Paths in our tables exist; the tests look every one up.
prm::place place_in(const prm::layout_base &l, std::string_view path) {
    prm::place p = prm::find_place(l, path);
    if (p.row.name.empty()) std::abort();
    return p;
}

std::uint32_t id_in(const prm::command &row, const command &c) {
    return std::uint32_t(row.id_place().get(c.in));
}

struct extent {
    std::size_t offset, size;
};

// The context is the row of the command that has the context's layout. Commands of types without a
// layout carry their fields behind the header.
extent context_extent(const prm::layout_base &l, const object_type &t) {
    constexpr std::size_t header_size = 0x10;
    if (!t.context) return {header_size, l.size - header_size};
    for (const prm::field &f : l.rows)
        if (f.nested == t.context) return {f.offset, f.size};
    std::abort();
}

std::span<const std::byte> context_of(const prm::layout_base &l, const object_type &t,
                                      const command &c) {
    const extent e = context_extent(l, t);
    return std::span(c.in).subspan(e.offset, t.tail ? c.in.size() - e.offset : e.size);
}

// A mask is a number, or a layout with a row for each bit.
std::uint64_t mask_in(const prm::place &p, std::span<const std::byte> in) {
    if (p.row.is_bits()) return p.get(in);
    return p.row.size == 8 ? prm::load_be<std::uint64_t>(in.data() + p.row.offset)
                           : prm::load_be<std::uint32_t>(in.data() + p.row.offset);
}

syndrome take_references(state &s, command &c, const prm::command &row, object &o) {
    const object_type &t = *o.type;
    for (const reference &r : t.references) {
        if (r.when && !r.when(c)) continue;
        const auto id = std::uint32_t(place_in(*row.in, r.path).get(c.in));
        if (id == 0 && r.needed == reference::unless_zero) continue;
        if (syndrome why = use_object(s, c, o, r.what, id); why != syndrome::none) return why;
    }
    return syndrome::none;
}

std::uint32_t limit_of(const state &s, const object_type &t) {
    const auto log = t.limit.empty() ? t.log_most : unsigned(s.caps.general(t.limit));
    return 1u << std::min(log, 24u);
}

} // namespace

syndrome find_object(state &s, command &c, kind k, std::uint32_t id, bool change, object *&found) {
    found = s.objects.find(k, id);
    const std::string_view noun = type_of(k).noun;
    if (!found) return c.refuse(syndrome::no_such_object, "{} {:#x}", noun, id);
    if (change ? !may_change(*found, c.uid) : !may_use(*found, c.uid))
        return c.refuse(syndrome::not_the_owner, "{} {:#x} is of uid {}", noun, id, found->uid);
    return syndrome::none;
}

syndrome use_object(state &s, command &c, object &o, kind k, std::uint32_t id) {
    object *used = nullptr;
    if (syndrome why = find_object(s, c, k, id, false, used); why != syndrome::none) return why;
    o.uses.push_back(used);
    return syndrome::none;
}

syndrome create_object(state &s, command &c, const prm::command &row, const object_type &t) {
    auto o = std::make_unique<object>();
    o->type = &t;
    o->uid = c.uid;
    const auto context = context_of(*row.in, t, c);
    if (context.size() > max_context_bytes - s.objects.context_bytes())
        return c.refuse(syndrome::out_of_memory, "{} bytes of context", context.size());
    o->context.assign(context.begin(), context.end());
    syndrome why = take_references(s, c, row, *o);
    if (why == syndrome::none && t.check) why = t.check(s, c, *o);
    if (why != syndrome::none) return why;

    object *made = s.objects.insert(std::move(o), limit_of(s, t));
    if (!made) return c.refuse(syndrome::too_many_objects, "{}", t.noun);
    if (row.id_in_outbox()) row.id_place().put(c.out, made->id);
    c.note("{} {:#x}", t.noun, made->id);
    if (t.created) t.created(s, c, *made);
    return syndrome::none;
}

syndrome destroy_object(state &s, command &c, const prm::command &row, const object_type &t) {
    object *o = nullptr;
    syndrome why = find_object(s, c, t.what, id_in(row, c), true, o);
    if (why != syndrome::none) return why;
    if (o->users) {
        const object *user = s.objects.first_user_of(*o);
        return c.refuse(syndrome::object_busy, "{} {:#x} is used by {} {:#x}", t.noun, o->id,
                        user->type->noun, user->id);
    }
    c.note("{} {:#x}", t.noun, o->id);
    if (t.destroying) why = t.destroying(s, c, *o);
    if (why == syndrome::none) s.objects.erase(*o);
    return why;
}

syndrome query_object(state &s, command &c, const prm::command &row, const object_type &t) {
    object *o = nullptr;
    syndrome why = find_object(s, c, t.what, id_in(row, c), true, o);
    if (why != syndrome::none) return why;
    c.note("{} {:#x}", t.noun, o->id);
    const extent e = context_extent(*row.out, t);
    const std::size_t room = t.tail ? c.out.size() - e.offset : e.size;
    auto to = std::span(c.out).subspan(e.offset, std::min(room, o->context.size()));
    std::copy_n(o->context.begin(), to.size(), to.begin());
    if (t.queried) t.queried(s, c, *o);
    return syndrome::none;
}

syndrome modify_object(state &s, command &c, const prm::command &row, const object_type &t) {
    object *o = nullptr;
    syndrome why = find_object(s, c, t.what, id_in(row, c), true, o);
    if (why != syndrome::none) return why;
    const std::uint64_t mask = mask_in(place_in(*row.in, t.modify_mask), c.in);
    std::uint64_t known = 0;
    for (const modifiable &m : t.modifiables)
        known |= 1ull << m.bit;
    if (mask & ~known)
        return c.refuse(syndrome::unknown_modify_bit, "{} {:#x}: {:#x}", t.noun, o->id,
                        mask & ~known);
    c.note("{} {:#x} mask {:#x}", t.noun, o->id, mask);
    if (t.modified) why = t.modified(s, c, *o);
    if (why != syndrome::none) return why;
    const auto from = context_of(*row.in, t, c);
    for (const modifiable &m : t.modifiables) {
        if (!(mask >> m.bit & 1) || m.path.empty()) continue;
        copy_field(place_in(*t.context, m.path), from, o->context);
    }
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
