// SPDX-License-Identifier: MIT
#include "pci/config_space.hpp"

#include <algorithm>

namespace kdevx::hca::pci {
namespace {

constexpr std::size_t express = 0x60, msix = 0x9c,
                      vendor_specific = 0xa8; // where the capabilities lie
constexpr std::size_t device_control = express + 0x08;
constexpr std::uint8_t initiate_function_level_reset = 0x80; // in its second byte

} // namespace

config_space::config_space(const identity &who, std::function<void()> on_function_level_reset)
    : on_function_level_reset_(std::move(on_function_level_reset)) {
    put_header(who);
    put_express();
    put_msix(who.vectors);
    put_vendor_specific();
    initial_ = bytes_;
}

void config_space::put(std::size_t offset, unsigned size, std::uint64_t value) {
    for (unsigned i = 0; i < size; ++i)
        bytes_[offset + i] = std::byte(value >> 8 * i);
}

void config_space::let_write(std::size_t offset, unsigned size, std::uint64_t mask) {
    for (unsigned i = 0; i < size; ++i)
        writable_[offset + i] = std::byte(mask >> 8 * i);
}

void config_space::put_header(const identity &who) {
    put(0x00, 2, vendor_mellanox);
    put(0x02, 2, who.device_id);
    put(0x06, 2, 0x0010); // status: there is a capability list
    put(0x0a, 2, who.infiniband ? 0x0207 : 0x0200);
    put(0x10, 4, 0x0c); // 64-bit prefetchable memory
    put(0x2c, 2, vendor_mellanox);
    put(0x2e, 2, 0x0007);
    put(0x34, 1, express);
    put(0x3d, 1, 1);            // INTA, which never fires
    let_write(0x04, 2, 0x0546); // command: memory, bus master, parity, SERR, INTx disable
    let_write(0x0c, 1, 0xff);   // cache line size
    let_write(0x3c, 1, 0xff);   // interrupt line
    const std::uint64_t address_bits = ~std::uint64_t(bar0_size - 1);
    let_write(0x10, 8, address_bits);
}

void config_space::put_express() {
    put(express, 2, 0x10 | msix << 8);
    put(express + 0x02, 2, 0x0002);            // version 2, an endpoint
    put(express + 0x04, 4, 0x8000 | 1u << 28); // role-based errors, FLR
    put(express + 0x0c, 4, 0x4 | 16 << 4);     // link: 16 GT/s, x16
    put(express + 0x12, 2, 0x4 | 16 << 4);     // and so it is
    put(express + 0x2c, 4, 0x1e);              // link speeds up to 16 GT/s
    let_write(express + 0x08, 2, 0x7fff);
}

void config_space::put_msix(unsigned vectors) {
    put(msix, 2, 0x11 | vendor_specific << 8);
    put(msix + 0x02, 2, vectors - 1);
    put(msix + 0x04, 4, msix_table_offset); // in BAR 0
    put(msix + 0x08, 4, msix_pba_offset);
    let_write(msix + 0x02, 2, 0xc000); // enable, mask all
}

// The gateway to the device's own address spaces. There are none: selecting one leaves the status
// bits of the control word 0, which says so. The semaphore is free for whoever writes the counter.
void config_space::put_vendor_specific() {
    constexpr std::size_t length = 0x18, control = 0x04, counter = 0x08, semaphore = 0x0c;
    put(vendor_specific, 2, 0x09);
    put(vendor_specific + 0x02, 1, length);
    put(vendor_specific + counter, 4, 1);
    let_write(vendor_specific + control, 2, 0xffff);
    let_write(vendor_specific + semaphore, 4, 0xffffffff);
}

void config_space::read(std::uint64_t offset, std::span<std::byte> to) const {
    std::copy_n(bytes_.begin() + std::ptrdiff_t(offset), to.size(), to.begin());
}

void config_space::write(std::uint64_t offset, std::span<const std::byte> from) {
    bool reset_asked = false;
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t at = offset + i;
        bytes_[at] = (bytes_[at] & ~writable_[at]) | (from[i] & writable_[at]);
        if (at == device_control + 1 &&
            (from[i] & std::byte(initiate_function_level_reset)) != std::byte(0))
            reset_asked = true;
    }
    if (reset_asked) on_function_level_reset_();
}

void config_space::reset() {
    bytes_ = initial_;
}

} // namespace kdevx::hca::pci
