// SPDX-License-Identifier: MIT
// A shared receive queue: its WQEs are a linked list, since they come back in any order.
#pragma once

#include "wq/doorbell.hpp"
#include "wq/error.hpp"
#include "wq/work_request.hpp"

namespace kdevx::wq {

struct shared_slot {
    std::uint64_t wr_id;
    bool posted;
};

struct shared_ring_config {
    std::span<std::byte> buffer; // a power of two of strides, at most 65536
    std::uint32_t stride = 0;    // bytes of a WQE: a power of two from 32 on
    std::span<shared_slot> slots;
    std::byte *doorbell_record = nullptr;
    std::uint32_t number = 0;
    std::uint32_t max_sge = 1;
};

class shared_ring {
public:
    error init(const shared_ring_config &c) noexcept;
    void reset() noexcept;

    // One WQE always stays in the list of free ones: size() - 1 can be posted.
    error post(const receive_request &r) noexcept;
    error post_list(const receive_request *list, const receive_request **bad) noexcept;
    void ring() noexcept;

    // The WQE of that index is done and free again. False: it was not posted.
    bool retire(std::uint16_t index, std::uint64_t &wr_id,
                const std::byte *&data_segments) noexcept;

    bool ready() const noexcept { return count_ != 0; }
    std::uint32_t number() const noexcept { return number_; }
    std::uint32_t size() const noexcept { return count_; }
    std::uint32_t data_units() const noexcept { return (stride_ >> 4) - 1; }

private:
    std::byte *wqe(std::uint32_t n) const noexcept { return ring_ + std::size_t(n) * stride_; }

    std::byte *ring_ = nullptr;
    shared_slot *slots_ = nullptr;
    std::uint32_t count_ = 0, stride_ = 0;
    std::uint32_t head_ = 0, tail_ = 0; // of the list of free WQEs
    std::uint16_t counter_ = 0, rung_ = 0;
    std::uint32_t max_sge_ = 0;
    std::uint32_t number_ = 0;
    std::byte *doorbell_record_ = nullptr;
};

} // namespace kdevx::wq
