// SPDX-License-Identifier: MIT
// What a queue needs besides the kernel's object: a buffer, a doorbell record, a page to ring in.
// Each is the library's, and goes with the queue, or the caller's.
#pragma once

#include <rdma/ib_user_ioctl_verbs.h>

#include <kdevx/buffer.h>

#include "core/pin.hpp"
#include "core/uar.hpp"

namespace kdevx::core {

// Newer kernels' struct ib_uverbs_buffer_desc.
struct buffer_desc {
    std::uint32_t type; // 0: dmabuf
    std::int32_t fd;
    std::uint32_t flags, optional_flags;
    std::uint64_t addr, length;
};
static_assert(sizeof(buffer_desc) == 32);

struct queue_buffer {
    void *address;      // what the kernel is told, unless it is a dmabuf
    std::uint64_t size; // that the queue takes
    bool owned;
};

// Part of a queue's body.
struct queue_memory {
    queue_buffer buffers[2]; // the second one only where the send queue has one of its own
    void *dbrec;
    void *uar_base;
    slot *uar; // the caller's; null: the shared page, if there is a base
    std::uint32_t uar_page_id;
    bool owns_dbrec;

    kdevx_queue_memory describe() const noexcept;
};

// Collects it, and gives back what is the library's unless the queue came into being.
class [[nodiscard]] queue_setup {
    context &c_;
    queue_memory &m_;
    buffer_desc buffer_dmabuf_{}, sq_dmabuf_{}, dbrec_dmabuf_{};
    bool kept_ = false;

    result<void> fill(queue_buffer &b, buffer_desc &dmabuf, const kdevx_buffer &wanted,
                      std::uint64_t size, const char *name) noexcept;

public:
    queue_setup(context &c, queue_memory &m) noexcept : c_(c), m_(m) {}
    queue_setup(const queue_setup &) = delete;
    ~queue_setup();

    result<void> buffer(const kdevx_buffer &wanted, std::uint64_t size) noexcept {
        return fill(m_.buffers[0], buffer_dmabuf_, wanted, size, "buffer");
    }
    result<void> sq_buffer(const kdevx_buffer &wanted, std::uint64_t size) noexcept {
        return fill(m_.buffers[1], sq_dmabuf_, wanted, size, "sq_buffer");
    }
    result<void> dbrec(const kdevx_buffer &wanted) noexcept;
    // NULL: the page that all share.
    result<void> uar(const pin<core::uar> *wanted) noexcept;
    void keep() noexcept { kept_ = true; }

    // length 0: it is no dmabuf.
    const buffer_desc &buffer_dmabuf() const noexcept { return buffer_dmabuf_; }
    const buffer_desc &sq_dmabuf() const noexcept { return sq_dmabuf_; }
    const buffer_desc &dbrec_dmabuf() const noexcept { return dbrec_dmabuf_; }
};

void give_back(context &c, queue_memory &m) noexcept;

inline std::uint64_t address_of(const void *p) noexcept {
    return std::uint64_t(reinterpret_cast<std::uintptr_t>(p));
}

} // namespace kdevx::core
