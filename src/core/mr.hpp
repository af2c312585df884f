// SPDX-License-Identifier: MIT
// Memory regions of the verbs kind.
#pragma once

#include <kdevx/mr.h>

#include "core/dm.hpp"
#include "core/pd.hpp"

namespace kdevx::core {

struct mr {
    using handle_type = kdevx_mr;
    static const core::noun noun;

    std::uint32_t lkey, rkey, access;
    std::uint64_t length, iova;
    void *address;
    const slot *pd, *dm; // what it uses; dm may be null
};

// What all of them have in common.
struct region {
    std::uint64_t length = 0, iova = 0;
    std::uint32_t access = 0;
};
struct dmabuf_range {
    int fd = -1;
    std::uint64_t offset = 0;
    std::uint32_t access = 0; // kdevx_dmabuf_access
};

result<kdevx_mr *> reg_mr(const pin<pd> &domain, void *address, const region &r) noexcept;
result<kdevx_mr *> reg_dmabuf_mr(const pin<pd> &domain, const dmabuf_range &d,
                                 const region &r) noexcept;
result<kdevx_mr *> reg_dm_mr(const pin<pd> &domain, const pin<dm> &memory, std::uint64_t offset,
                             const region &r) noexcept;

} // namespace kdevx::core
