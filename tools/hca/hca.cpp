// SPDX-License-Identifier: MIT
#include "hca.hpp"

#include "firmware/commands.hpp"
#include "inject.hpp"
#include "inject/guest.hpp"
#include "kdevx/prm/event.hpp"
#include "vfio_user/protocol.hpp"

#include <algorithm>

namespace kdevx::hca {

using firmware::answer_time;
using firmware::command;
using firmware::device_memory;
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
      segment_(
          o.command_timeout,
          [this](std::uint32_t slots) { commands_.doorbell(segment_.command_queue(), slots); }),
      injector_(device_faults()) {
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
    std::ranges::fill(to, unplugged_ ? std::byte(0xff) : std::byte(0));
    if (unplugged_) return;
    if (region == vfio_user::config_region) return config_.read(offset, to);
    if (offset + to.size() <= firmware::init_segment_size) return segment_.read(offset, to);
    if (device_memory::covers(offset, to.size())) state_.memic.read(offset, to);
}

void hca::region_write(unsigned region, std::uint64_t offset, std::span<const std::byte> from) {
    if (unplugged_) return;
    if (region == vfio_user::config_region) return config_.write(offset, from);
    if (offset < firmware::init_segment_size) return segment_.write(offset, from);
    if (device_memory::covers(offset, from.size())) return state_.memic.write(offset, from);
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

std::vector<std::uint16_t> hca::lids() const {
    std::vector<std::uint16_t> all;
    for (const firmware::port &p : state_.ports)
        all.push_back(p.lid);
    return all;
}

// ---- commands
// -------------------------------------------------------------------------------------

answer_time hca::execute(command &c, unsigned slot) {
    const bool by_event = engine_.takes(engine::event<"CMD">);
    firmware::read_head(c);
    const auto rule = injector_.take(c.opcode);
    answer_time when;
    if (rule && rule->what == inject::rule::fail) {
        firmware::refuse_command(c, rule->status, rule->syndrome);
        c.note("injected, syndrome {:#x}", rule->syndrome);
        log_command(c, slot, syndrome::none);
    } else {
        const bool injection = c.opcode >= INJECT_FIRST && c.opcode <= INJECT_LAST;
        const syndrome why = injection && options_.inject ? inject::run(injector_, c)
                                                          : firmware::run_command(state_, c);
        firmware::conclude(c, why);
        log_command(c, slot, why);
        if (rule) when = {.never = rule->what == inject::rule::hang, .delay = rule->time};
    }
    // The command that makes the command event queue is polled for, and so is the one that ends it.
    when.by_event = by_event && engine_.takes(engine::event<"CMD">);
    return when;
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

// ---- faults
// -----------------------------------------------------------------------------------------

inject::device_faults hca::device_faults() {
    return {
        .event = [this](auto type, auto subtype,
                        auto data) { return inject_event(type, subtype, data); },
        .drop_completions =
            [this](std::uint32_t cqn, std::uint32_t count) {
                if (!engine_.find_cq(cqn)) return fmt::format("there is no CQ {:#x}", cqn);
                engine_.drop_completions(cqn, count);
                return std::string();
            },
        .init_segment =
            [this](std::uint32_t offset, std::uint32_t word) {
                if (offset % 4 || offset >= firmware::init_segment_size)
                    return fmt::format("the init segment has no word at {:#x}", offset);
                segment_.override_word(offset, word);
                return std::string();
            },
        .link = [this](unsigned port, bool up) { return set_link(port, up); },
        .count_objects = [this] { return state_.objects.size(); },
        .end_hung = [this] { commands_.end_hung(); },
        .unplug = [this] { unplug(); },
        .close = [this] { loop_.stop(); },
        .later = [this](auto delay, auto f) { loop_.after(delay, std::move(f)); },
    };
}

std::string hca::inject_event(std::uint8_t type, std::uint8_t subtype,
                              std::span<const std::byte> data) {
    log_.line("EVENT {:#x} subtype {:#x} injected", type, subtype);
    if (engine_.raise(type, subtype, data)) return {};
    return fmt::format("no event queue takes events of type {:#x}, or it is full", type);
}

std::string hca::set_link(unsigned port, bool up) {
    if (port == 0 || port > state_.ports.size()) return fmt::format("there is no port {}", port);
    constexpr std::uint8_t subtype_down = 1, subtype_active = 4;
    state_.ports[port - 1].link = up ? firmware::port_link::active : firmware::port_link::down;
    prm::mailbox<prm::port_state_change_event> e;
    e.set<"port_num">(port);
    return inject_event(engine::event<"PORT_CHANGE">, up ? subtype_active : subtype_down,
                        e.bytes());
}

// As if the card were pulled: reads give ones, writes go nowhere, nothing is sent any more.
void hca::unplug() {
    log_.line("unplugged by injection");
    reset();
    unplugged_ = true;
}

} // namespace kdevx::hca
