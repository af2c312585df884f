// SPDX-License-Identifier: MIT
#include "wq/shared_ring.hpp"

#include "wq/receive_wqe.hpp"

namespace kdevx::wq {

error shared_ring::init(const shared_ring_config &c) noexcept {
    if (error e = check_receive_ring(c, prm::srq_next.size, c.slots.size()); e != error::none)
        return e;
    if (c.slots.size() < 2) return error::bad_ring_size; // one stays free
    ring_ = c.buffer.data();
    slots_ = c.slots.data();
    count_ = std::uint32_t(c.slots.size());
    stride_ = c.stride;
    number_ = c.number;
    max_sge_ = c.max_sge;
    doorbell_record_ = c.doorbell_record;
    reset();
    return error::none;
}

void shared_ring::reset() noexcept {
    for (std::uint32_t i = 0; i < count_; ++i) {
        std::memset(wqe(i), 0, stride_);
        put<prm::srq_next, "next_wqe_index">(wqe(i), (i + 1) & (count_ - 1));
        slots_[i] = {0, false};
    }
    head_ = 0;
    tail_ = count_ - 1;
    counter_ = rung_ = 0;
}

error shared_ring::post(const receive_request &r) noexcept {
    if (error e = check_receive(r, max_sge_); e != error::none) return e;
    if (head_ == tail_) return error::queue_full;
    std::byte *w = wqe(head_);
    put_receive_list(w + prm::srq_next.size, r, data_units());
    slots_[head_] = {r.wr_id, true};
    head_ = get<prm::srq_next, "next_wqe_index">(w) & (count_ - 1);
    ++counter_;
    return error::none;
}

error shared_ring::post_list(const receive_request *list, const receive_request **bad) noexcept {
    return post_receive_list(*this, list, bad);
}

void shared_ring::ring() noexcept {
    if (counter_ == rung_) return;
    rung_ = counter_;
    ring_receive(doorbell_record_, counter_);
}

bool shared_ring::retire(std::uint16_t index, std::uint64_t &wr_id,
                         const std::byte *&data_segments) noexcept {
    if (index >= count_ || !slots_[index].posted) return false;
    slots_[index].posted = false;
    wr_id = slots_[index].wr_id;
    data_segments = wqe(index) + prm::srq_next.size;
    put<prm::srq_next, "next_wqe_index">(wqe(tail_), index);
    tail_ = index;
    return true;
}

} // namespace kdevx::wq
