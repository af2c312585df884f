// SPDX-License-Identifier: MIT
// The page size of a umem, against a model of what the kernel does with every physical layout.
#include <bit>
#include <set>

#include "../catch.hpp"
#include "core/umem.hpp"

using kdevx::core::page_size;
using kdevx::core::page_size_of;

namespace {

constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB;

// devx_umem_find_best_pgsize: `best` is what the physical layout lets the bitmap have at most.
std::uint64_t kernel_choice(std::uint64_t length, std::uint64_t bitmap, std::uint64_t page,
                            std::uint64_t layout_limit) {
    std::uint64_t most = std::max<std::uint64_t>(std::bit_ceil(length), page);
    bitmap &= (most | (most - 1)) & ~std::uint64_t(4095) & (layout_limit | (layout_limit - 1));
    if (!bitmap) return 0;
    std::uint64_t size = std::bit_floor(bitmap);
    while (size > page && length % size)
        size /= 2;
    return size;
}

} // namespace

TEST_CASE("rows") {
    struct {
        std::uint64_t length, bitmap, bound;
        bool exact;
    } rows[] = {
        {4096, 0, 4096, true},
        {64, 0, 4096, true},       // less than a page
        {8192, 0, 8192, false},    // two pages: together or not
        {3 * 4096, 0, 4096, true}, // no multiple of more
        {2 * MiB, 0, 2 * MiB, false},
        {3 * MiB, 0, MiB, false},
        {2 * MiB, 1 << 12, 4096, true}, // asked to be
        {2 * MiB, 1 << 12 | 1 << 16, 64 * KiB, false},
        {4096, 1 << 21, 0, false},    // none that fits
        {2 * MiB, 1 << 11, 0, false}, // none that a device has
        {0, 0, 0, false},
        {1ull << 63, 0, 1ull << 63, false},
        {~std::uint64_t(0) & ~std::uint64_t(4095), 0, 4096, true},
    };
    for (auto row : rows) {
        INFO(row.length << " " << row.bitmap);
        page_size p = page_size_of(row.length, row.bitmap, 4096);
        CHECK(p.bound == row.bound);
        CHECK(p.exact == row.exact);
    }
    // A kernel with pages of 64 KiB takes these whatever the length.
    CHECK(page_size_of(4096, 0, 64 * KiB).bound == 64 * KiB);
    CHECK(page_size_of(4096, 0, 64 * KiB).exact);
    CHECK(page_size_of(4096, 1 << 12, 64 * KiB).bound == 4096);
}

TEST_CASE("no layout makes the kernel choose more, and one of them makes it choose the bound") {
    for (std::uint64_t page : {4 * KiB, 64 * KiB})
        for (std::uint64_t length : {64ull, 4096ull, 5000ull, 8192ull, 12288ull, 65536ull,
                                     196608ull, 2097152ull, 3145728ull, 6291456ull})
            for (std::uint64_t bitmap : {0ull, 1ull << 12, 1ull << 12 | 1ull << 16,
                                         1ull << 12 | 1ull << 21, ~0ull << 12}) {
                page_size p = page_size_of(length, bitmap, page);
                std::set<std::uint64_t> chosen;
                for (unsigned limit = std::countr_zero(page); limit < 40; ++limit)
                    chosen.insert(
                        kernel_choice(length, bitmap ? bitmap : ~0ull, page, 1ull << limit));
                INFO(length << " " << bitmap << " " << page);
                CHECK(*chosen.rbegin() == p.bound);
                CHECK((chosen.size() == 1) >= p.exact);
            }
}
