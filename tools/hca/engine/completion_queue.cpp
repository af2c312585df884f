// SPDX-License-Identifier: MIT
#include "engine/completion_queue.hpp"

#include "kdevx/prm/cqe.hpp"
#include "kdevx/prm/doorbell.hpp"
#include "memory/span_iterator.hpp"

#include <array>
#include <atomic>
#include <utility>

namespace kdevx::hca::engine {
namespace {

constexpr std::uint32_t counter_mask = (1u << prm::MLX5_CQ_INDEX_WIDTH) - 1;

// Whether counter a is after counter b, in the half of the ring of counters that is ahead of b.
bool is_after(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t ahead = (a - b) & counter_mask;
    return ahead != 0 && ahead <= counter_mask / 2;
}

} // namespace

std::uint32_t completion_queue::consumer(memory::guest_memory &memory) const {
    std::array<std::byte, prm::cq_doorbell_record.size> raw{};
    copy_in(memory::span_iterator(memory, config_.record, 0, raw.size(), false), raw);
    return std::uint32_t(prm::view<prm::cq_doorbell_record>(raw).get<"update_ci">());
}

completion_queue::posted completion_queue::post(memory::guest_memory &memory,
                                                std::span<std::byte, cqe_size> cqe,
                                                std::span<const std::byte> before, bool solicited) {
    const std::uint32_t size = 1u << config_.log_size;
    if (broken_) return posted::broken;
    if (!config_.ignore_overrun && ((producer_ - consumer(memory)) & counter_mask) >= size) {
        broken_ = true;
        return posted::overrun;
    }
    prm::editor<prm::cqe64>(cqe).set<"owner">(producer_ >> config_.log_size & 1);
    const std::uint32_t slot = config_.collapsed ? 0 : producer_ & (size - 1);
    const std::uint64_t at = std::uint64_t(slot) * config_.stride + (config_.stride - cqe_size);
    using memory::span_iterator;
    if (!before.empty())
        copy_out(span_iterator(memory, config_.ring, at - cqe_size, before.size(), true), before);
    // The consumer polls the last byte, so it has to appear last.
    auto body = copy_out(span_iterator(memory, config_.ring, at, cqe_size - 1, true),
                         cqe.first(cqe_size - 1));
    std::atomic_thread_fence(std::memory_order_release);
    auto last =
        copy_out(span_iterator(memory, config_.ring, at + cqe_size - 1, 1, true), cqe.last(1));
    if (body != memory::fault::none || last != memory::fault::none) {
        broken_ = true;
        return posted::unreachable;
    }
    ++producer_;
    if (solicited) after_last_solicited_ = producer_;
    return posted::ok;
}

// One event for each sequence number: an arm that repeats the number whose event was sent already
// crossed that event on its way.
bool completion_queue::arm(unsigned sequence, bool solicited_only, std::uint32_t consumer) {
    if (sequence == fired_sequence_) return false;
    armed_ = true;
    armed_sequence_ = sequence;
    armed_solicited_only_ = solicited_only;
    const std::uint32_t newest = solicited_only ? after_last_solicited_ : producer_;
    return is_after(newest & counter_mask, consumer) && fire(solicited_only);
}

bool completion_queue::fire(bool solicited) {
    if (!armed_ || (armed_solicited_only_ && !solicited)) return false;
    armed_ = false;
    fired_sequence_ = std::exchange(armed_sequence_, no_sequence);
    return true;
}

} // namespace kdevx::hca::engine
