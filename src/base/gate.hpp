// SPDX-License-Identifier: MIT
// Who may use a thing that others may close: calls enter and leave, a closer claims it while nobody
// is inside. Each life of the thing has a generation, so that a reference to a former life is told
// apart. One word, no lock, never waits.
#pragma once

#include <atomic>
#include <cstdint>

namespace kdevx {

class gate {
    static constexpr std::uint32_t is_open = 1u << 31, is_claimed = 1u << 30;
    static constexpr unsigned generation_shift = 24;
    static constexpr std::uint32_t users = (1u << generation_shift) - 1;
    std::atomic<std::uint32_t> word_{0};

public:
    static constexpr unsigned generations = 64;
    enum class answer { in, closed, busy };

    unsigned generation() const noexcept { return word_.load() >> generation_shift & 63; }

    void open() noexcept { word_.fetch_or(is_open); }

    answer enter(unsigned generation) noexcept {
        std::uint32_t w = word_.load();
        do {
            if (!lives(w, generation)) return answer::closed;
            if (w & is_claimed) return answer::busy;
        } while (!word_.compare_exchange_weak(w, w + 1));
        return answer::in;
    }
    // True for the one who leaves last after shut().
    bool leave() noexcept {
        std::uint32_t before = word_.fetch_sub(1);
        return (before & users) == 1 && !(before & is_open);
    }

    // Nobody else gets in until unclaim() or retire().
    answer claim(unsigned generation) noexcept {
        std::uint32_t w = word_.load();
        do {
            if (!lives(w, generation)) return answer::closed;
            if (w & (is_claimed | users)) return answer::busy;
        } while (!word_.compare_exchange_weak(w, w | is_claimed));
        return answer::in;
    }
    void unclaim() noexcept { word_.fetch_and(~is_claimed); }

    // Ends this life; the next one begins with open().
    void retire() noexcept { word_.store(((generation() + 1) & 63) << generation_shift); }

    // Lets nobody in any more. True when nobody is inside: else the last one's leave() is true.
    bool shut() noexcept { return (word_.fetch_and(~is_open) & users) == 0; }
    bool is_shut() const noexcept { return !(word_.load() & is_open); }
    // Without entering: for those who keep the thing alive in another way.
    bool is_open_for(unsigned generation) const noexcept {
        return lives(word_.load(std::memory_order_acquire), generation);
    }

private:
    static bool lives(std::uint32_t w, unsigned generation) noexcept {
        return (w & is_open) && (w >> generation_shift & 63) == generation;
    }
};

} // namespace kdevx
