// SPDX-License-Identifier: MIT
// The devices of this machine, by sysfs and by the nodes in /dev/infiniband.
#pragma once

#include <span>

#include <kdevx/device.h>

#include "uverbs/sys.hpp"

namespace kdevx::uverbs {

// Grows as it is filled; lives in the memory that the caller's table provides.
class device_list {
    kdevx::memory from_;
    kdevx_device *devices_ = nullptr;
    std::size_t count_ = 0, capacity_ = 0;
    std::uint32_t missing_ = KDEVX_LAYER_NONE;

public:
    explicit device_list(const kdevx::memory &m) noexcept : from_(m) {}
    device_list(const device_list &) = delete;
    ~device_list() { from_.release(from_.arg, devices_); }

    bool add(const kdevx_device &d) noexcept;
    void free() noexcept;
    std::span<const kdevx_device> devices() const noexcept { return {devices_, count_}; }
    std::uint32_t missing() const noexcept { return missing_; }
    void set_missing(std::uint32_t layer) noexcept { missing_ = layer; }
};

// The caller frees it.
result<device_list *> list_devices(const kdevx_device_list_options *options) noexcept;

// The path of the uverbs node of an ibdev; -ENOENT NO_DEVICE. NULL directories: the usual ones.
result<void> find_node(const sys &s, const char *sysfs, const char *dev, const char *ibdev,
                       char (&node)[sizeof(kdevx_device::node)]) noexcept;

} // namespace kdevx::uverbs
