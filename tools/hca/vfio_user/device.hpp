// SPDX-License-Identifier: MIT
// What the protocol server asks of a device. The server knows no more about it than this.
#pragma once

#include "unique_fd.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace kdevx::hca::vfio_user {

// Calls that can fail return an errno value, 0 is success.
class device {
public:
    virtual ~device() = default;

    virtual std::uint64_t region_size(unsigned region) const = 0;
    virtual unsigned irq_count(unsigned index) const = 0;

    // The server has checked that [offset, offset + size) lies inside of the region.
    virtual void region_read(unsigned region, std::uint64_t offset, std::span<std::byte> to) = 0;
    virtual void region_write(unsigned region, std::uint64_t offset,
                              std::span<const std::byte> from) = 0;

    // A range without a descriptor is memory that cannot be reached from here, such as a ROM.
    virtual int dma_map(std::uint64_t address, std::uint64_t size, bool writable, unique_fd fd,
                        std::uint64_t offset) = 0;
    virtual int dma_unmap(std::uint64_t address, std::uint64_t size) = 0;
    virtual void dma_unmap_all() = 0;

    // The server has checked `vector` against irq_count().
    virtual void irq_connect(unsigned vector, unique_fd eventfd) = 0;
    virtual void irq_mask(unsigned vector, bool masked) = 0;
    virtual void irq_trigger(unsigned vector) = 0;

    virtual void reset() = 0;
};

} // namespace kdevx::hca::vfio_user
