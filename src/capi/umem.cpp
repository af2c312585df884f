// SPDX-License-Identifier: MIT
#include "core/umem.hpp"

#include <cstddef>

#include "base/options.hpp"
#include "capi/convert.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_umem_reg(kdevx_context *context, void *address, std::size_t length,
                   const kdevx_umem_options *options, kdevx_umem **umem,
                   kdevx_failure *why) noexcept {
    if (!umem) return kdevx::deliver(invalid("umem"), why);
    result<core::entered> c = core::enter(from(context));
    if (!c) return kdevx::deliver(c.failure(), why);
    return capi::deliver(core::reg_memory(**c, address, length, options), umem, why);
}

int kdevx_umem_reg_dmabuf(kdevx_context *context, int fd, std::uint64_t offset,
                          std::uint64_t length, const kdevx_umem_options *options,
                          kdevx_umem **umem, kdevx_failure *why) noexcept {
    if (!umem) return kdevx::deliver(invalid("umem"), why);
    result<core::entered> c = core::enter(from(context));
    if (!c) return kdevx::deliver(c.failure(), why);
    return capi::deliver(core::reg_dmabuf(**c, fd, offset, length, options), umem, why);
}

int kdevx_umem_dereg(kdevx_umem *umem, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::umem>(umem), why);
}

int kdevx_umem_get_info(const kdevx_umem *umem, kdevx_umem_info *info,
                        kdevx_failure *why) noexcept {
    result<core::pin<core::umem>> u = core::enter<core::umem>(umem);
    if (!u) return kdevx::deliver(u.failure(), why);
    kdevx_umem_info mine{};
    mine.id = (*u)->id;
    mine.handle = u->handle();
    mine.page_size_bound = std::uint64_t(1) << (*u)->log_bound;
    mine.page_size_exact = (*u)->exact;
    mine.address = reinterpret_cast<void *>(std::uintptr_t((*u)->address));
    mine.length = (*u)->length;
    constexpr std::size_t least = offsetof(kdevx_umem_info, handle);
    return kdevx::deliver(write_answer(mine, info, least, "info"), why);
}
