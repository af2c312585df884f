// SPDX-License-Identifier: MIT
// Ping-pong without a CPU. Two sides pass a token back and forth: each sends on what it has just
// received. In the first half the program posts every reply when it has seen the message before
// it. In the second half all replies are posted beforehand on managed queues, and each side's
// master waits for the next completion of the receive CQ and enables the next reply: the program
// rings each master once and looks at the last message only.
#include <cstdio>
#include <vector>

#include "site.hpp"

using namespace example;

namespace {

constexpr std::uint32_t rounds = 16;
constexpr std::uint64_t token = 0x6b64657678; // "kdevx"

// One side's words: word n is what it sends as its n-th message and, but for the first one's
// beginning, what message n of the other side was received into.
struct side {
    endpoint data;
    memory words;

    side(const site &s, std::uint32_t flags) : data(s, flags), words(s, rounds + 1) {}

    void post_receive(std::uint32_t into) {
        const kdevx_sge at = words.word(into);
        data.post(receive_into(at, into));
    }
    void post_send(std::uint32_t from) {
        const kdevx_sge at = words.word(from);
        data.post(send_of(at, from, KDEVX_SEND_SIGNALED));
    }
};

// The first side begins with word 0 and gets the reply into word n + 1; the second gets word n and
// sends it back.
struct pair {
    side first, second;

    pair(const site &s, std::uint32_t flags) : first(s, flags), second(s, flags) {
        connect(s, first.data, second.data);
        for (std::uint32_t n = 0; n < rounds; ++n) {
            first.post_receive(n + 1);
            second.post_receive(n);
        }
        first.words[0] = token;
    }
    void check() const {
        if (first.words[rounds] != token) give_up("the token did not come back");
    }
};

unsigned by_the_cpu(const site &s) {
    pair p(s, 0);
    unsigned doorbells = 0;
    for (std::uint32_t n = 0; n < rounds; ++n) {
        p.first.post_send(n);
        p.second.data.received.wait();
        p.second.post_send(n);
        p.first.data.received.wait();
        doorbells += 2;
    }
    p.check();
    return doorbells;
}

// Enables send after send of `of`, each after one more message was received.
void drive(const endpoint &master, const side &of, bool begins) {
    std::vector<kdevx_send_wr> list;
    for (std::uint32_t n = 0; n < rounds; ++n) {
        if (n || !begins) list.push_back(wait_for(of.data.received, 1));
        list.push_back(enable_send(of.data, 1));
    }
    for (std::size_t n = 0; n + 1 < list.size(); ++n)
        list[n].next = &list[n + 1];
    master.post(list.front());
}

unsigned by_the_device(const site &s) {
    pair p(s, KDEVX_QP_CROSS_CHANNEL | KDEVX_QP_MANAGED_SEND);
    endpoint first_master(s, KDEVX_QP_CROSS_CHANNEL), second_master(s, KDEVX_QP_CROSS_CHANNEL);
    connect(s, first_master, second_master);
    for (std::uint32_t n = 0; n < rounds; ++n) {
        p.first.post_send(n);
        p.second.post_send(n);
    }
    kdevx_wc early;
    if (p.second.data.received.take(early)) give_up("a managed queue sent before it was enabled");
    drive(second_master, p.second, false);
    drive(first_master, p.first, true);
    for (std::uint32_t n = 0; n < rounds; ++n)
        p.first.data.received.wait();
    p.check();
    return 2;
}

} // namespace

int main(int argc, char **argv) {
    site s(device_of(argc, argv));
    const unsigned cpu = by_the_cpu(s), device = by_the_device(s);
    std::printf("%u rounds: %u doorbells by the CPU, %u by the device; the token came back\n",
                rounds, cpu, device);
}
