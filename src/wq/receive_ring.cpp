// SPDX-License-Identifier: MIT
#include "wq/receive_ring.hpp"

#include "wq/receive_wqe.hpp"
#include "wq/send_wqe.hpp"

namespace kdevx::wq {

error receive_ring::init(const receive_ring_config &c) noexcept {
    const std::uint32_t before = c.signature ? prm::rwqe_signature.size : 0;
    if (error e = check_receive_ring(c, before, c.wr_ids.size()); e != error::none) return e;
    ring_ = c.buffer.data();
    wr_ids_ = c.wr_ids.data();
    count_ = std::uint32_t(c.wr_ids.size());
    stride_ = c.stride;
    number_ = c.number;
    max_sge_ = c.max_sge;
    signature_ = c.signature;
    managed_ = c.managed;
    ignore_overflow_ = c.ignore_overflow;
    doorbell_record_ = c.doorbell_record;
    reset();
    return error::none;
}

void receive_ring::reset() noexcept {
    posted_ = rung_ = 0;
    __atomic_store_n(&done_, 0, __ATOMIC_RELEASE);
}

namespace {

// A receive WQE is signed together with the number of its queue and its own index, which the device
// knows and the WQE does not hold.
void sign(std::byte *wqe, std::uint32_t units, std::uint32_t number, std::uint16_t index) noexcept {
    std::uint8_t s = signature_of({wqe, wqe, nullptr}, units);
    for (unsigned shift = 0; shift < 24; shift += 8)
        s = std::uint8_t(s ^ number >> shift);
    s = std::uint8_t(s ^ index ^ index >> 8);
    put<prm::rwqe_signature, "signature">(wqe, s);
}

} // namespace

error receive_ring::post(const receive_request &r) noexcept {
    if (error e = check_receive(r, max_sge_); e != error::none) return e;
    if (!ignore_overflow_ && posted_ - done() >= count_) return error::queue_full;
    std::byte *w = wqe(posted_);
    if (!signature_) {
        put_receive_list(w, r, stride_ / prm::wqe_data.size);
    } else {
        std::memset(w, 0, stride_);
        const std::uint32_t used = put_receive_list(w + prm::rwqe_signature.size, r, data_units());
        sign(w, 1 + used, number_, std::uint16_t(posted_));
    }
    wr_ids_[posted_ & (count_ - 1)] = r.wr_id;
    ++posted_;
    return error::none;
}

error receive_ring::post_list(const receive_request *list, const receive_request **bad) noexcept {
    return post_receive_list(*this, list, bad);
}

void receive_ring::ring() noexcept {
    if (posted_ == rung_) return;
    rung_ = posted_;
    ring_receive(doorbell_record_, posted_);
}

bool receive_ring::retire(std::uint64_t &wr_id, const std::byte *&data_segments) noexcept {
    if (done_ == posted_) return false;
    wr_id = wr_ids_[done_ & (count_ - 1)];
    data_segments = wqe(done_) + (signature_ ? prm::rwqe_signature.size : 0);
    __atomic_store_n(&done_, done_ + 1, __ATOMIC_RELEASE);
    return true;
}

} // namespace kdevx::wq
