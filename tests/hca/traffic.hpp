// SPDX-License-Identifier: MIT
// Queue pairs of one HCA that talk to each other: a driver that posts WQEs and polls CQs by hand.
#pragma once

#include "harness.hpp"

#include "engine/cqe_errors.hpp"
#include "kdevx/prm/cqe.hpp"
#include "kdevx/prm/doorbell.hpp"
#include "kdevx/prm/event.hpp"
#include "kdevx/prm/wqe.hpp"

#include <optional>

namespace hca_test {

using engine::cqe_error;
namespace errors = engine::errors;

inline constexpr std::uint8_t rc = 0, uc = 1, ud = 2, xrc = 3;
inline constexpr std::uint32_t all_rights = 0x1f; // of memory::access

struct sge {
    std::uint64_t address;
    std::uint32_t length;
    std::uint32_t key;
};

// ---- WQEs, segment by segment

template <const auto &L>
bytes segment(const prm::mailbox<L> &m) {
    auto b = m.bytes();
    return {b.begin(), b.end()};
}
inline bytes data(const sge &s) {
    prm::mailbox<prm::wqe_data> d;
    d.set<"byte_count">(s.length).set<"lkey">(s.key).set<"addr">(s.address);
    return segment(d);
}
inline bytes data(const std::vector<sge> &list) {
    bytes all;
    for (const sge &s : list)
        all = all + data(s);
    return all;
}
bytes inline_data(const bytes &payload);
bytes remote(std::uint64_t address, std::uint32_t key);
bytes atomic(std::uint64_t swap_add, std::uint64_t compare);
bytes datagram(std::uint32_t qpn, std::uint32_t q_key, std::uint16_t lid, bool grh = false);

struct work {
    std::uint8_t opcode;
    bytes body{};
    std::uint32_t word = 0; // immediate, key
    std::uint8_t opc_mod = 0;
    bool signaled = true, solicited = false;
};

// ---- what came of it

struct cqe_seen {
    bytes raw; // of 64 bytes, or 128
    prm::view<prm::cqe64> view() const {
        return prm::view<prm::cqe64>(std::span<const std::byte>(raw).last(64));
    }
    std::uint8_t opcode() const { return std::uint8_t(view().get<"opcode">()); }
    std::uint16_t counter() const { return std::uint16_t(view().get<"wqe_counter">()); }
    std::uint32_t byte_count() const { return std::uint32_t(view().get<"byte_cnt">()); }
    bool is(const cqe_error &e) const;
};

struct endpoint {
    std::uint32_t qpn = 0, cq = 0, user_index = 0;
    std::uint8_t type = rc;
    std::uint64_t cq_ring = 0, cq_record = 0, ring = 0, record = 0;
    unsigned log_cq = 6, cqe_size = 64, log_sq = 4, log_rq = 3, log_rq_stride = 2;
    std::uint32_t seen = 0;           // CQEs
    std::uint16_t sent = 0, recv = 0; // counters of the doorbell record
    std::uint64_t send_ring() const { return ring + (16ull << (log_rq + log_rq_stride)); }
    std::uint64_t receive_at(std::uint16_t n) const {
        return ring + (std::uint64_t(n & ((1u << log_rq) - 1)) << (4 + log_rq_stride));
    }
};

struct qp_options {
    std::uint8_t type = rc;
    unsigned log_cq = 6, log_sq = 4, log_rq = 3;
    bool large_cqe = false, oi = false;
    std::uint8_t cs_req = 0, cs_res = 0;
    bool master = false, managed_send = false, managed_receive = false;
    std::uint32_t srq = 0; // with an SRQ, or with none and no receive queue (XRC)
    bool no_receive = false;
    std::uint32_t xrc_domain = 0;
    std::uint32_t pd = 0; // 0: that of basics
};

// How the transitions are made.
struct path {
    std::uint16_t lid = 1;
    std::uint32_t psn = 100;
    unsigned rnr_retry = 1, retry_count = 1, ack_timeout = 1, min_rnr_nak = 1;
    bool read = true, write = true, atomic = true;
    std::uint32_t q_key = 0;
};

class traffic : public driver {
public:
    explicit traffic(const std::string &words = "");
    ~traffic();

    basics b;
    int irq;
    std::uint32_t eqn = 0;

    std::uint64_t take(std::uint64_t n); // of the umem
    std::uint32_t mkey(std::uint64_t address, std::uint64_t length, unsigned rights = all_rights,
                       std::uint32_t pd = 0);
    // A key with no translation yet, that a UMR can fill with n entries.
    std::uint32_t indirect_key(std::uint32_t n);
    endpoint make(const qp_options &o = {});
    std::uint32_t transition(const endpoint &e, const char *name, std::uint32_t remote = 0,
                             const path &p = {});
    void connect(const endpoint &e, std::uint32_t remote, const path &p = {});
    // Two of them, connected.
    void pair(endpoint &a, endpoint &b, const qp_options &o = {}, const path &p = {});
    std::uint8_t state_of(const endpoint &e);

    void post(endpoint &e, const work &s, bool ring_it = true);
    void ring_doorbell(endpoint &e);
    void receive(endpoint &e, const std::vector<sge> &list);
    std::optional<cqe_seen> poll(endpoint &e);
    // Lets time pass until there is one, and takes it.
    cqe_seen wait_for(endpoint &e);
    // The next event of a type, if there is one; others are thrown away.
    bool event_seen(std::uint8_t type, std::uint32_t number);

    bytes pattern(std::uint64_t address, std::size_t n, std::uint8_t seed);
    bytes read_guest(std::uint64_t address, std::size_t n);

private:
    std::uint64_t next_ = 0, eq_ring_ = 0, eq_seen_ = 0;
    std::uint32_t kernel_uar_ = 0, next_user_index_ = 0x100;

    void make_cq(endpoint &e, const qp_options &o);
};

// Two connected queue pairs, and memory from which and to which they send.
struct connected : traffic {
    static constexpr std::size_t room = 65536;
    endpoint a, z;
    std::uint64_t from, to;
    std::uint32_t key;

    explicit connected(const qp_options &o = {}, const path &p = {}) {
        pair(a, z, o, p);
        from = take(room);
        to = take(room);
        key = mkey(b.memory, b.size);
    }
};

} // namespace hca_test
