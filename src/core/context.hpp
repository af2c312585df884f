// SPDX-License-Identifier: MIT
// A context: the uverbs file, what the kernel said about it, and the objects made in it.
#pragma once

#include <atomic>
#include <span>

#include <rdma/mlx5-abi.h>

#include <kdevx/context.h>

#include "base/queue_lock.hpp"
#include "core/doorbell_record.hpp"
#include "core/slot.hpp"
#include "uverbs/file.hpp"

namespace kdevx::core {

// A page of the device that is mapped here.
struct uar_page {
    std::uint32_t handle = 0, page_id = 0, length = 0;
    std::uint64_t mmap_off = 0;
    void *base = nullptr;
};

// The not-cached page that all KDEVX_UAR_NC of a context share.
struct shared_page {
    mutex lock;
    std::uint32_t users = 0;
    uar_page page;
};

class context {
    uverbs::sys sys_;
    uverbs::file file_;
    kdevx_fd_ownership ownership_ = KDEVX_FD_BORROWED;
    bool adopted_ = false;
    gate gate_;
    std::atomic<std::uint32_t> references_{1};

    std::uint32_t num_comp_vectors_ = 0;
    std::uint64_t core_support_ = 0;
    std::uint32_t uctx_caps_asked_ = 0;
    failure devx_refused_{};
    mlx5_ib_alloc_ucontext_resp response_{};

    friend struct opening; // context_open.cpp: the one that fills all this

public:
    core::slots slots;
    shared_page nc_uar;
    core::doorbell_records doorbell_records;
    // Orders posting to masters and to what they enable (post_task.cpp).
    queue_lock task_lock;
    // Of all shared receive queues' rings: posting takes from their lists of free entries, and
    // polling any CQ gives back. Taken last.
    queue_lock srq_lock;

    explicit context(const uverbs::sys &s) noexcept
        : sys_(s), slots(sys_.memory()), doorbell_records(sys_) {
        file_.sys = &sys_;
    }
    context(const context &) = delete;
    ~context();

    const uverbs::sys &sys() const noexcept { return sys_; }
    const uverbs::file &file() const noexcept { return file_; }
    std::uint32_t num_comp_vectors() const noexcept { return num_comp_vectors_; }
    const mlx5_ib_alloc_ucontext_resp &response() const noexcept { return response_; }

    // Calls go between these two. After close() nobody enters; the last to leave ends the file.
    bool enter() noexcept { return gate_.enter(0) == gate::answer::in; }
    void leave() noexcept;
    bool is_closed() const noexcept { return gate_.is_shut(); }
    void close() noexcept;

    // Every live object keeps the context's memory.
    void keep() noexcept { references_.fetch_add(1); }
    void release() noexcept;

    kdevx_context_info info(bool uctx_caps_known, std::uint32_t uctx_caps) const noexcept;

private:
    void end_file() noexcept;
};

// Made in one of four ways, or not at all (then nothing is left and the fd is the caller's).
result<context *> open_name(const char *ibdev, const kdevx_open_options *) noexcept;
result<context *> open_path(const char *path, const kdevx_open_options *) noexcept;
result<context *> open_fd(int fd, std::uint32_t ownership, const kdevx_open_options *) noexcept;
result<context *> adopt_fd(int fd, std::uint32_t ownership, const kdevx_open_options *) noexcept;

// A call in progress on a context.
class [[nodiscard]] entered {
    context *c_ = nullptr;

public:
    explicit entered(context &c) noexcept : c_(&c) {} // the caller has entered it
    entered(entered &&o) noexcept : c_(std::exchange(o.c_, nullptr)) {}
    entered(const entered &) = delete;
    ~entered() {
        if (c_) c_->leave();
    }
    context &operator*() const noexcept { return *c_; }
    context *operator->() const noexcept { return c_; }
};
result<entered> enter(context *c) noexcept;

} // namespace kdevx::core
