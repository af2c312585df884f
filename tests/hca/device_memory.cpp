// SPDX-License-Identifier: MIT
// Device memory: who has which part of it, and its operations by store and by load.
#include "firmware/device_memory.hpp"
#include "firmware/syndromes.hpp"
#include "harness.hpp"

#include "../unit/catch.hpp"

using namespace hca_test;
using firmware::device_memory;
using firmware::syndrome;

namespace {

constexpr std::uint64_t window = device_memory::window, page = 4096;
constexpr std::uint8_t increment = prm::value_of<prm::memic_operations, "INCREMENT">,
                       test_and_set = prm::value_of<prm::memic_operations, "TEST_AND_SET">;
constexpr std::uint16_t alloc_op = prm::value_of<prm::memic_ops, "ALLOC">,
                        dealloc_op = prm::value_of<prm::memic_ops, "DEALLOC">;

struct device_memory_fixture : driver {
    device_memory_fixture() { bring_up(); }

    // As the driver asks: some of the pages that it names.
    answer alloc(std::uint64_t start, std::uint32_t size, std::uint32_t room,
                 std::uint8_t alignment = 0) {
        prm::mailbox<prm::alloc_memic_in> in;
        in.set<"opcode", prm::op<"ALLOC_MEMIC">>()
            .set<"log_memic_addr_alignment">(alignment)
            .set<"range_start_addr">(start)
            .set<"range_size">(room)
            .set<"memic_size">(size);
        return execute(in);
    }
    void take(std::uint64_t start, std::uint32_t size = page) {
        const answer a = alloc(start, size, (size + page - 1) / page * page);
        REQUIRE(result(a) == 0);
        CHECK(a.get<prm::alloc_memic_out, "memic_start_addr">() == start);
    }
    std::uint32_t give_back(std::uint64_t start, std::uint32_t size = page) {
        prm::mailbox<prm::dealloc_memic_in> in;
        in.set<"opcode", prm::op<"DEALLOC_MEMIC">>()
            .set<"memic_start_addr">(start)
            .set<"memic_size">(size);
        return result(execute(in));
    }
    answer modify(std::uint16_t what, std::uint64_t start, std::uint8_t operation) {
        prm::mailbox<prm::modify_memic_in> in;
        in.set<"opcode", prm::op<"MODIFY_MEMIC">>()
            .set<"op_mod">(what)
            .set<"memic_operation_type">(operation)
            .set<"memic_start_addr">(start);
        return execute(in, prm::modify_memic_out.size);
    }
    std::uint64_t address_of(std::uint8_t operation, std::uint64_t start) {
        const answer a = modify(alloc_op, start, operation);
        REQUIRE(result(a) == 0);
        return a.get<prm::modify_memic_out, "memic_operation_addr">();
    }
    std::uint32_t refusal(std::uint16_t what, std::uint64_t start, std::uint8_t operation) {
        return result(modify(what, start, operation));
    }
    bytes load(std::uint64_t at, std::uint32_t n) { return read(wire::bar0_region, at, n); }
    void store(std::uint64_t at, const bytes &data) { write(wire::bar0_region, at, data); }
};

bytes of(std::initializer_list<int> values) {
    bytes all;
    for (int v : values)
        all.push_back(std::byte(v));
    return all;
}

} // namespace

TEST_CASE("device memory is taken in parts, and each part is given back as it was taken") {
    device_memory_fixture t;
    t.take(window, 64);
    t.take(window + page, 2 * page);
    CHECK(result(t.alloc(window + 2 * page, 64, page)) == refused(syndrome::memic_taken));
    CHECK(t.give_back(window, page) == refused(syndrome::memic_bounds));
    CHECK(t.give_back(window + 64, 64) == refused(syndrome::memic_bounds));
    CHECK(t.give_back(window + page, 2 * page) == 0);
    t.take(window + 2 * page, 64);
    CHECK(t.give_back(window, 64) == 0);
    CHECK(t.give_back(window, 64) == refused(syndrome::memic_bounds));
}

TEST_CASE("device memory that is none, or of no size, is refused") {
    device_memory_fixture t;
    CHECK(result(t.alloc(window, 0, page)) == refused(syndrome::memic_size));
    CHECK(result(t.alloc(window, 65, page)) == refused(syndrome::memic_size));
    CHECK(result(t.alloc(window, 2 * page, page)) == refused(syndrome::memic_size));
    constexpr std::uint64_t end = window + device_memory::window_size;
    for (std::uint64_t start : {std::uint64_t(0), window - page, end, ~std::uint64_t(page - 1)}) {
        CAPTURE(start);
        CHECK(result(t.alloc(start, 64, 2 * page)) == refused(syndrome::memic_bounds));
    }
    CHECK(result(t.alloc(end - page, 64, 2 * page)) == refused(syndrome::memic_bounds));
    CHECK(result(t.alloc(window + 64, 64, 64, 1)) == refused(syndrome::page_not_aligned));
    CHECK(result(t.alloc(window, 64, page, 7)) == refused(syndrome::page_not_aligned));
}

TEST_CASE("an operation of device memory has one address, until it is given back") {
    device_memory_fixture t;
    CHECK(t.refusal(alloc_op, window, increment) == refused(syndrome::memic_bounds));
    t.take(window, 2 * page);
    CHECK(t.refusal(dealloc_op, window, increment) == refused(syndrome::memic_operation_state));
    const std::uint64_t adds = t.address_of(increment, window);
    const std::uint64_t sets = t.address_of(test_and_set, window);
    CHECK(adds % page == 0);
    CHECK(adds != sets);
    CHECK(t.refusal(alloc_op, window, increment) == refused(syndrome::memic_operation_state));
    CHECK(t.refusal(alloc_op, window, 2) == refused(syndrome::memic_operation));
    CHECK(t.refusal(alloc_op, window, 200) == refused(syndrome::memic_operation));
    CHECK(t.refusal(2, window, increment) == refused(syndrome::unknown_op_mod));
    CHECK(t.refusal(alloc_op, window + page, increment) == refused(syndrome::memic_bounds));
    CHECK(t.refusal(dealloc_op, window, increment) == 0);
    CHECK(t.refusal(dealloc_op, window, increment) == refused(syndrome::memic_operation_state));
    CHECK(t.address_of(increment, window) == adds);
}

TEST_CASE("a store where device memory is incremented adds, the most significant byte first") {
    device_memory_fixture t;
    t.take(window);
    const std::uint64_t adds = t.address_of(increment, window);
    t.store(window, of({0, 0, 0, 0xff, 0, 0, 0, 0}));
    t.store(adds, of({0, 0, 0, 1}));
    CHECK(t.load(window, 8) == of({0, 0, 1, 0, 0, 0, 0, 0}));
    t.store(adds, of({0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}));
    t.store(adds, of({0, 0, 0, 0, 0, 0, 0, 1}));
    CHECK(t.load(window, 8) == of({0, 0, 1, 1, 0, 0, 0, 0}));
    t.store(adds + 7, of({0xff}));
    t.store(adds + 7, of({2})); // nothing is carried out of the operand
    t.store(adds + 4, of({0xff, 0xff}));
    CHECK(t.load(window, 8) == of({0, 0, 1, 1, 0xff, 0xff, 0, 1}));
    CHECK(t.load(adds, 8) == bytes(8)); // a load is no operation
}

TEST_CASE("a load where device memory is tested and set gives what was there, and sets it to one") {
    device_memory_fixture t;
    t.take(window);
    const std::uint64_t sets = t.address_of(test_and_set, window);
    t.store(window, of({7, 8}));
    CHECK(t.load(sets + 1, 1) == of({8}));
    CHECK(t.load(sets + 1, 1) == of({1}));
    CHECK(t.load(window, 2) == of({7, 1}));
    CHECK(t.load(sets, 2) == bytes(2)); // of a width that it does not have
    t.store(sets, of({9}));             // a store is no operation
    CHECK(t.load(window, 2) == of({7, 1}));
}

TEST_CASE("an operation is of the memory that asked for it, and of its widths") {
    device_memory_fixture t;
    t.take(window, 64);
    t.take(window + page, 64);
    const std::uint64_t adds = t.address_of(increment, window);
    const auto unchanged = [&](std::uint64_t at, const bytes &what) {
        t.store(at, what);
        return t.load(window, 64) == bytes(64) && t.load(window + page, 64) == bytes(64);
    };
    CHECK(unchanged(adds + page, of({1}))); // another's
    CHECK(unchanged(adds + 64, of({1})));   // nobody's
    CHECK(unchanged(adds, of({1, 1, 1})));
    CHECK(unchanged(adds + 2, of({1, 1, 1, 1}))); // not aligned
    CHECK(unchanged(adds, bytes(16, std::byte(1))));
    CHECK(unchanged(adds, bytes(page, std::byte(1))));
    t.store(adds + 63, of({1}));
    CHECK(t.load(window + 63, 1) == of({1}));
}

TEST_CASE("an operation goes with the memory") {
    device_memory_fixture t;
    t.take(window, 64);
    const std::uint64_t adds = t.address_of(increment, window);
    CHECK(t.give_back(window, 64) == 0);
    CHECK(t.refusal(dealloc_op, window, increment) == refused(syndrome::memic_bounds));
    t.take(window, 64);
    t.store(adds, of({1}));
    CHECK(t.load(window, 64) == bytes(64));
    CHECK(t.address_of(increment, window) == adds);
}
