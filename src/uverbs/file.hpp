// SPDX-License-Identifier: MIT
// One uverbs file: the ioctl and the trace of it.
#pragma once

#include <cstdint>

#include <rdma/rdma_user_ioctl_cmds.h>

#include "uverbs/sys.hpp"

namespace kdevx::uverbs {

enum class devx_uid { unknown, absent, present };

struct file {
    const uverbs::sys *sys = nullptr;
    int fd = -1;
    devx_uid uid = devx_uid::unknown;
    kdevx_trace_fn trace = nullptr;
    void *trace_arg = nullptr;

    // 0 or a positive errno. `method` is for the trace only.
    int ioctl(ib_uverbs_ioctl_hdr *request, const char *method) const noexcept;
    // Bytes or -errno, of any fd that belongs to this file.
    std::int64_t read(int from, void *buffer, std::size_t size) const noexcept;
};

} // namespace kdevx::uverbs
