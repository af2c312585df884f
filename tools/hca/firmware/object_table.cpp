// SPDX-License-Identifier: MIT
#include "firmware/object.hpp"

#include <algorithm>

namespace kdevx::hca::firmware {
namespace {

// Numbers that the driver, or a doorbell, cannot tell apart come out of one space.
constexpr kind number_space(kind k) {
    switch (k) {
    case kind::xrc_srq:
    case kind::rmp:
    case kind::xrq:
        return kind::srq;
    case kind::reserved_qpn:
    case kind::dct:
    case kind::sq:
    case kind::rq:
        return kind::qp;
    default:
        return k;
    }
}

// Zero means "none" in most contexts, and the driver has numbers of its own at the low end of UARs
// (the pages that the init segment covers) and of QPs (QP0 and QP1).
constexpr std::uint32_t first_id(kind k) {
    switch (k) {
    case kind::uar:
    case kind::pd:
    case kind::mkey:
        return 0x10;
    case kind::qp:
    case kind::srq:
    case kind::cq:
        return 0x40;
    default:
        return 1;
    }
}

constexpr std::uint32_t last_id(kind k) {
    switch (k) {
    case kind::eq:
    case kind::q_counter:
        return 0xff;
    case kind::uar:
        return 0x1eff; // windows of other kinds follow (device_memory.hpp, general_object.hpp)
    case kind::uctx:
        return 0xfffe;
    default:
        return 0xfffffe;
    }
}

} // namespace

object_table::space &object_table::space_of(kind k) {
    return spaces_[std::size_t(number_space(k))];
}

object *object_table::find(kind k, std::uint32_t id) {
    auto &ids = space_of(k).by_id;
    auto found = ids.find(id);
    bool same = found != ids.end() && found->second->type->what == k;
    return same ? found->second.get() : nullptr;
}

object *object_table::find_covering(kind k, std::uint32_t id) {
    auto &ids = space_of(k).by_id;
    auto after = ids.upper_bound(id);
    if (after == ids.begin()) return nullptr;
    object &o = *std::prev(after)->second;
    return o.type->what == k && id - o.id < o.range ? &o : nullptr;
}

// If not, `in_the_way` is the first id after what is.
bool object_table::space::is_free(std::uint32_t id, std::uint32_t range,
                                  std::uint32_t &in_the_way) const {
    auto following = by_id.lower_bound(id);
    if (following != by_id.begin()) {
        const object &before = *std::prev(following)->second;
        in_the_way = before.id + before.range;
        if (id - before.id < before.range) return false;
    }
    if (following == by_id.end() || following->first - id >= range) return true;
    in_the_way = following->first + following->second->range;
    return false;
}

// Ids are not given again soon after they became free, so that a stale one is noticed.
object *object_table::insert(std::unique_ptr<object> o, std::uint32_t limit) {
    const kind k = o->type->what, numbers = number_space(k);
    const std::uint32_t first = first_id(numbers), last = last_id(numbers);
    space &s = spaces_[std::size_t(numbers)];
    if (count_[std::size_t(k)] >= limit || size_ >= max_objects) return nullptr;
    std::uint32_t id = std::max(s.next, first), after = 0;
    const auto fits = [&] { return id <= last && o->range - 1 <= last - id; };
    for (bool wrapped = false; !fits() || !s.is_free(id, o->range, after);) {
        if (!fits() && wrapped) return nullptr;
        wrapped = wrapped || !fits();
        id = fits() ? after : first;
    }
    s.next = id + o->range;

    o->id = id;
    ++size_;
    ++count_[std::size_t(k)];
    ++owned_[o->uid];
    count_in(*o);
    return (s.by_id[id] = std::move(o)).get();
}

void object_table::count_in(object &o) {
    pages_held_ += pages_of(o);
    context_bytes_ += o.context.size();
    for (object *used : o.uses)
        ++used->users;
}

void object_table::count_out(object &o) {
    pages_held_ -= pages_of(o);
    context_bytes_ -= o.context.size();
    for (object *used : o.uses)
        --used->users;
}

void object_table::replace(object &o, object &&fresh) {
    count_out(o);
    o.context = std::move(fresh.context);
    o.uses = std::move(fresh.uses);
    o.pages = std::move(fresh.pages);
    o.own = std::move(fresh.own);
    count_in(o);
}

void object_table::erase(object &o) {
    --size_;
    --count_[std::size_t(o.type->what)];
    --owned_[o.uid];
    count_out(o);
    space_of(o.type->what).by_id.erase(o.id);
}

void object_table::clear() {
    for (space &s : spaces_)
        s = {};
    count_ = {};
    owned_.clear();
    size_ = pages_held_ = context_bytes_ = 0;
}

void object_table::replace_memory(object &o, const object &fresh, const memory::page_list *old) {
    auto umem = std::ranges::find_if(o.uses, [&](object *used) {
        return used->type->what == kind::umem && used->pages.get() == old;
    });
    if (umem != o.uses.end()) {
        --(*umem)->users;
        o.uses.erase(umem);
    }
    pages_held_ += pages_of(fresh) - pages_of(o);
    o.pages = fresh.pages;
    for (object *used : fresh.uses) {
        ++used->users;
        o.uses.push_back(used);
    }
}

std::size_t object_table::owned_by(std::uint16_t uid) const {
    auto found = owned_.find(uid);
    return found == owned_.end() ? 0 : found->second;
}

// Only for the log line of a refusal, so it may look at everything.
const object *object_table::first_user_of(const object &o) const {
    const object *first = nullptr;
    for (const space &s : spaces_)
        for (const auto &[id, other] : s.by_id)
            if (std::ranges::find(other->uses, &o) != other->uses.end() &&
                (!first || other->id < first->id))
                first = other.get();
    return first;
}

} // namespace kdevx::hca::firmware
