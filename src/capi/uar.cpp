// SPDX-License-Identifier: MIT
#include "core/uar.hpp"

#include <cstddef>

#include "base/options.hpp"
#include "capi/convert.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_uar_alloc(kdevx_context *context, const std::uint32_t *types, std::size_t count,
                    kdevx_uar **uar, kdevx_failure *why) noexcept {
    if (!uar) return kdevx::deliver(invalid("uar"), why);
    if (!types) return kdevx::deliver(invalid("types"), why);
    result<core::entered> c = core::enter(from(context));
    if (!c) return kdevx::deliver(c.failure(), why);
    return capi::deliver(core::alloc_uar(**c, {types, count}), uar, why);
}

int kdevx_uar_free(kdevx_uar *uar, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::uar>(uar), why);
}

int kdevx_uar_get_info(const kdevx_uar *uar, kdevx_uar_info *info, kdevx_failure *why) noexcept {
    result<core::pin<core::uar>> u = core::enter<core::uar>(uar);
    if (!u) return kdevx::deliver(u.failure(), why);
    constexpr std::size_t register_offset = 0x800;
    const core::uar_page &p = (*u)->page;
    kdevx_uar_info mine{};
    mine.type = (*u)->type;
    mine.page_id = p.page_id;
    mine.handle = p.handle;
    mine.length = p.length;
    mine.base_addr = p.base;
    mine.reg_addr = static_cast<char *>(p.base) + register_offset;
    mine.mmap_off = p.mmap_off;
    // The register is two buffers that are written in turn.
    mine.bf_size = mine.type == KDEVX_UAR_BF ? u->context().response().bf_reg_size / 2 : 0;
    constexpr std::size_t least = offsetof(kdevx_uar_info, page_id);
    return kdevx::deliver(write_answer(mine, info, least, "info"), why);
}
