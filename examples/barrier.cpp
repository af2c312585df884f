// SPDX-License-Identifier: MIT
// A barrier of eight ranks by recursive doubling: in each of three rounds a rank tells its partner
// that it is here, and goes on when it has heard from it. Nobody leaves before all have come.
// Once with the CPU between the rounds, once with each rank's rounds posted as a whole: its master
// enables the message of a round when the one of the round before has been received.
#include <array>
#include <cstdio>
#include <memory>
#include <vector>

#include "site.hpp"

using namespace example;

namespace {

constexpr unsigned ranks = 8, rounds = 3;

struct rank {
    std::array<std::unique_ptr<endpoint>, rounds> to; // the partner of each round
    std::unique_ptr<endpoint> master;
    memory words;

    rank(const site &s, std::uint32_t flags) : words(s, 2 * rounds) {
        for (auto &e : to)
            e = std::make_unique<endpoint>(s, flags, 8);
        if (flags) master = std::make_unique<endpoint>(s, KDEVX_QP_CROSS_CHANNEL, 16);
    }
    void post_receives() {
        for (unsigned r = 0; r < rounds; ++r) {
            const kdevx_sge at = words.word(r);
            to[r]->post(receive_into(at, r));
        }
    }
    void post_send(unsigned r) {
        const kdevx_sge at = words.word(rounds + r);
        to[r]->post(send_of(at, r, KDEVX_SEND_SIGNALED));
    }
};

class world {
    std::vector<std::unique_ptr<rank>> all_;

public:
    world(const site &s, std::uint32_t flags) {
        for (unsigned n = 0; n < ranks; ++n)
            all_.push_back(std::make_unique<rank>(s, flags));
        for (unsigned n = 0; n < ranks; ++n)
            for (unsigned r = 0; r < rounds; ++r)
                if (const unsigned partner = n ^ (1u << r); partner > n)
                    connect(s, *all_[n]->to[r], *all_[partner]->to[r]);
        for (auto &one : all_) {
            if (one->master) one->master->connect(s, *one->master);
            one->post_receives();
        }
    }
    rank &operator[](unsigned n) { return *all_[n]; }
};

// The CPU goes through the rounds of all ranks that have come.
class cpu_driven {
    world w_;
    std::array<unsigned, ranks> round_{};
    std::array<bool, ranks> here_{};

public:
    explicit cpu_driven(const site &s) : w_(s, 0) {}
    void arrive(unsigned n) {
        here_[n] = true;
        w_[n].post_send(0);
    }
    // Lets the one rank get as far as it can; true when it has left the barrier.
    bool advance(unsigned n) {
        kdevx_wc wc;
        while (here_[n] && round_[n] < rounds && w_[n].to[round_[n]]->received.take(wc))
            if (++round_[n] < rounds) w_[n].post_send(round_[n]);
        return round_[n] == rounds;
    }
    void wait_for_first_message(unsigned n) { w_[n].to[0]->sent.wait(); }
};

class device_driven {
    world w_;

public:
    explicit device_driven(const site &s) : w_(s, KDEVX_QP_CROSS_CHANNEL | KDEVX_QP_MANAGED_SEND) {
        for (unsigned n = 0; n < ranks; ++n)
            for (unsigned r = 0; r < rounds; ++r)
                w_[n].post_send(r);
    }
    // All rounds at once; the last request is done when the rank has heard from everybody.
    void arrive(unsigned n) {
        std::vector<kdevx_send_wr> list;
        for (unsigned r = 0; r < rounds; ++r) {
            list.push_back(enable_send(*w_[n].to[r], 1));
            list.push_back(wait_for(w_[n].to[r]->received, 1));
        }
        kdevx_send_wr done{};
        done.op = KDEVX_NOP;
        done.flags = KDEVX_SEND_SIGNALED;
        list.push_back(done);
        for (std::size_t i = 0; i + 1 < list.size(); ++i)
            list[i].next = &list[i + 1];
        w_[n].master->post(list.front());
    }
    bool advance(unsigned n) {
        kdevx_wc wc;
        return w_[n].master->sent.take(wc);
    }
    void wait_for_first_message(unsigned n) { w_[n].to[0]->sent.wait(); }
};

template <class Driven>
void run(const site &s, const char *name) {
    Driven barrier(s);
    for (unsigned n = 0; n + 1 < ranks; ++n)
        barrier.arrive(n);
    for (unsigned n = 0; n + 1 < ranks; ++n)
        barrier.wait_for_first_message(n);
    for (unsigned n = 0; n < ranks; ++n)
        if (barrier.advance(n)) give_up("a rank left before the last one had come");
    barrier.arrive(ranks - 1);
    std::array<bool, ranks> left{};
    for (unsigned still = ranks; still;)
        for (unsigned n = 0; n < ranks; ++n)
            if (!left[n] && barrier.advance(n)) left[n] = true, --still;
    std::printf("%s: %u ranks, %u rounds, nobody left early\n", name, ranks, rounds);
}

} // namespace

int main(int argc, char **argv) {
    site s(device_of(argc, argv));
    run<cpu_driven>(s, "by the CPU");
    run<device_driven>(s, "by the device");
}
