// SPDX-License-Identifier: MIT
// A list of equal pages of guest memory with a first byte and a length: what a umem is, and what
// the PAS entries of a command describe. Immutable, shared by whoever was created on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace kdevx::hca::memory {

// A stretch of guest-physical memory.
struct piece {
    std::uint64_t address;
    std::uint64_t length;
    bool writable;
};

// A page's address, in the form in which MTT entries carry it: what the device may do with the page
// is in the low bits. Eight bytes each, because a guest may register many.
class page {
    std::uint64_t raw_;

public:
    static constexpr std::uint64_t read_enable = 1, write_enable = 2, address_mask = ~0xfffull;

    explicit page(std::uint64_t mtt) : raw_(mtt) {}
    std::uint64_t address() const { return raw_ & address_mask; }
    bool writable() const { return raw_ & write_enable; }
};

class page_list {
public:
    page_list(std::vector<page> pages, unsigned page_shift, std::uint64_t first_byte);

    std::uint64_t length() const { return (std::uint64_t(pages_.size()) << shift_) - first_; }
    unsigned page_shift() const { return shift_; }
    std::uint64_t first_byte() const { return first_; }
    std::size_t page_count() const { return pages_.size(); }
    const page &at(std::size_t index) const { return pages_[index]; }
    // Whether every page may be written.
    bool writable() const { return writable_; }

    // What lies at `offset`, as far as the page reaches and at most `length` of it.
    std::optional<piece> find(std::uint64_t offset, std::uint64_t length) const;

private:
    std::vector<page> pages_;
    unsigned shift_;
    std::uint64_t first_; // offset 0 is this byte of the first page
    bool writable_;
};

// A part of a page list: the ring of a queue, the doorbell record beside it.
struct buffer {
    std::shared_ptr<const page_list> pages;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;

    std::optional<piece> find(std::uint64_t at, std::uint64_t n) const {
        if (!pages || at > length || n > length - at) return std::nullopt;
        return pages->find(offset + at, n);
    }
};

} // namespace kdevx::hca::memory
