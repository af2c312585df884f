// SPDX-License-Identifier: MIT
// Finds the queue that a CQE belongs to, by the 24-bit number that it carries: queue number, SRQ
// number or user index. Open addressing over memory of the caller.
#pragma once

#include "wq/error.hpp"
#include "wq/queue_pair.hpp"
#include "wq/ring_size.hpp"

namespace kdevx::wq {

struct alignas(32) queue_entry {
    std::uint32_t number;
    bool used; // 0 is a number like any other
    queue_pair *qp;
    shared_ring *srq; // of an XRC SRQ, which has no queue pair
};

class queue_table {
public:
    // A power of two of places; keep some free. Entries that are there already are taken over.
    error init(std::span<queue_entry> places) noexcept {
        if (!power_of_two(places.size())) return error::bad_ring_size;
        const std::span<queue_entry> old = places_;
        for (queue_entry &e : places)
            e = {};
        places_ = places;
        used_ = 0;
        for (const queue_entry &e : old)
            if (e.used)
                if (error r = add(e.number, e.qp, e.srq); r != error::none) return r;
        return error::none;
    }
    error add(std::uint32_t number, queue_pair *qp, shared_ring *srq) noexcept {
        if (number > 0xffffff) return error::bad_number;
        if (used_ + 1 >= places_.size()) return error::table_full; // one is free: searches end
        std::size_t i = home(number);
        while (places_[i].used && places_[i].number != number)
            i = next(i);
        used_ += !places_[i].used;
        places_[i] = {number, true, qp, srq};
        return error::none;
    }
    // Later entries move up, so that no search stops short of them.
    void remove(std::uint32_t number) noexcept {
        queue_entry *e = const_cast<queue_entry *>(find(number));
        if (!e) return;
        --used_;
        std::size_t hole = std::size_t(e - places_.data());
        for (std::size_t i = next(hole); places_[i].used; i = next(i)) {
            if (distance(home(places_[i].number), i) < distance(hole, i)) continue;
            places_[hole] = places_[i];
            hole = i;
        }
        places_[hole] = {};
    }
    const queue_entry *find(std::uint32_t number) const noexcept {
        if (places_.empty()) return nullptr;
        for (std::size_t i = home(number); places_[i].used; i = next(i))
            if (places_[i].number == number) return &places_[i];
        return nullptr;
    }
    std::size_t size() const noexcept { return used_; }
    std::size_t places() const noexcept { return places_.size(); }

private:
    std::size_t home(std::uint32_t number) const noexcept {
        return (number * 0x9e3779b1u >> 8) & (places_.size() - 1);
    }
    std::size_t next(std::size_t i) const noexcept { return (i + 1) & (places_.size() - 1); }
    std::size_t distance(std::size_t from, std::size_t to) const noexcept {
        return (to - from) & (places_.size() - 1);
    }

    std::span<queue_entry> places_{};
    std::size_t used_ = 0;
};

} // namespace kdevx::wq
