// SPDX-License-Identifier: MIT
// The PCI configuration space of the HCA: one 64-bit BAR, PCI Express, MSI-X.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace kdevx::hca::pci {

inline constexpr std::uint16_t vendor_mellanox = 0x15b3;
inline constexpr std::size_t config_size = 4096;

// Where things lie in BAR 0: the init segment, then MSI-X in pages that no UAR has.
inline constexpr std::uint32_t bar0_size = 32u << 20;
inline constexpr std::uint32_t msix_table_offset = 0x5000, msix_pba_offset = 0xd000;
inline constexpr unsigned max_vectors = 2048; // the architecture's, and what fits between the two

class config_space {
public:
    struct identity {
        std::uint16_t device_id;
        bool infiniband;
        unsigned vectors;
    };
    config_space(const identity &who, std::function<void()> on_function_level_reset);

    void read(std::uint64_t offset, std::span<std::byte> to) const;
    void write(std::uint64_t offset, std::span<const std::byte> from);
    void reset();

private:
    std::array<std::byte, config_size> initial_{}, bytes_{}, writable_{};
    std::function<void()> on_function_level_reset_;

    void put(std::size_t offset, unsigned size, std::uint64_t value);
    void let_write(std::size_t offset, unsigned size, std::uint64_t mask);
    void put_header(const identity &who);
    void put_express();
    void put_msix(unsigned vectors);
    void put_vendor_specific();
};

} // namespace kdevx::hca::pci
