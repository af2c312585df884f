// SPDX-License-Identifier: MIT
// A receive queue of its own QP (or a verbs WQ): WQEs of equal stride, consumed in order.
#pragma once

#include "wq/doorbell.hpp"
#include "wq/error.hpp"
#include "wq/work_request.hpp"

namespace kdevx::wq {

struct receive_ring_config {
    std::span<std::byte> buffer;          // a power of two of strides, at most 32768
    std::uint32_t stride = 0;             // bytes of a WQE: a power of two from 16 on
    std::span<std::uint64_t> wr_ids;      // one for each WQE
    std::byte *doorbell_record = nullptr; // the QP's: the first word is the receive queue's
    std::uint32_t number = 0;
    std::uint32_t max_sge = 1;
    bool signature = false; // each WQE begins with a signature segment
    bool managed = false;   // cd_slave_receive: a master enables what is posted
    bool ignore_overflow = false;
};

class receive_ring {
public:
    error init(const receive_ring_config &c) noexcept;
    void reset() noexcept;

    error post(const receive_request &r) noexcept;
    error post_list(const receive_request *list, const receive_request **bad) noexcept;
    // Writes the record: for managed queues too, which says what is there, not what may be used.
    void ring() noexcept;

    // The oldest outstanding WQE is done. False: there is none.
    bool retire(std::uint64_t &wr_id, const std::byte *&data_segments) noexcept;

    bool ready() const noexcept { return count_ != 0; }
    bool managed() const noexcept { return managed_; }
    std::uint32_t number() const noexcept { return number_; }
    std::uint32_t size() const noexcept { return count_; }
    std::uint32_t posted() const noexcept { return posted_; } // not wrapped
    std::uint32_t data_units() const noexcept { return (stride_ >> 4) - signature_; }

private:
    std::uint32_t done() const noexcept { return __atomic_load_n(&done_, __ATOMIC_ACQUIRE); }
    std::byte *wqe(std::uint32_t n) const noexcept {
        return ring_ + std::size_t(n & (count_ - 1)) * stride_;
    }

    std::byte *ring_ = nullptr;
    std::uint64_t *wr_ids_ = nullptr;
    std::uint32_t count_ = 0, stride_ = 0;
    std::uint32_t posted_ = 0;
    std::uint32_t done_ = 0; // written by who polls, read by who posts
    std::uint32_t rung_ = 0;
    std::uint32_t max_sge_ = 0;
    std::uint32_t number_ = 0;
    bool signature_ = false, managed_ = false, ignore_overflow_ = false;
    std::byte *doorbell_record_ = nullptr;
};

} // namespace kdevx::wq
