// SPDX-License-Identifier: MIT
#include <cstring>

#include "core/cmd_comp.hpp"

namespace kdevx::core {

void flights::init() noexcept {
    table_ = nullptr;
    buffer_ = nullptr;
    capacity_ = count_ = buffer_size_ = 0;
    first_free_ = none;
}

void flights::fini(const memory &m) noexcept {
    m.release(m.arg, table_);
    m.release(m.arg, buffer_);
}

bool flights::grow_table(const memory &m) noexcept {
    std::uint32_t capacity = capacity_ ? capacity_ * 2 : 16;
    auto *bigger = static_cast<flight *>(m.allocate(m.arg, capacity * sizeof(flight)));
    if (!bigger) return false;
    if (capacity_) std::memcpy(bigger, table_, capacity_ * sizeof(flight));
    for (std::uint32_t i = capacity_; i < capacity; ++i) {
        bigger[i] = {};
        bigger[i].next_free = i + 1 < capacity ? i + 1 : none;
    }
    m.release(m.arg, table_);
    table_ = bigger;
    first_free_ = capacity_;
    capacity_ = capacity;
    return true;
}

bool flights::grow_buffer(const memory &m, std::uint32_t out_size) noexcept {
    std::uint32_t size = std::uint32_t(sizeof(std::uint64_t)) + out_size;
    auto *bigger = static_cast<std::byte *>(m.allocate(m.arg, size));
    if (!bigger) return false;
    m.release(m.arg, buffer_);
    buffer_ = bigger;
    buffer_size_ = size;
    return true;
}

bool flights::add(const memory &m, const flight &f, std::uint64_t &number) noexcept {
    if (sizeof(number) + f.out_size > buffer_size_ && !grow_buffer(m, f.out_size)) return false;
    if (first_free_ == none && !grow_table(m)) return false;
    std::uint32_t i = first_free_;
    std::uint32_t generation = table_[i].generation + 1;
    first_free_ = table_[i].next_free;
    table_[i] = f;
    table_[i].generation = generation;
    number = std::uint64_t(generation) << 32 | i;
    ++count_;
    return true;
}

bool flights::remove(std::uint64_t number, flight &f) noexcept {
    std::uint32_t i = std::uint32_t(number);
    if (i >= capacity_ || !table_[i].out_size || table_[i].generation != number >> 32) return false;
    f = table_[i];
    table_[i].out_size = 0;
    table_[i].next_free = first_free_;
    first_free_ = i;
    --count_;
    return true;
}

std::uint32_t flights::largest() const noexcept {
    std::uint32_t most = 0;
    for (std::uint32_t i = 0; i < capacity_; ++i)
        most = table_[i].out_size > most ? table_[i].out_size : most;
    return most;
}

uverbs::bytes flights::buffer(std::size_t out_size) const noexcept {
    std::size_t wanted = sizeof(std::uint64_t) + out_size;
    return {buffer_, wanted < buffer_size_ ? wanted : buffer_size_};
}

} // namespace kdevx::core
