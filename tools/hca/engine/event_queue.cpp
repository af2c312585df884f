// SPDX-License-Identifier: MIT
#include "engine/event_queue.hpp"

#include "kdevx/prm/event.hpp"
#include "memory/span_iterator.hpp"

#include <algorithm>
#include <atomic>

namespace kdevx::hca::engine {

bool event_queue::post(memory::guest_memory &memory, std::uint8_t type, std::uint8_t subtype,
                       std::span<const std::byte> data) {
    const std::uint32_t size = 1u << config_.log_size;
    if (producer_ - consumer_ >= size) return false;
    prm::mailbox<prm::eqe> entry;
    entry.set<"event_type">(type)
        .set<"event_sub_type">(subtype)
        .set_bytes<"event_data">(data.first(std::min(data.size(), event_data_size)))
        .set<"owner">(producer_ >> config_.log_size & 1);

    const std::uint64_t at = std::uint64_t(producer_ & (size - 1)) * eqe_size;
    const auto bytes = entry.bytes();
    using memory::span_iterator;
    // The driver polls the owner byte, so it has to appear last.
    auto body = copy_out(span_iterator(memory, config_.ring, at, eqe_size - 1, true),
                         bytes.first(eqe_size - 1));
    std::atomic_thread_fence(std::memory_order_release);
    auto owner =
        copy_out(span_iterator(memory, config_.ring, at + eqe_size - 1, 1, true), bytes.last(1));
    if (body != memory::fault::none || owner != memory::fault::none) return false;
    ++producer_;
    return true;
}

// A counter that is not between the old one and the producer is a guest's nonsense: no change.
void event_queue::consumed(std::uint32_t counter) {
    std::uint32_t forward = (counter - consumer_) & 0xffffff;
    if (forward <= producer_ - consumer_) consumer_ += forward;
}

} // namespace kdevx::hca::engine
