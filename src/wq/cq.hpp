// SPDX-License-Identifier: MIT
// A completion queue. One thread polls, arms or resizes it at a time.
#pragma once

#include "kdevx/prm/cqe.hpp"
#include "wq/completion.hpp"
#include "wq/doorbell.hpp"
#include "wq/enable.hpp"
#include "wq/queue_table.hpp"

namespace kdevx::wq {

struct cq_config {
    std::span<std::byte> buffer;          // a power of two of CQEs, at most 2^23
    std::uint32_t cqe_size = 64;          // 64 or 128
    std::byte *doorbell_record = nullptr; // 8 bytes: consumer index, arm
    uar_register *uar = nullptr;          // to arm it
    std::uint32_t cqn = 0;
    // CQEs carry the user index of the queue (cqe_version 1) instead of the SRQ's number.
    bool by_user_index = false;
};

class cq {
public:
    error init(const cq_config &c) noexcept;

    // Takes what has completed, oldest first; returns how many. `queues` are found by QP number, or
    // by user index; `srqs`, for receives of queue pairs that are not among `queues`, by the SRQ
    // number or user index in the CQE.
    std::size_t poll(std::span<completion> out, const queue_table &queues,
                     const queue_table *srqs = nullptr) noexcept {
        const std::byte *first = peek();
        return first && !out.empty() ? poll_from(first, out, queues, srqs) : 0;
    }

    // The same from what peek() has found; there must be room for one.
    std::size_t poll_from(const std::byte *cqe, std::span<completion> out,
                          const queue_table &queues, const queue_table *srqs) noexcept;

    // The oldest CQE that was not taken, as its last 64 bytes; null if the device has not written
    // it yet. For those who interpret CQEs themselves, with consume().
    const std::byte *peek() const noexcept {
        const std::byte *c = entry(buffer_, mask_, index_);
        const std::uint8_t op_own = std::uint8_t(c[op_own_offset]);
        // A fresh entry is INVALID, one of the turn before has the other owner bit: both are empty.
        if (op_own >> 4 == prm::cqe_op<"INVALID"> || ((op_own ^ (index_ >> log_size_)) & 1))
            return nullptr;
        from_device();
        return c;
    }
    void consume() noexcept { ++index_; }
    // Tells the device up to where CQEs were taken. poll() does it itself.
    void update() noexcept { update_consumer(doorbell_record_, index_); }

    // An event for the next completion, or the next solicited one.
    void arm(bool solicited_only = false) noexcept;
    // Arms, and looks once more: true if something is there already. Who goes to sleep only after
    // false cannot miss a completion that came between the last poll and the arming.
    bool arm_and_check(bool solicited_only = false) noexcept {
        arm(solicited_only);
        return peek() != nullptr;
    }
    // An event was received: the next arming is a new one.
    void acknowledge_event() noexcept { ++arm_sn_; }

    // A resize goes in three steps. begin_resize() gives the memory that MODIFY_CQ is told;
    // polling goes on in the old one, up to the CQE that marks the change. finish_resize(), after
    // the command was successful, moves what is still in the old ring; then the old memory is free.
    error begin_resize(std::span<std::byte> buffer, std::uint32_t cqe_size) noexcept;
    error finish_resize() noexcept;
    void abort_resize() noexcept {
        next_ = {};
        resizing_ = false;
    }
    // From begin_resize() to its end, whether or not polling has come across the mark.
    bool resizing() const noexcept { return resizing_; }

    // Completions that WAITs of this queue's masters have asked for. This, like the beginning and
    // the end of a resize, is for those who hold the lock of all masters.
    group_counter waits;
    bool waited_for() const noexcept { return waits.count != 0; }
    // How far the queue is, for WAITs that are posted next. Not while it is polled.
    void look() noexcept { seen_ = index_; }
    // The index of a WAIT for so many completions. What came half the index space ago looks to the
    // device as if it were still to come: then it is what came last.
    std::uint32_t wait_index(std::uint32_t completions) const noexcept {
        const std::uint32_t behind = seen_ - completions;
        const bool far = behind >= wait_distance_limit && behind < 1u << 31; // else it is ahead
        return (far ? seen_ : completions) & wait_index_mask;
    }

    bool ready() const noexcept { return buffer_ != nullptr; }
    std::uint32_t number() const noexcept { return cqn_; }
    std::uint32_t size() const noexcept { return mask_ + 1; }
    std::uint32_t cqe_size() const noexcept { return 1u << log_cqe_size_; }
    std::uint32_t consumer() const noexcept { return index_; } // not wrapped

private:
    static constexpr std::uint32_t op_own_offset = 0x3f;
    static_assert(prm::place_of<prm::cqe64, "opcode">.row.offset == 0x3c &&
                  prm::place_of<prm::cqe64, "opcode">.row.hi == 7);

    // The last 64 bytes of entry n.
    std::byte *entry(std::byte *ring, std::uint32_t mask, std::uint32_t n) const noexcept {
        return ring + (std::size_t(n & mask) << log_cqe_size_) + cqe64_offset_;
    }
    void take(const std::byte *cqe, completion &c, const queue_table &queues,
              const queue_table *srqs) noexcept;
    void take_other(const std::byte *cqe, completion &c, std::uint32_t opcode,
                    const queue_table &queues, const queue_table *srqs) noexcept;
    void take_request(const std::byte *cqe, completion &c, const queue_entry *e) noexcept;
    void take_response(const std::byte *cqe, completion &c, const queue_entry *e) noexcept;
    const queue_entry *owner(const std::byte *cqe, bool response, const queue_table &queues,
                             const queue_table *srqs) noexcept;
    bool switch_over() noexcept;
    error move_over() noexcept;
    std::uint32_t unpolled() noexcept; // how many the device has written

    std::byte *buffer_ = nullptr;
    std::uint32_t mask_ = 0;
    std::uint32_t index_ = 0;
    std::uint8_t log_size_ = 0, log_cqe_size_ = 6;
    std::uint8_t cqe64_offset_ = 0;
    bool by_user_index_ = false;
    std::uint32_t cqn_ = 0;
    std::uint32_t arm_sn_ = 0;
    std::uint32_t seen_ = 0;
    std::byte *doorbell_record_ = nullptr;
    uar_register *uar_ = nullptr;
    std::span<std::byte> next_{};
    std::uint32_t next_cqe_size_ = 64;
    bool resizing_ = false;
};

} // namespace kdevx::wq
