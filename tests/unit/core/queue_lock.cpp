// SPDX-License-Identifier: MIT
#include "base/queue_lock.hpp"

#include <thread>
#include <vector>

#include "../catch.hpp"

using kdevx::queue_lock;

TEST_CASE("one at a time holds the lock, however many want it") {
    constexpr unsigned threads = 8, turns = 20000;
    queue_lock lock;
    unsigned long count = 0, inside = 0, most = 0; // under the lock only
    std::vector<std::thread> all;
    for (unsigned n = 0; n < threads; ++n)
        all.emplace_back([&] {
            for (unsigned i = 0; i < turns; ++i) {
                lock.lock();
                most = ++inside > most ? inside : most;
                ++count;
                --inside;
                lock.unlock();
            }
        });
    for (std::thread &t : all)
        t.join();
    CHECK(count == threads * turns);
    CHECK(most == 1);
    CHECK(lock.try_lock());
    lock.unlock();
}

TEST_CASE("a lock that is held is not taken, and is free when it was given back") {
    queue_lock lock;
    REQUIRE(lock.try_lock());
    bool taken = true;
    std::thread([&] { taken = lock.try_lock(); }).join();
    CHECK_FALSE(taken);
    std::thread waiter([&] {
        lock.lock();
        taken = true;
        lock.unlock();
    });
    CHECK_FALSE(taken);
    lock.unlock();
    waiter.join();
    CHECK(taken);
}
