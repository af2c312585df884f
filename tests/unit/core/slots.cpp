// SPDX-License-Identifier: MIT
// Slots: where they lie, when they are used again, and what an object of each kind takes.
#include <cstdlib>
#include <set>
#include <vector>

#include "../catch.hpp"
#include "core/cmd_comp.hpp"
#include "core/cq.hpp"
#include "core/event_channel.hpp"
#include "core/mr.hpp"
#include "core/object.hpp"
#include "core/pd.hpp"
#include "core/qp.hpp"
#include "core/srq.hpp"
#include "core/uar.hpp"
#include "core/umem.hpp"
#include "core/wq.hpp"

using namespace kdevx::core;

namespace {

std::size_t blocks = 0;
bool none_left = false;

kdevx::memory counted() {
    return {nullptr,
            [](void *, std::size_t size) -> void * {
                if (none_left) return nullptr;
                ++blocks;
                return std::malloc(size);
            },
            [](void *, void *block) {
                blocks -= block != nullptr;
                std::free(block);
            }};
}

template <class Body>
constexpr std::size_t
    slot_size = (sizeof(slot) + sizeof(Body) + slot::unit - 1) / slot::unit *slot::unit;

} // namespace

TEST_CASE("what an object takes of its context, as the documents say") {
    CHECK(slot_size<object> == 64);
    CHECK(slot_size<umem> == 64);
    CHECK(slot_size<uar> == 128);
    CHECK(slot_size<cmd_comp> == 128);
    CHECK(slot_size<pd> == 64);
    CHECK(slot_size<mr> == 128);
    CHECK(slot_size<event_channel> == 64);
    CHECK(slot_size<cq> == 192);
    CHECK(slot_size<srq> == 192);
    CHECK(slot_size<qp> == 256);
    CHECK(slot_size<wq> == 192);
}

TEST_CASE("slots are aligned, apart from each other, and used again as late as possible") {
    {
        slots all(counted());
        std::vector<slot *> taken;
        std::set<slot *> different;
        for (unsigned i = 0; i < 200; ++i) {
            slot *s = all.take(sizeof(object));
            REQUIRE(s);
            CHECK(reinterpret_cast<std::uintptr_t>(s) % slot::unit == 0);
            CHECK(different.insert(s).second);
            taken.push_back(s);
        }
        for (slot *s : taken)
            all.give_back(*s, sizeof(object));
        std::size_t before = blocks;
        std::set<slot *> again;
        for (unsigned i = 0; i < 200; ++i)
            again.insert(all.take(sizeof(object)));
        CHECK(again.size() == 200);
        CHECK(blocks == before);
    }
    CHECK(blocks == 0);
}

TEST_CASE("a public pointer carries the generation, and finds its slot in any") {
    slots all(counted());
    slot *s = all.take(sizeof(object));
    REQUIRE(s);
    std::set<void *> pointers;
    for (unsigned i = 0; i < kdevx::gate::generations; ++i) {
        void *p = to_public(*s);
        CHECK(slot_of(p) == s);
        CHECK(generation_of(p) == i);
        pointers.insert(p);
        s->gate.open();
        s->gate.retire();
    }
    CHECK(pointers.size() == kdevx::gate::generations);
}

TEST_CASE("no memory, or a body that is too big: no slot") {
    slots all(counted());
    none_left = true;
    CHECK(all.take(sizeof(object)) == nullptr);
    none_left = false;
    CHECK(all.take(sizeof(object)) != nullptr);
    CHECK(all.take(4 * slot::unit) == nullptr);
}
