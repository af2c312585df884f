// SPDX-License-Identifier: MIT
// The device: PCI functions' view of firmware and engine. It knows which offset of the BAR is what,
// and nothing of what commands mean.
#pragma once

#include "engine/engine.hpp"
#include "firmware/cmd_queue.hpp"
#include "firmware/init_segment.hpp"
#include "firmware/state.hpp"
#include "inject/injector.hpp"
#include "log.hpp"
#include "loop.hpp"
#include "memory/guest_memory.hpp"
#include "options.hpp"
#include "pci/config_space.hpp"
#include "pci/msix.hpp"
#include "vfio_user/device.hpp"

namespace kdevx::hca {

class hca final : public vfio_user::device {
public:
    hca(const options &o, loop &l, logger &log);

    std::uint64_t region_size(unsigned region) const override;
    unsigned irq_count(unsigned index) const override;
    void region_read(unsigned region, std::uint64_t offset, std::span<std::byte> to) override;
    void region_write(unsigned region, std::uint64_t offset,
                      std::span<const std::byte> from) override;
    int dma_map(std::uint64_t address, std::uint64_t size, bool writable, unique_fd fd,
                std::uint64_t offset) override;
    int dma_unmap(std::uint64_t address, std::uint64_t size) override;
    void dma_unmap_all() override;
    void irq_connect(unsigned vector, unique_fd eventfd) override;
    void irq_mask(unsigned vector, bool masked) override;
    void irq_trigger(unsigned vector) override;
    void reset() override;

    firmware::state &firmware() { return state_; }
    inject::injector &faults() { return injector_; }
    std::vector<std::uint16_t> lids() const; // of the ports

private:
    const options &options_;
    loop &loop_;
    logger &log_;
    memory::guest_memory memory_;
    pci::config_space config_;
    pci::msix msix_;
    engine::engine engine_;
    firmware::state state_;
    firmware::cmd_queue commands_;
    firmware::init_segment segment_;
    inject::injector injector_;
    std::uint64_t command_count_ = 0;
    bool unplugged_ = false;

    firmware::answer_time execute(firmware::command &c, unsigned slot);
    inject::device_faults device_faults();
    std::string inject_event(std::uint8_t type, std::uint8_t subtype,
                             std::span<const std::byte> data);
    std::string set_link(unsigned port, bool up);
    void unplug();
    void log_command(const firmware::command &c, unsigned slot, firmware::syndrome why);
    void completed(std::uint32_t slots);
};

} // namespace kdevx::hca
