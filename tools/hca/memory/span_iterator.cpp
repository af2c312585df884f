// SPDX-License-Identifier: MIT
#include "memory/span_iterator.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace kdevx::hca::memory {
namespace {

constexpr unsigned write_rights = local_write | remote_write | remote_atomic;
// Stands for "no guest memory at all": the null key.
constexpr std::uint64_t nowhere = ~std::uint64_t(0);
std::array<std::byte, 4096> nothing;

} // namespace

const char *name_of(fault f) {
    switch (f) {
    case fault::none:
        return "none";
    case fault::key:
        return "no such memory key";
    case fault::pd:
        return "the memory key is of another protection domain";
    case fault::rights:
        return "the memory key does not allow this access";
    case fault::bounds:
        return "outside of what the memory key covers";
    case fault::depth:
        return "memory keys nested too deeply";
    case fault::unmapped:
        return "the guest has no memory there";
    }
    return "?";
}

span_iterator::span_iterator(guest_memory &memory, const mkey_table &keys, const request &what)
    : memory_(memory), keys_(&keys), want_(what), position_(what.address), left_(what.length),
      write_(what.rights & write_rights) {}

span_iterator::span_iterator(guest_memory &memory, const buffer &ring, std::uint64_t offset,
                             std::uint64_t length, bool write)
    : memory_(memory), ring_(&ring), position_(offset), left_(length), write_(write) {
    if (offset > ring.length || length > ring.length - offset) fault_ = fault::bounds;
}

std::optional<piece> span_iterator::fail(fault f) {
    fault_ = f;
    return std::nullopt;
}

fault span_iterator::check(const mkey *k, std::uint32_t key) const {
    if (!k || k->key != key || k->free) return fault::key;
    if (k->reserved && !want_.reserved_lkey) return fault::key;
    if (!k->any_pd && k->pd != want_.pd) return fault::pd;
    if (k->qpn != mkey::any_qp && k->qpn != want_.qpn) return fault::pd;
    if (want_.rights & ~k->rights) return fault::rights;
    return fault::none;
}

std::optional<piece> span_iterator::locate_key(std::uint32_t key, std::uint64_t address,
                                               std::uint64_t length, unsigned depth) {
    if (depth == max_key_depth) return fail(fault::depth);
    const mkey *k = keys_->find(key >> 8);
    if (fault f = check(k, key); f != fault::none) return fail(f);
    const std::uint64_t offset = address - k->start;
    if (!k->length64 && (offset > k->length || length > k->length - offset))
        return fail(fault::bounds);
    switch (k->kind) {
    case translation::physical:
        return piece{address, length, true};
    case translation::null:
        return piece{nowhere, length, true};
    case translation::pages: {
        auto found = k->pages ? k->pages->find(k->first_byte + offset, length) : std::nullopt;
        if (!found) return fail(fault::bounds);
        return write_ && !found->writable ? fail(fault::rights) : found;
    }
    case translation::klms:
    case translation::ksms:
        return locate_entry(*k, offset, length, depth);
    }
    return fail(fault::key);
}

std::optional<piece> span_iterator::locate_entry(const mkey &k, std::uint64_t offset,
                                                 std::uint64_t length, unsigned depth) {
    std::size_t i = 0;
    std::uint64_t size = std::uint64_t(1) << k.log_entry_size;
    if (k.kind == translation::ksms) {
        i = std::size_t(std::min<std::uint64_t>(offset >> k.log_entry_size, k.entries.size()));
        offset &= size - 1;
    } else {
        for (; i < k.entries.size() && offset >= k.entries[i].byte_count; ++i)
            offset -= k.entries[i].byte_count;
    }
    if (i == k.entries.size()) return fail(fault::bounds);
    const klm &e = k.entries[i];
    if (k.kind == translation::klms) size = e.byte_count;
    return locate_key(e.key, e.address + offset, std::min(length, size - offset), depth + 1);
}

std::optional<piece> span_iterator::locate() {
    if (keys_) return locate_key(want_.key, position_, left_, 0);
    auto found = ring_->find(position_, left_);
    if (!found) return fail(fault::bounds);
    if (write_ && !found->writable) return fail(fault::rights);
    return found;
}

std::span<std::byte> span_iterator::next() {
    if (left_ == 0 || fault_ != fault::none) return {};
    auto p = locate();
    if (!p) return {};
    std::span<std::byte> s;
    if (p->address == nowhere) {
        // Whatever was thrown away here before must not come back as data.
        if (!write_) nothing.fill(std::byte(0));
        s = std::span(nothing).first(
            std::size_t(std::min<std::uint64_t>(p->length, nothing.size())));
    } else if (write_) {
        s = memory_.writable(p->address, p->length);
    } else {
        auto readable = memory_.readable(p->address, p->length);
        s = {const_cast<std::byte *>(readable.data()), readable.size()};
    }
    if (s.empty()) fault_ = fault::unmapped;
    position_ += s.size();
    left_ -= s.size();
    return s;
}

fault copy_in(span_iterator from, std::span<std::byte> to) {
    for (auto s = from.next(); !s.empty() && !to.empty(); s = from.next()) {
        auto n = std::min(s.size(), to.size());
        std::memcpy(to.data(), s.data(), n);
        to = to.subspan(n);
    }
    return from.why();
}

fault copy_out(span_iterator to, std::span<const std::byte> from) {
    for (auto s = to.next(); !s.empty() && !from.empty(); s = to.next()) {
        auto n = std::min(s.size(), from.size());
        std::memcpy(s.data(), from.data(), n);
        from = from.subspan(n);
    }
    return to.why();
}

} // namespace kdevx::hca::memory
