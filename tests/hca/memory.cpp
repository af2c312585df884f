// SPDX-License-Identifier: MIT
// Guest memory, page lists and the span iterator.
#include "harness.hpp"
#include "memory/span_iterator.hpp"

#include "../unit/catch.hpp"

#include <cerrno>
#include <sys/mman.h>

using namespace hca_test;
using namespace kdevx::hca::memory;

namespace {

constexpr std::uint64_t K = 1024, M = 1024 * K;

// Two megabytes of guest memory at 1 MiB, in two ranges.
struct memory_fixture {
    hca_test::guest backing;
    guest_memory memory;
    mkey_table keys;

    memory_fixture() {
        CHECK(memory.map(1 * M, 1 * M, true, backing.share(), 0) == 0);
        CHECK(memory.map(2 * M, 1 * M, true, backing.share(), 1 * M) == 0);
    }
    // Guest-physical to the bytes themselves.
    std::byte &at(std::uint64_t gpa) { return backing.at(gpa - 1 * M, 1)[0]; }
    // Whether a span begins at this byte of the guest: what is written here is seen there.
    bool is_at(std::span<std::byte> s, std::uint64_t gpa) {
        if (s.empty()) return false;
        const std::byte other = ~s[0];
        at(gpa) = other;
        return s[0] == other;
    }

    static std::shared_ptr<const page_list> pages(std::vector<std::uint64_t> addresses,
                                                  std::uint64_t first_byte = 0,
                                                  std::uint64_t rights = 3) {
        std::vector<page> list;
        for (auto a : addresses)
            list.emplace_back(a | rights);
        return std::make_shared<page_list>(std::move(list), 12, first_byte);
    }
    fault read(const request &r, std::size_t n) {
        bytes to(n);
        return copy_in(span_iterator(memory, keys, r), to);
    }
};

constexpr unsigned every_right = 0x1f;

request reading(std::uint32_t key, std::uint64_t address, std::uint64_t n) {
    return {key, address, n, 5, 77, local_read};
}

} // namespace

TEST_CASE("guest memory: ranges do not overlap and are not cut") {
    memory_fixture f;
    CHECK(f.memory.map(2 * M - 1, 1, true, f.backing.share(), 0) == EEXIST);
    CHECK(f.memory.map(0, 1 * M + 1, true, f.backing.share(), 0) == EEXIST);
    CHECK(f.memory.map(4 * M, 0, true, f.backing.share(), 0) == EINVAL);
    CHECK(f.memory.map(~0ull - 4095, 8192, true, f.backing.share(), 0) == EINVAL);
    CHECK(f.memory.unmap(1 * M, 512 * K) == EINVAL);
    CHECK(f.memory.unmap(1 * M + 512 * K, 2 * M) == EINVAL);
    CHECK(f.memory.unmap(8 * M, 1 * M) == ENOENT);
    CHECK(f.memory.range_count() == 2);
    CHECK(f.memory.unmap(0, 16 * M) == 0);
    CHECK(f.memory.range_count() == 0);
    bytes b(1);
    CHECK_FALSE(f.memory.read(1 * M, b));
}

TEST_CASE("guest memory: a file shorter than the range is refused") {
    memory_fixture f;
    CHECK(f.memory.map(64 * M, hca_test::guest::size + 4096, true, f.backing.share(), 0) == EINVAL);
    CHECK(f.memory.map(64 * M, 4096, true, f.backing.share(), hca_test::guest::size) == EINVAL);
    CHECK(f.memory.map(64 * M, 4096, true, f.backing.share(), ~0ull - 4095) == EINVAL);
    CHECK(f.memory.map(64 * M, 4096, true, f.backing.share(), 1) == EINVAL); // not a page
}

TEST_CASE("guest memory: at most so many ranges") {
    guest_memory memory;
    for (std::size_t i = 0; i < max_ranges; ++i)
        REQUIRE(memory.map(i * 4096, 4096, true, {}, 0) == 0);
    CHECK(memory.map(max_ranges * 4096, 4096, true, {}, 0) == ENOSPC);
}

TEST_CASE(
    "guest memory: reads and writes cross ranges, and stop at holes and at what is read-only") {
    memory_fixture f;
    bytes b(4, std::byte(0xab));
    CHECK(f.memory.write(2 * M - 2, b));
    CHECK(f.at(2 * M - 1) == std::byte(0xab));
    CHECK(f.at(2 * M + 1) == std::byte(0xab));
    CHECK_FALSE(f.memory.write(3 * M - 2, b));
    CHECK(f.memory.map(3 * M, 4096, false, f.backing.share(), 0) == 0);
    CHECK(f.memory.read(3 * M, b));
    CHECK_FALSE(f.memory.write(3 * M, b));
    CHECK(f.memory.map(4 * M, 4096, true, {}, 0) == 0); // a ROM, without a descriptor
    CHECK_FALSE(f.memory.read(4 * M, b));
}

TEST_CASE("page list: offsets begin at the first byte") {
    auto list = memory_fixture::pages({3 * M, 1 * M}, 100);
    CHECK(list->length() == 2 * 4096 - 100);
    CHECK(list->find(0, 8)->address == 3 * M + 100);
    CHECK(list->find(4096 - 100, 8)->address == 1 * M);
    CHECK(list->find(4096 - 104, 8)->length == 4);
    CHECK_FALSE(list->find(2 * 4096 - 100, 1));
    CHECK(list->writable());
    CHECK_FALSE(memory_fixture::pages({1 * M}, 0, page::read_enable)->writable());
}

TEST_CASE("span iterator: a ring is walked page by page and never left") {
    memory_fixture f;
    buffer ring{memory_fixture::pages({1 * M, 2 * M + 8 * K}), 4000, 200};
    span_iterator it(f.memory, ring, 50, 100, true);
    auto first = it.next(), second = it.next();
    CHECK(first.size() == 46);
    CHECK(second.size() == 54);
    CHECK(f.is_at(first, 1 * M + 4050));
    CHECK(f.is_at(second, 2 * M + 8 * K));
    CHECK(it.next().empty());
    CHECK(it.why() == fault::none);
    CHECK(span_iterator(f.memory, ring, 101, 100, true).why() == fault::bounds);
    CHECK(span_iterator(f.memory, ring, ~0ull, 2, true).why() == fault::bounds);
    buffer constant{memory_fixture::pages({1 * M}, 0, page::read_enable), 0, 64};
    bytes b(64);
    CHECK(copy_in(span_iterator(f.memory, constant, 0, 64, false), b) == fault::none);
    CHECK(copy_out(span_iterator(f.memory, constant, 0, 64, true), b) == fault::rights);
}

TEST_CASE("span iterator: a key is checked in every respect") {
    memory_fixture f;
    mkey k{.key = 0x1234, .pd = 5, .rights = local_read, .start = 0x10000, .length = 4096};
    k.pages = memory_fixture::pages({1 * M});
    f.keys.put(0x12, k);
    f.at(1 * M + 1) = std::byte(0x77);
    bytes b(2);
    CHECK(copy_in(span_iterator(f.memory, f.keys, reading(0x1234, 0x10000, 2)), b) == fault::none);
    CHECK(b[1] == std::byte(0x77));
    CHECK(f.read(reading(0x1235, 0x10000, 2), 2) == fault::key); // another variant byte
    CHECK(f.read(reading(0x9934, 0x10000, 2), 2) == fault::key);
    CHECK(f.read(reading(0x1234, 0x0ffff, 2), 2) == fault::bounds);
    CHECK(f.read(reading(0x1234, 0x10fff, 2), 2) == fault::bounds);
    CHECK(f.read(reading(0x1234, 0x11000, 0), 0) == fault::none);
    auto writing = reading(0x1234, 0x10000, 2);
    writing.rights = local_write;
    CHECK(f.read(writing, 2) == fault::rights);
    auto stranger = reading(0x1234, 0x10000, 2);
    stranger.pd = 6;
    CHECK(f.read(stranger, 2) == fault::pd);
    f.keys.find(0x12)->qpn = 78;
    CHECK(f.read(reading(0x1234, 0x10000, 2), 2) == fault::pd);
    f.keys.find(0x12)->free = true;
    CHECK(f.read(reading(0x1234, 0x10000, 2), 2) == fault::key);
}

TEST_CASE("span iterator: keys of keys, by length and by entity") {
    memory_fixture f;
    mkey leaf{.key = 0x100, .pd = 5, .rights = every_right, .start = 0, .length = 8192};
    leaf.pages = memory_fixture::pages({1 * M, 1 * M + 64 * K});
    f.keys.put(1, leaf);
    mkey klms{.key = 0x200, .pd = 5, .rights = every_right, .length = 30, .kind = translation::klms};
    klms.entries = {{10, 0x100, 4090}, {20, 0x100, 0}};
    f.keys.put(2, klms);
    span_iterator it(f.memory, f.keys, reading(0x200, 2, 20));
    CHECK(f.is_at(it.next(), 1 * M + 4092));
    auto second = it.next();
    CHECK(f.is_at(second, 1 * M + 64 * K));
    CHECK(second.size() == 4);
    CHECK(it.next().size() == 12);
    CHECK(it.next().empty());
    CHECK(it.why() == fault::none);

    mkey ksms{.key = 0x300,
              .pd = 5,
              .rights = every_right,
              .length = 8192,
              .kind = translation::ksms,
              .log_entry_size = 12};
    ksms.entries = {{0, 0x100, 4096}, {0, 0x100, 0}};
    f.keys.put(3, ksms);
    span_iterator by_entity(f.memory, f.keys, reading(0x300, 4000, 200));
    CHECK(f.is_at(by_entity.next(), 1 * M + 64 * K + 4000));
    CHECK(f.is_at(by_entity.next(), 1 * M));
    CHECK(f.read(reading(0x300, 8192, 1), 1) == fault::bounds);
}

TEST_CASE("span iterator: a key that points at itself comes to an end") {
    memory_fixture f;
    mkey loop{
        .key = 0x400, .pd = 5, .rights = every_right, .length = 4096, .kind = translation::klms};
    loop.entries = {{4096, 0x400, 0}};
    f.keys.put(4, loop);
    CHECK(f.read(reading(0x400, 0, 8), 8) == fault::depth);
}

TEST_CASE("span iterator: addresses without memory, and the null key") {
    memory_fixture f;
    mkey physical{.key = 0x500,
                  .pd = 5,
                  .rights = every_right,
                  .length64 = true,
                  .kind = translation::physical};
    f.keys.put(5, physical);
    CHECK(f.read(reading(0x500, 1 * M, 8), 8) == fault::none);
    CHECK(f.read(reading(0x500, 100 * M, 8), 8) == fault::unmapped);
    CHECK(f.read(reading(0x500, 3 * M - 4, 8), 8) == fault::unmapped);
    mkey null{.key = 0x600,
              .any_pd = true,
              .rights = local_read | local_write,
              .length64 = true,
              .kind = translation::null};
    f.keys.put(6, null);
    bytes b(10000, std::byte(9));
    auto writing = reading(0x600, 0, b.size());
    writing.rights = local_write;
    CHECK(copy_out(span_iterator(f.memory, f.keys, writing), b) == fault::none);
    CHECK(copy_in(span_iterator(f.memory, f.keys, reading(0x600, 0, b.size())), b) == fault::none);
    CHECK(b == bytes(10000));
}

TEST_CASE("DMA_MAP and DMA_UNMAP reach the guest memory") {
    machine m;
    m.introduce();
    auto map = [&](std::uint64_t address, std::uint64_t size, std::uint32_t flags, bool fd) {
        wire::dma_map d{32, flags, 0, address, size};
        unique_fd shared = m.memory.share();
        return m.ask(wire::DMA_MAP, raw(d), fd ? std::vector{shared.get()} : std::vector<int>{})
            .error;
    };
    auto unmap = [&](std::uint64_t address, std::uint64_t size, std::uint32_t flags) {
        return m.ask(wire::DMA_UNMAP, raw(wire::dma_unmap{24, flags, address, size})).error;
    };
    CHECK(map(0, 1 * M, 3, true) == 0);
    CHECK(map(4 * M, 1 * M, 1, false) == 0);
    CHECK(map(0, 4096, 3, true) == EEXIST);
    CHECK(map(8 * M, 1 * M, 0xff, true) == EINVAL);
    CHECK(unmap(0, 4096, 0) == EINVAL);
    CHECK(unmap(0, 1 * M, 0) == 0);
    CHECK(unmap(0, 1 * M, 0) == ENOENT);
    CHECK(unmap(0, 0, wire::unmap_all) == 0);
    CHECK(unmap(4 * M, 1 * M, 0) == ENOENT);
    CHECK(unmap(0, 1, wire::unmap_dirty_bitmap) == EINVAL);
}
