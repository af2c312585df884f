// SPDX-License-Identifier: MIT
#include "core/mr.hpp"

#include <cstddef>

#include "capi/calls.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_mr_reg(kdevx_pd *pd, void *address, std::size_t length, std::uint64_t iova,
                 std::uint32_t access, kdevx_mr **mr, kdevx_failure *why) noexcept {
    return make_with<core::pd>(pd, mr, "mr", why, [=](auto &domain) {
        return core::reg_mr(domain, address, {length, iova, access});
    });
}

int kdevx_mr_reg_dmabuf(kdevx_pd *pd, int fd, std::uint64_t offset, std::uint64_t length,
                        std::uint64_t iova, std::uint32_t access, std::uint32_t dmabuf_access,
                        kdevx_mr **mr, kdevx_failure *why) noexcept {
    return make_with<core::pd>(pd, mr, "mr", why, [=](auto &domain) {
        return core::reg_dmabuf_mr(domain, {fd, offset, dmabuf_access}, {length, iova, access});
    });
}

int kdevx_mr_reg_dm(kdevx_pd *pd, kdevx_dm *dm, std::uint64_t offset, std::uint64_t length,
                    std::uint32_t access, kdevx_mr **mr, kdevx_failure *why) noexcept {
    return make_with<core::pd>(pd, mr, "mr", why, [=](auto &domain) -> result<kdevx_mr *> {
        result<core::pin<core::dm>> memory = core::enter<core::dm>(dm);
        if (!memory) return memory.failure();
        return core::reg_dm_mr(domain, *memory, offset, {length, 0, access});
    });
}

int kdevx_mr_dereg(kdevx_mr *mr, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::mr>(mr), why);
}

int kdevx_mr_get_info(const kdevx_mr *mr, kdevx_mr_info *info, kdevx_failure *why) noexcept {
    return answer<core::mr>(mr, info, offsetof(kdevx_mr_info, lkey), "info", why,
                            [](auto &m) -> result<kdevx_mr_info> {
                                return kdevx_mr_info{sizeof(kdevx_mr_info),
                                                     m.handle(),
                                                     m->lkey,
                                                     m->rkey,
                                                     m->access,
                                                     m->length,
                                                     m->iova,
                                                     m->address};
                            });
}

int kdevx_dm_alloc(kdevx_context *context, std::uint32_t type, std::uint64_t length,
                   std::uint32_t log_align, kdevx_dm **dm, kdevx_failure *why) noexcept {
    return make_in(context, dm, "dm", why,
                   [=](core::context &c) { return core::alloc_dm(c, type, length, log_align); });
}

int kdevx_dm_free(kdevx_dm *dm, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::dm>(dm), why);
}

int kdevx_dm_get_info(const kdevx_dm *dm, kdevx_dm_info *info, kdevx_failure *why) noexcept {
    return answer<core::dm>(
        dm, info, offsetof(kdevx_dm_info, type), "info", why, [](auto &d) -> result<kdevx_dm_info> {
            return kdevx_dm_info{
                sizeof(kdevx_dm_info), d.handle(),    d->type, d->length,
                d->start_offset,       d->page_index, 0,       core::address_of(*d)};
        });
}

int kdevx_dm_map_op(kdevx_dm *dm, std::uint8_t op, void **address, kdevx_failure *why) noexcept {
    return make_with<core::dm>(dm, address, "address", why,
                               [=](auto &d) { return core::map_op(d, op); });
}
