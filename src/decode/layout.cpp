// SPDX-License-Identifier: MIT
#include "decode/layout.hpp"

#include "decode/labels.hpp"
#include "kdevx/prm/general.hpp"

#include <algorithm>

namespace kdevx::decode {
namespace {

using prm::field;
using prm::layout_base;

// Walks a layout and what is nested in it. `claimed_` has a bit for each bit of the bytes that some
// row claims; `end` is where a trailing array of the layout at hand ends.
class walker {
    std::span<const std::byte> all_;
    const selectors &choice_;
    std::vector<bool> claimed_;

    std::uint32_t size() const { return std::uint32_t(all_.size()); }

    void claim(std::uint64_t first, std::uint64_t end) {
        for (std::uint64_t b = first; b < end && b < claimed_.size(); ++b)
            claimed_[b] = true;
    }

    item number(const layout_base &in, const field &f, std::uint32_t at) {
        prm::place p;
        p.row = f;
        p.row.offset = at;
        claim(p.row.first_bit(), p.row.first_bit() + f.width());
        item i;
        i.name = f.name;
        i.offset = at;
        i.bits = f.width();
        i.number = p.get(all_);
        i.label = label_of(in, f, i.number);
        return i;
    }

    item raw(const field &f, std::uint32_t at, std::uint32_t size) {
        claim(std::uint64_t(at) * 8, (std::uint64_t(at) + size) * 8);
        item i;
        i.name = f.name;
        i.kind = item_kind::bytes;
        i.offset = at;
        auto part = all_.subspan(at, size);
        i.raw.assign(part.begin(), part.end());
        return i;
    }

    const layout_base *member(const layout_base &in, const field &f, std::uint32_t at,
                              std::uint32_t index) const {
        return union_member(in, f, all_.subspan(at), index, choice_);
    }

    item element(const layout_base &in, const field &f, std::uint32_t at, std::uint32_t end,
                 std::uint32_t index) {
        if (const layout_base *l = member(in, f, at, index)) {
            item chosen = rows(f.name, *l, at, std::min(end, at + l->size));
            chosen.label = l->name;
            return chosen;
        }
        if (f.is_bits()) return number(in, f, at);
        if (f.nested) return rows(f.name, *f.nested, at, end);
        return raw(f, at, std::min(f.size, size() - at));
    }

    item list(const layout_base &in, const field &f, std::uint32_t at, std::uint32_t end) {
        item l;
        l.name = f.name;
        l.kind = item_kind::list;
        l.offset = at;
        for (std::uint32_t i = 0; (!f.count || i < f.count) && at + f.stride() <= end; ++i) {
            const layout_base *chosen = member(in, f, at, i);
            std::uint32_t next = at + (chosen ? union_stride(f, *chosen, choice_) : f.stride());
            l.items.push_back(element(in, f, at, std::min(next, end), i));
            at = next;
        }
        return l;
    }

    // A trailing array in a nested layout goes on where that ends, if the outer one ends there too.
    static std::uint32_t reach_of(const layout_base &in, const field &f, std::uint32_t base,
                                  std::uint32_t end) {
        bool last = f.offset + f.stride() >= in.size;
        return last ? end : std::min(base + f.offset + f.stride(), end);
    }

public:
    walker(std::span<const std::byte> all, const selectors &choice)
        : all_(all), choice_(choice), claimed_(all.size() * 8) {}

    void row(item &into, const layout_base &in, const field &f, std::uint32_t base,
             std::uint32_t end) {
        std::uint32_t at = base + f.offset, last = at + f.stride();
        bool cut = f.is_bits() ? last > size() : at >= size();
        if (at >= end || cut) return;
        if (f.count == 0 && !f.nested && f.size == 1)
            into.items.push_back(raw(f, at, end - at));
        else if (f.is_array() && (union_repeats(f) || !member(in, f, at, 0)))
            into.items.push_back(list(in, f, at, end));
        else
            into.items.push_back(element(in, f, at, reach_of(in, f, base, end), 0));
    }

    item rows(std::string_view name, const layout_base &l, std::uint32_t base, std::uint32_t end) {
        item g = group(name, base);
        for (const field &f : l.rows)
            row(g, l, f, base, end);
        return g;
    }

    bool claims(std::uint64_t first, std::uint64_t end) const {
        for (std::uint64_t b = first; b < end && b < claimed_.size(); ++b)
            if (claimed_[b]) return true;
        return false;
    }

    std::uint32_t unclaimed(std::uint32_t at) const {
        std::uint32_t bits = 0;
        for (std::uint32_t b = 0; b < 32 && at + b / 8 < size(); ++b) {
            bool set = (all_[at + b / 8] & std::byte(0x80u >> b % 8)) != std::byte{};
            if (set && !claimed_[std::size_t(at) * 8 + b]) bits |= 0x80000000u >> b;
        }
        return bits;
    }
};

item unknown(std::uint32_t at, std::uint32_t bits) {
    item i;
    i.name = "UNKNOWN";
    i.kind = item_kind::unknown;
    i.offset = at;
    i.number = bits;
    i.bits = 32;
    return i;
}

// The kernel writes the uid into every inbox, and a tunnelled command has its id in every one, also
// where mlx5_ifc.h has no row for them.
void header_rows(walker &w, item &into, const layout_base &l, std::uint32_t end) {
    if (!l.find("opcode")) return;
    for (std::string_view name : {"uid", "vhca_tunnel_id"}) {
        const field *f = prm::general_obj_in_cmd_hdr.find(name);
        if (l.find(name) || w.claims(f->first_bit(), f->end_bit())) continue;
        item header = group("header");
        w.row(header, prm::general_obj_in_cmd_hdr, *f, 0, end);
        if (!header.is_zero()) into.items.push_back(std::move(header.items.front()));
    }
}

} // namespace

item decode_layout(const layout_base &layout, std::span<const std::byte> whole,
                   const selectors &choice) {
    walker w(whole, choice);
    std::uint32_t end = std::uint32_t(whole.size());
    item g = w.rows(layout.name, layout, 0, end);
    if (const layout_base *body = body_of(layout, choice); body && end > layout.size)
        g.items.push_back(w.rows(body->name, *body, layout.size, end));
    header_rows(w, g, layout, end);
    for (std::uint32_t at = 0; at < end; at += 4)
        if (std::uint32_t bits = w.unclaimed(at)) g.items.push_back(unknown(at, bits));
    if (end < layout.size)
        g.items.push_back(note("cut short: " + std::to_string(end) + " of " +
                               std::to_string(layout.size) + " bytes"));
    return g;
}

} // namespace kdevx::decode
