// SPDX-License-Identifier: MIT
#include "firmware/init_segment.hpp"

#include "kdevx/prm/cmdif.hpp"

#include <array>

namespace kdevx::hca::firmware {
namespace {

using prm::initial_seg;

// Firmware 16.99.2000, and revision 5 of the command interface.
constexpr std::uint32_t fw_rev_major = 16, fw_rev_minor = 99, fw_rev_subminor = 2000;
constexpr std::uint32_t cmd_interface_rev = 5;
// 32 slots of 64 bytes.
constexpr std::uint32_t log_cmdq_size = 5, log_cmdq_stride = 6;

// Words of the init segment that the PRM tables do not name.
constexpr std::uint32_t cmd_exec_to = 0xff8, cmd_q_init_to = 0xffc;
constexpr std::uint32_t internal_timer_h = 0x1000, internal_timer_l = 0x1004;
constexpr std::uint32_t real_time_h = 0x1040, real_time_l = 0x1044;
constexpr std::uint32_t timeout_in_seconds = 1u << 29;
constexpr std::uint32_t init_timeout_seconds = 2;

template <prm::fixed_string Field>
constexpr std::uint32_t offset_of = prm::place_of<initial_seg, Field>.row.offset;

template <prm::fixed_string Field>
constexpr std::uint32_t bits(std::uint32_t value) {
    return value << prm::place_of<initial_seg, Field>.row.lo;
}

} // namespace

init_segment::init_segment(unsigned command_timeout_seconds, doorbell on_doorbell)
    : command_timeout_(command_timeout_seconds), on_doorbell_(std::move(on_doorbell)) {}

std::uint64_t init_segment::clock_ticks() const {
    auto since = std::chrono::steady_clock::now() - start_;
    return std::uint64_t(std::chrono::nanoseconds(since).count());
}

// Advances a hundred times a second: the driver calls a counter that stands still a dead device.
std::uint32_t init_segment::health_counter() const {
    return std::uint32_t(clock_ticks() / 10'000'000) & 0xffffff;
}

std::uint64_t init_segment::command_queue() const {
    return std::uint64_t(queue_high_) << 32 | (queue_low_ & ~0xfffu);
}

std::uint32_t init_segment::word(std::uint32_t offset) const {
    if (auto forced = overrides_.find(offset); forced != overrides_.end()) return forced->second;
    switch (offset) {
    case offset_of<"fw_rev_major">:
        return bits<"fw_rev_minor">(fw_rev_minor) | bits<"fw_rev_major">(fw_rev_major);
    case offset_of<"cmd_interface_rev">:
        return bits<"cmd_interface_rev">(cmd_interface_rev) |
               bits<"fw_rev_subminor">(fw_rev_subminor);
    case offset_of<"cmdq_phy_addr_63_32">:
        return queue_high_;
    case offset_of<"cmdq_phy_addr_31_12">:
        return (queue_low_ & ~0xffu) | bits<"log_cmdq_size">(log_cmdq_size) |
               bits<"log_cmdq_stride">(log_cmdq_stride);
    case cmd_q_init_to:
        return command_timeout_ ? timeout_in_seconds | init_timeout_seconds : 0;
    case cmd_exec_to:
        return command_timeout_ ? timeout_in_seconds | command_timeout_ : 0;
    case internal_timer_h:
    case real_time_h:
        return std::uint32_t(clock_ticks() >> 32);
    case internal_timer_l:
    case real_time_l:
        return std::uint32_t(clock_ticks());
    case offset_of<"health_counter">:
        return health_counter();
    }
    return 0;
}

void init_segment::read(std::uint64_t offset, std::span<std::byte> to) const {
    for (std::size_t i = 0; i < to.size(); ++i) {
        const std::uint64_t at = offset + i;
        const std::uint32_t w = word(std::uint32_t(at & ~3ull));
        to[i] = std::byte(w >> 8 * (3 - (at & 3)));
    }
}

// The driver writes these words whole; anything else is nobody's register.
void init_segment::write(std::uint64_t offset, std::span<const std::byte> from) {
    if (offset % 4 || from.size() % 4) return;
    for (; !from.empty(); from = from.subspan(4), offset += 4) {
        const std::uint32_t value = prm::load_be<std::uint32_t>(from.data());
        switch (offset) {
        case offset_of<"cmdq_phy_addr_63_32">:
            queue_high_ = value;
            break;
        case offset_of<"cmdq_phy_addr_31_12">:
            queue_low_ = value;
            break;
        case offset_of<"command_doorbell_vector">:
            on_doorbell_(value);
            break;
        }
    }
}

void init_segment::reset() {
    queue_high_ = queue_low_ = 0;
    overrides_.clear();
}

} // namespace kdevx::hca::firmware
