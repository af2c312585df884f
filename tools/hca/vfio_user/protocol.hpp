// SPDX-License-Identifier: MIT
// The vfio-user protocol as this server speaks it: little-endian structures on a stream socket,
// file descriptors beside them. Names are the protocol's own.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace kdevx::hca::vfio_user {

static_assert(std::endian::native == std::endian::little, "the structures below are the wire");

enum command : std::uint16_t {
    VERSION = 1,
    DMA_MAP = 2,
    DMA_UNMAP = 3,
    DEVICE_GET_INFO = 4,
    DEVICE_GET_REGION_INFO = 5,
    DEVICE_GET_REGION_IO_FDS = 6,
    DEVICE_GET_IRQ_INFO = 7,
    DEVICE_SET_IRQS = 8,
    REGION_READ = 9,
    REGION_WRITE = 10,
    DEVICE_RESET = 13,
    REGION_WRITE_MULTI = 15, // QEMU's: several small writes in one message
};

// Limits that VERSION tells the client. QEMU refuses more than 16 descriptors a message.
inline constexpr std::uint32_t max_msg_fds = 16;
inline constexpr std::uint32_t max_data_xfer_size = 1u << 20;
// No message of a client that keeps to max_data_xfer_size is longer.
inline constexpr std::uint32_t max_message_size = max_data_xfer_size + 4096;
inline constexpr std::uint16_t major_version = 0;
inline constexpr std::uint32_t write_multi_max = 200;

struct header {
    std::uint16_t message_id;
    std::uint16_t command;
    std::uint32_t size; // with this header
    std::uint32_t flags;
    std::uint32_t error;
};
inline constexpr std::uint32_t type_mask = 0xf, type_command = 0, type_reply = 1;
inline constexpr std::uint32_t flag_no_reply = 0x10, flag_error = 0x20;

struct version {
    std::uint16_t major, minor; // JSON text with the capabilities follows
};

struct dma_map {
    std::uint32_t argsz, flags;
    std::uint64_t offset, address, size;
};
inline constexpr std::uint32_t dma_readable = 1, dma_writable = 2;

struct dma_unmap {
    std::uint32_t argsz, flags;
    std::uint64_t address, size;
};
inline constexpr std::uint32_t unmap_dirty_bitmap = 1, unmap_all = 2;

struct device_info {
    std::uint32_t argsz, flags, num_regions, num_irqs;
};
inline constexpr std::uint32_t device_flag_reset = 1, device_flag_pci = 2;

struct region_info {
    std::uint32_t argsz, flags, index, cap_offset;
    std::uint64_t size, offset;
};
inline constexpr std::uint32_t region_readable = 1, region_writable = 2;

struct irq_info {
    std::uint32_t argsz, flags, index, count;
};
inline constexpr std::uint32_t irq_flag_eventfd = 1, irq_flag_noresize = 8;

struct irq_set {
    std::uint32_t argsz, flags, index, start, count;
};
inline constexpr std::uint32_t irq_data_none = 1, irq_data_bool = 2, irq_data_eventfd = 4;
inline constexpr std::uint32_t irq_mask = 8, irq_unmask = 16, irq_trigger = 32;

struct region_access {
    std::uint64_t offset;
    std::uint32_t region, count; // the bytes follow
};

// VFIO's numbering of a PCI device.
inline constexpr unsigned bar0_region = 0, config_region = 7, num_regions = 9;
inline constexpr unsigned msix_irq = 2, num_irqs = 5;

static_assert(sizeof(header) == 16 && sizeof(dma_map) == 32 && sizeof(dma_unmap) == 24);
static_assert(sizeof(device_info) == 16 && sizeof(region_info) == 32 && sizeof(irq_info) == 16);
static_assert(sizeof(irq_set) == 20 && sizeof(region_access) == 16 && sizeof(version) == 4);

} // namespace kdevx::hca::vfio_user
