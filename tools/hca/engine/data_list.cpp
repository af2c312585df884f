// SPDX-License-Identifier: MIT
#include "engine/data_list.hpp"

#include "engine/reserved_keys.hpp"
#include "kdevx/prm/wqe.hpp"

#include <algorithm>
#include <cstring>

namespace kdevx::hca::engine {
namespace {

using memory::fault;

constexpr std::size_t unit = prm::MLX5_SEND_WQE_DS;
constexpr std::uint64_t whole = 1ull << 31; // what a length of 0 stands for

bool ends_list(const prm::view<prm::wqe_data> &v) {
    const auto key = v.get<"lkey">();
    return v.get<"byte_count">() == 0 &&
           (key == prm::MLX5_INVALID_LKEY || key == reserved_key(terminate_scatter_list_index));
}

std::uint64_t length_of(const prm::view<prm::wqe_data> &v) {
    return v.get<"byte_count">() ? v.get<"byte_count">() : whole;
}

} // namespace

// ---- access

memory::span_iterator accessor::walk(std::uint32_t key, std::uint64_t address, std::uint64_t length,
                                     unsigned rights) const {
    return {memory,
            keys,
            {.key = key,
             .address = address,
             .length = length,
             .pd = pd,
             .qpn = qpn,
             .rights = rights,
             .reserved_lkey = reserved_lkey}};
}

fault accessor::check(std::uint32_t key, std::uint64_t address, std::uint64_t length,
                      unsigned rights) const {
    auto at = walk(key, address, length, rights);
    while (!at.next().empty()) {
    }
    return at.why();
}

// ---- parsing

void data_list::add(segment s) {
    length_ += s.length;
    segments_.push_back(s);
}

// Inline data are padded to a whole unit. False: they reach over the end of the WQE.
bool data_list::add_inline(std::span<const std::byte> &rest) {
    const auto n = std::size_t(prm::view<prm::wqe_inline_data>(rest).get<"byte_count">());
    const std::size_t taken = (prm::wqe_inline_data.size + n + unit - 1) / unit * unit;
    if (taken > rest.size()) return false;
    const auto data = rest.subspan(prm::wqe_inline_data.size, n);
    add({.length = n, .address = inline_bytes_.size(), .is_inline = true});
    inline_bytes_.insert(inline_bytes_.end(), data.begin(), data.end());
    rest = rest.subspan(taken);
    return true;
}

std::optional<data_list> data_list::of_send(std::span<const std::byte> rest) {
    data_list list;
    while (rest.size() >= unit) {
        const prm::view<prm::wqe_data> v(rest);
        if (v.get<"inline">()) {
            if (!list.add_inline(rest)) return std::nullopt;
            continue;
        }
        list.add({.length = length_of(v),
                  .key = std::uint32_t(v.get<"lkey">()),
                  .address = v.get<"addr">()});
        rest = rest.subspan(unit);
    }
    return list;
}

data_list data_list::of_receive(std::span<const std::byte> rest) {
    data_list list;
    for (; rest.size() >= unit; rest = rest.subspan(unit)) {
        const prm::view<prm::wqe_data> v(rest);
        if (ends_list(v)) break;
        list.add({.length = length_of(v),
                  .key = std::uint32_t(v.get<"lkey">()),
                  .address = v.get<"addr">()});
    }
    return list;
}

// ---- moving

template <class F>
fault data_list::each_part(std::uint64_t offset, std::uint64_t length, F &&move) const {
    std::uint64_t done = 0;
    for (const segment &s : segments_) {
        if (done == length) break;
        if (offset >= s.length) {
            offset -= s.length;
            continue;
        }
        const std::uint64_t n = std::min(length - done, s.length - offset);
        if (fault f = move(s, offset, done, n); f != fault::none) return f;
        done += n;
        offset = 0;
    }
    return done == length ? fault::none : fault::bounds;
}

fault data_list::check(const accessor &who, unsigned rights) const {
    return each_part(0, length_, [&](const segment &s, auto, auto, auto n) {
        return s.is_inline ? fault::none : who.check(s.key, s.address, n, rights);
    });
}

fault data_list::gather(const accessor &who, std::uint64_t offset, std::span<std::byte> to) const {
    return each_part(offset, to.size(), [&](const segment &s, auto from, auto at, auto n) {
        auto part = to.subspan(at, n);
        if (!s.is_inline)
            return copy_in(who.walk(s.key, s.address + from, n, memory::local_read), part);
        std::memcpy(part.data(), inline_bytes_.data() + s.address + from, n);
        return fault::none;
    });
}

fault data_list::scatter(const accessor &who, std::uint64_t offset,
                         std::span<const std::byte> from) const {
    return each_part(offset, from.size(), [&](const segment &s, auto to, auto at, auto n) {
        if (s.is_inline) return fault::rights;
        return copy_out(who.walk(s.key, s.address + to, n, memory::local_write),
                        from.subspan(at, n));
    });
}

} // namespace kdevx::hca::engine
