// SPDX-License-Identifier: MIT
#include "base/gate.hpp"

#include <thread>
#include <vector>

#include "../catch.hpp"

using kdevx::gate;
using answer = gate::answer;

TEST_CASE("nobody enters before it is open, nor after it was retired") {
    gate g;
    CHECK(g.enter(0) == answer::closed);
    g.open();
    CHECK(g.enter(0) == answer::in);
    CHECK(g.enter(1) == answer::closed);
    CHECK_FALSE(g.leave());
    CHECK(g.claim(0) == answer::in);
    CHECK(g.enter(0) == answer::busy);
    CHECK(g.claim(0) == answer::busy);
    g.unclaim();
    CHECK(g.enter(0) == answer::in);
    CHECK(g.claim(0) == answer::busy);
    g.leave();
    CHECK(g.claim(0) == answer::in);
    g.retire();
    CHECK(g.enter(0) == answer::closed);
    CHECK(g.generation() == 1);
    g.open();
    CHECK(g.enter(0) == answer::closed);
    CHECK(g.enter(1) == answer::in);
}

TEST_CASE("generations begin again after 64") {
    gate g;
    for (unsigned i = 0; i < gate::generations; ++i) {
        CHECK(g.generation() == i);
        g.open();
        REQUIRE(g.claim(i) == answer::in);
        g.retire();
    }
    CHECK(g.generation() == 0);
}

TEST_CASE("after shut() exactly one is the last") {
    gate g;
    g.open();
    CHECK(g.enter(0) == answer::in);
    CHECK(g.enter(0) == answer::in);
    CHECK_FALSE(g.shut());
    CHECK(g.enter(0) == answer::closed);
    CHECK_FALSE(g.leave());
    CHECK(g.leave());

    gate idle;
    idle.open();
    CHECK(idle.shut());
}

TEST_CASE("many threads, one closer: the last one is one only, and nobody is inside after it") {
    for (unsigned round = 0; round < 200; ++round) {
        gate g;
        g.open();
        std::atomic<int> inside{0}, last{0};
        std::atomic<bool> go{false};
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                while (!go)
                    std::this_thread::yield();
                while (g.enter(0) == answer::in) {
                    ++inside;
                    --inside;
                    if (g.leave()) ++last;
                }
            });
        go = true;
        std::this_thread::yield();
        if (g.shut()) ++last;
        for (std::thread &t : threads)
            t.join();
        CHECK(last == 1);
        CHECK(inside == 0);
    }
}
