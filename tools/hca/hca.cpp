// SPDX-License-Identifier: MIT
#include "hca.hpp"

#include "firmware/commands.hpp"
#include "vfio_user/protocol.hpp"

#include <algorithm>

namespace kdevx::hca {

using firmware::answer_time;
using firmware::command;
using firmware::syndrome;

namespace {

constexpr std::uint64_t page_size = 4096;

pci::config_space::identity identity_of(const options &o) {
    return {o.device_id, o.infiniband, o.vectors};
}

} // namespace

hca::hca(const options &o, loop &l, logger &log)
    : options_(o), loop_(l), log_(log), config_(identity_of(o), [this] { reset(); }),
      msix_(o.vectors),
      engine_({memory_, l, log, [this](unsigned vector) { msix_.trigger(vector); }}),
      state_(o, memory_, engine_, log),
      commands_(memory_, log,
                {.execute = [this](command &c, unsigned slot) { return execute(c, slot); },
                 .later = [this](auto delay, auto f) { loop_.after(delay, std::move(f)); },
                 .completed = [this](std::uint32_t slots) { completed(slots); }}),
      segment_(o.command_timeout, [this](std::uint32_t slots) {
          commands_.doorbell(segment_.command_queue(), slots);
      }) {
    loop_.set_worker([this] { return engine_.run(); });
}

// ---- PCI ----------------------------------------------------------------------------------------

std::uint64_t hca::region_size(unsigned region) const {
    switch (region) {
    case vfio_user::bar0_region:
        return pci::bar0_size;
    case vfio_user::config_region:
        return pci::config_size;
    }
    return 0;
}

unsigned hca::irq_count(unsigned index) const {
    return index == vfio_user::msix_irq ? msix_.count() : 0;
}

void hca::region_read(unsigned region, std::uint64_t offset, std::span<std::byte> to) {
    std::ranges::fill(to, std::byte(0));
    if (region == vfio_user::config_region) return config_.read(offset, to);
    if (offset + to.size() <= firmware::init_segment_size) segment_.read(offset, to);
}

void hca::region_write(unsigned region, std::uint64_t offset, std::span<const std::byte> from) {
    if (region == vfio_user::config_region) return config_.write(offset, from);
    if (offset < firmware::init_segment_size) return segment_.write(offset, from);
    engine_.doorbell(std::uint32_t(offset / page_size), std::uint32_t(offset % page_size), from);
}

int hca::dma_map(std::uint64_t address, std::uint64_t size, bool writable, unique_fd fd,
                 std::uint64_t offset) {
    return memory_.map(address, size, writable, std::move(fd), offset);
}

int hca::dma_unmap(std::uint64_t address, std::uint64_t size) {
    return memory_.unmap(address, size);
}

void hca::dma_unmap_all() {
    memory_.unmap_all();
}

void hca::irq_connect(unsigned vector, unique_fd eventfd) {
    msix_.connect(vector, std::move(eventfd));
}

void hca::irq_mask(unsigned vector, bool masked) {
    msix_.mask(vector, masked);
}

void hca::irq_trigger(unsigned vector) {
    msix_.trigger(vector);
}

// A function level reset, or the client's: guest memory and interrupts stay, they are the client's.
void hca::reset() {
    log_.line("reset");
    config_.reset();
    segment_.reset();
    commands_.reset();
    state_.reset();
}

// ---- commands
// -------------------------------------------------------------------------------------

answer_time hca::execute(command &c, unsigned slot) {
    const bool by_event = engine_.takes(engine::event<"CMD">);
    const syndrome why = firmware::run_command(state_, c);
    log_command(c, slot, why);
    // The command that makes the command event queue is polled for, and so is the one that ends it.
    return {.by_event = by_event && engine_.takes(engine::event<"CMD">)};
}

void hca::log_command(const command &c, unsigned slot, syndrome why) {
    const auto *refused = firmware::find_syndrome(why);
    log_.line("CMD {:3} slot={} {} op_mod={:#x} uid={} in={} out={} st={:#x} {}{}{}",
              ++command_count_, slot, firmware::opcode_name(c.opcode), c.op_mod, c.uid, c.in.size(),
              c.out.size(), unsigned(c.out[0]), c.detail, refused ? ": " : "",
              refused ? refused->text : "");
}

void hca::completed(std::uint32_t slots) {
    prm::mailbox<prm::cmd_inter_comp_event> event;
    event.set<"command_completion_vector">(slots);
    engine_.raise(engine::event<"CMD">, 0, event.bytes());
}

} // namespace kdevx::hca
