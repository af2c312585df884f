// SPDX-License-Identifier: MIT
// What the examples stand on: a device with a PD, memory that it may use, and queue pairs that are
// connected with each other over the port.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <kdevx/kdevx.hpp>

namespace example {

// What was made, or the end of the program with a message that says what went wrong.
[[noreturn]] void give_up(const kdevx::failure &why);
template <class T>
T need(kdevx::result<T> r) {
    if (!r) give_up(r.failure());
    return *std::move(r);
}
inline void need(kdevx::result<void> r) {
    if (!r) give_up(r.failure());
}
template <class F, class... A>
void need_call(F function, A... arguments) {
    kdevx_failure why{};
    if (function(arguments..., &why)) give_up(why);
}
[[noreturn]] void give_up(const std::string &message);

struct site {
    kdevx::context context;
    kdevx::pd pd;
    std::uint16_t lid; // of port 1

    explicit site(const std::string &device);
};

// The device that the command line names: --device NAME, or the first one.
std::string device_of(int argc, char **argv);

// Words of memory that the device may read, write and change.
class memory {
    void *at_;
    std::size_t size_;
    kdevx::mr mr_;
    kdevx_mr_info info_;

public:
    memory(const site &s, std::size_t words);
    ~memory();
    memory(const memory &) = delete;

    std::uint64_t &operator[](std::size_t n) const { return static_cast<std::uint64_t *>(at_)[n]; }
    std::uint64_t address(std::size_t n) const {
        return std::uint64_t(reinterpret_cast<std::uintptr_t>(&(*this)[n]));
    }
    kdevx_sge word(std::size_t n, std::uint32_t words = 1) const {
        return {address(n), words * 8, info_.lkey};
    }
    std::uint32_t rkey() const { return info_.rkey; }
};

// A CQ with its ring.
class completions {
    kdevx::cq cq_;
    kdevx::cq_ring ring_;

public:
    explicit completions(const site &s, std::uint32_t entries = 255);

    kdevx_cq *cq() const { return cq_.get(); }
    kdevx_cq_ring *ring() const { return ring_.get(); }
    // The next one, if there is one. A completion with an error is the end of the program.
    bool take(kdevx_wc &wc) const;
    // The next one, however long it takes.
    kdevx_wc wait() const;
};

// An RC queue pair with its rings and a CQ for each direction.
class endpoint {
public:
    completions sent, received;
    kdevx::qp qp;
    kdevx::qp_ring ring;
    std::uint32_t number;

    // flags: enum kdevx_qp_create_flags
    endpoint(const site &s, std::uint32_t flags = 0, std::uint32_t depth = 64,
             std::uint32_t inline_bytes = 0);

    void post(const kdevx_send_wr &w) const { need(ring.post(w)); }
    void post(const kdevx_recv_wr &w) const { need(ring.post(w)); }
    // To RTS, at the other end of `peer` (or of itself: a queue that only waits and enables).
    void connect(const site &s, const endpoint &peer) const;
};

void connect(const site &s, const endpoint &a, const endpoint &b);

kdevx_send_wr send_of(const kdevx_sge &data, std::uint64_t id, std::uint32_t flags = 0);
kdevx_recv_wr receive_into(const kdevx_sge &data, std::uint64_t id);

// Requests of a master. Each counts from where the one before it ended.
kdevx_send_wr wait_for(const completions &cq, std::uint32_t completions);
kdevx_send_wr enable_send(const endpoint &target, std::uint32_t requests);

} // namespace example
