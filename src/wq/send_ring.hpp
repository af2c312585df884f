// SPDX-License-Identifier: MIT
// A send queue: WQEs are written into its ring and announced by a doorbell. It owns no memory and
// takes no lock; one thread posts, and one may complete at the same time.
#pragma once

#include "wq/cursor.hpp"
#include "wq/doorbell.hpp"
#include "wq/enable.hpp"
#include "wq/error.hpp"
#include "wq/work_request.hpp"

namespace kdevx::wq {

// What is remembered of a WQE, at the slot of its first WQEBB. `end_of_request` belongs to another
// counting, that of managed queues: slot n holds the WQEBB index after the n-th work request.
struct alignas(32) send_slot {
    std::uint64_t wr_id;
    std::uint32_t start, end; // WQEBB indices, not wrapped
    std::uint32_t end_of_request;
    send_op op;
};

struct send_ring_config {
    std::span<std::byte> buffer; // a power of two of WQEBBs, at most 32768, 64-byte aligned
    std::span<send_slot> slots;  // one for each WQEBB
    std::byte *doorbell_record = nullptr; // the QP's: the second word is the send queue's
    uar_register *uar = nullptr;
    std::uint32_t qpn_or_sqn = 0;
    wq::transport transport = wq::transport::rc;
    std::uint32_t max_sge = 1;
    std::uint32_t max_inline = 0; // bytes
    bool signal_all = false;
    bool signature = false;         // qpc.wq_signature
    bool master = false;            // cd_master: may WAIT and ENABLE
    bool managed = false;           // cd_slave_send: others enable it, no doorbell of its own
    bool ignore_overflow = false;   // the program knows itself when there is room
    bool prefer_blue_flame = false; // also for requests without inline data
    send_enable_unit enable_unit = default_send_enable_unit;
};

struct op_row;
struct wqe_writer;

class send_ring {
public:
    error init(const send_ring_config &c) noexcept;
    // To the state after init, as the queue is after a transition to RST.
    void reset() noexcept;

    // Writes the WQE; the device learns of it with ring().
    error post(const send_request &r) noexcept;
    // Up to the first request that is refused, which is returned in `bad`.
    error post_list(const send_request *list, const send_request **bad) noexcept;
    error post_and_ring(const send_request *list, const send_request **bad) noexcept;
    // Announces all that was posted since the last time. A managed queue is enabled by its master:
    // its WQEs are only made visible.
    void ring() noexcept {
        if (producer_ == rung_) return;
        if (special_ & special_doorbell) [[unlikely]]
            return ring_special();
        ring_register();
    }
    bool post_alone(const send_request &r) noexcept; // send_short.hpp

    // The WQE that a CQE's wqe_counter names; it and all before it are free again. Null if there is
    // no such WQE outstanding.
    const send_slot *retire(std::uint16_t wqe_counter) noexcept {
        // Counted backwards from the producer: on a queue that may overflow the consumer can be
        // more than one turn of the 16-bit counter behind.
        const std::uint32_t start =
            producer_ - std::uint16_t(std::uint16_t(producer_) - wqe_counter);
        const send_slot &s = slots_[start & mask_];
        const bool again = std::int32_t(start - consumer_) < 0;
        if (s.start != start || (again && !config_.ignore_overflow)) [[unlikely]]
            return nullptr;
        if (!again) __atomic_store_n(&consumer_, s.end, __ATOMIC_RELEASE);
        return &s;
    }
    // The memory a completed WQE's response was to be scattered to (data inlined into the CQE).
    struct scatter_list {
        cursor segments;
        std::uint32_t count;
    };
    scatter_list response_buffers(const send_slot &s) const noexcept;

    bool ready() const noexcept { return count_ != 0; }
    wq::transport kind() const noexcept { return config_.transport; }
    bool master() const noexcept { return config_.master; }
    bool managed() const noexcept { return config_.managed; }
    std::uint32_t number() const noexcept { return number_; }
    std::uint32_t wqebbs() const noexcept { return count_; }
    std::uint32_t producer() const noexcept { return producer_; } // WQEBBs, not wrapped
    // Work requests, not wrapped; counted on managed queues only.
    std::uint32_t posted() const noexcept { return posted_; }
    std::uint32_t free_wqebbs() const noexcept { return count_ - (producer_ - consumer()); }
    // The index, in the unit of SEND_EN, after `requests` work requests. They must be among the
    // last wqebbs() posted ones.
    std::uint32_t enable_index(std::uint32_t requests) const noexcept {
        return config_.enable_unit == send_enable_unit::work_request
                   ? requests
                   : slots_[(requests - 1) & mask_].end_of_request;
    }

private:
    friend struct wqe_writer;
    friend error post_rare(send_ring &, const send_request &, const op_row &) noexcept;

    std::uint32_t consumer() const noexcept {
        return __atomic_load_n(&consumer_, __ATOMIC_ACQUIRE);
    }
    error reserve(std::uint32_t units) const noexcept;
    void ring_register() noexcept {
        rung_ = producer_;
        write_send_record(doorbell_record_, rung_);
        device_bus::before_register();
        device_bus::write_register(register_, last_control_);
    }

    // Why a queue cannot take the short way through post(); the last also through ring().
    enum : std::uint8_t {
        transport_segments = 1 << 0,
        signed_wqes = 1 << 1,
        fence_next = 1 << 2,      // the newest WQE changes memory keys
        counts_requests = 1 << 3, // managed
        no_sges = 1 << 4,
        special_doorbell = 1 << 5, // none, by BlueFlame, combining, or under a lock
    };
    error post_each(const send_request *list, const send_request **bad) noexcept;
    bool post_short(const send_request &r) noexcept;
    bool post_short_inline(const send_request &r) noexcept;
    bool post_short_gather(const send_request &r) noexcept;
    error post_long(const send_request &r) noexcept;
    void set_special(unsigned what) noexcept;
    error post_data(const send_request &r, const op_row &op) noexcept;
    void finish_special(const wqe_writer &w, const send_request &r) noexcept;
    void ring_special() noexcept;

    // Ordered by use: what a post touches comes first.
    std::byte *ring_ = nullptr, *ring_end_ = nullptr;
    send_slot *slots_ = nullptr;
    std::byte *last_control_ = nullptr; // of the newest WQE
    std::uint32_t mask_ = 0;
    std::uint32_t producer_ = 0;
    std::uint32_t consumer_ = 0; // written by who polls, read by who posts
    std::uint32_t count_ = 0;
    std::uint32_t max_inline_ = 0;
    std::uint32_t number_ = 0;
    std::uint32_t short_ops_ = 0, short_inline_ops_ = 0; // bits 1 << send_op
    std::uint8_t special_ = 0;
    std::uint8_t head_units_ = 1; // control segment and transport
    std::uint32_t rung_ = 0;      // value of producer_ at the last doorbell
    std::byte *doorbell_record_ = nullptr;
    std::byte *register_ = nullptr;
    // The word of fm, ce and se for the five lowest flags of a request.
    std::uint32_t flag_words_[32] = {};

    std::uint32_t posted_ = 0;
    std::uint32_t last_start_ = 0; // WQEBB index of the newest WQE
    bool last_inline_ = false;
    send_ring_config config_{};
};

} // namespace kdevx::wq
