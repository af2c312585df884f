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
        return 0x1fff; // the last page of the BAR
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

// Ids are not given again soon after they became free, so that a stale one is noticed.
object *object_table::insert(std::unique_ptr<object> o, std::uint32_t limit) {
    const kind k = o->type->what, numbers = number_space(k);
    const std::uint32_t first = first_id(numbers), last = last_id(numbers);
    space &s = spaces_[std::size_t(numbers)];
    if (count_[std::size_t(k)] >= limit || size_ >= max_objects) return nullptr;
    if (s.by_id.size() > last - first) return nullptr;
    std::uint32_t id = std::max(s.next, first);
    while (s.by_id.contains(id))
        id = id == last ? first : id + 1;
    s.next = id == last ? first : id + 1;

    o->id = id;
    ++size_;
    ++count_[std::size_t(k)];
    ++owned_[o->uid];
    pages_held_ += pages_of(*o);
    for (object *used : o->uses)
        ++used->users;
    return (s.by_id[id] = std::move(o)).get();
}

void object_table::erase(object &o) {
    --size_;
    --count_[std::size_t(o.type->what)];
    --owned_[o.uid];
    pages_held_ -= pages_of(o);
    stop_using(o);
    space_of(o.type->what).by_id.erase(o.id);
}

void object_table::clear() {
    for (space &s : spaces_)
        s = {};
    count_ = {};
    owned_.clear();
    size_ = pages_held_ = 0;
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

void stop_using(object &o) {
    for (object *used : o.uses)
        --used->users;
    o.uses.clear();
}

} // namespace kdevx::hca::firmware
