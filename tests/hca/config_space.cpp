// SPDX-License-Identifier: MIT
#include "harness.hpp"

#include "../unit/catch.hpp"

using namespace hca_test;

namespace {

std::uint32_t little(const bytes &b) {
    std::uint32_t v = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
        v |= std::uint32_t(b[i]) << 8 * i;
    return v;
}

struct pci_fixture : machine {
    using machine::machine;
    std::uint32_t get(std::uint64_t offset, unsigned n) { return little(read(7, offset, n)); }
    void put(std::uint64_t offset, unsigned n, std::uint64_t v) {
        bytes b(n);
        for (unsigned i = 0; i < n; ++i)
            b[i] = std::byte(v >> 8 * i);
        REQUIRE(write(7, offset, b).error == 0);
    }
};

} // namespace

TEST_CASE("config space: who the device is") {
    pci_fixture ib;
    ib.introduce();
    CHECK(ib.get(0, 4) == 0x101b15b3);
    CHECK(ib.get(0x0a, 2) == 0x0207); // InfiniBand controller
    pci_fixture eth("port=eth devid=0x1021");
    eth.introduce();
    CHECK(eth.get(0, 4) == 0x102115b3);
    CHECK(eth.get(0x0a, 2) == 0x0200); // Ethernet controller
}

TEST_CASE("config space: the BAR is 32 MiB, 64 bits wide") {
    pci_fixture m;
    m.introduce();
    m.put(0x10, 4, 0xffffffff);
    m.put(0x14, 4, 0xffffffff);
    CHECK(m.get(0x10, 4) == (~((32u << 20) - 1) | 0xc));
    CHECK(m.get(0x14, 4) == 0xffffffff);
    m.put(0x18, 4, 0xffffffff);
    CHECK(m.get(0x18, 4) == 0);
}

TEST_CASE("config space: identity cannot be written, the command register can") {
    pci_fixture m;
    m.introduce();
    m.put(0, 4, 0);
    CHECK(m.get(0, 4) == 0x101b15b3);
    m.put(4, 2, 0xffff);
    CHECK(m.get(4, 2) == 0x0546);
}

TEST_CASE("config space: the capability list is sound") {
    pci_fixture m("vectors=33");
    m.introduce();
    std::vector<std::uint32_t> ids;
    for (std::uint32_t at = m.get(0x34, 1); at; at = m.get(at + 1, 1)) {
        REQUIRE(ids.size() < 8);
        ids.push_back(m.get(at, 1));
        if (ids.back() == 0x11) {
            CHECK(m.get(at + 2, 2) == 32); // table size - 1
            CHECK(m.get(at + 4, 4) % 8 == 0);
            CHECK(m.get(at + 4, 4) + 33 * 16 <= m.get(at + 8, 4));
        }
        if (ids.back() == 0x09) CHECK(m.get(at + 2, 1) == 0x18);
    }
    CHECK(ids == std::vector<std::uint32_t>{0x10, 0x11, 0x09});
}

TEST_CASE("config space: a function level reset puts it back") {
    pci_fixture m;
    m.introduce();
    m.put(0x3c, 1, 0x0b);
    m.put(0x10, 4, 0xfe00000c);
    m.put(0x68, 2, 0x8000);
    CHECK(m.get(0x3c, 1) == 0);
    CHECK(m.get(0x10, 4) == 0xc);
    CHECK(m.get(0x68, 2) == 0);
}
