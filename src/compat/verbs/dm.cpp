// SPDX-License-Identifier: MIT
// Memory of the device.
#include <cstdint>

#include "compat/verbs/objects.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

kdevx_dm_info info(const dm &d) {
    return info_of<kdevx_dm_info>(d.own, kdevx_dm_get_info);
}

// The words of a range, or NULL: the device takes no less than words, and those in their places.
volatile std::uint32_t *range(const dm &d, std::uint64_t offset, std::size_t length) {
    const kdevx_dm_info i = info(d);
    if (offset > i.length || length > i.length - offset || offset % 4 || length % 4) return nullptr;
    return reinterpret_cast<volatile std::uint32_t *>(static_cast<char *>(i.address) + offset);
}

int copy_to(ibv_dm *to, std::uint64_t offset, const void *from, std::size_t length) {
    attempt a;
    volatile std::uint32_t *words = range(*ours(to), offset, length);
    if (!words) return a.refused(EFAULT, KDEVX_CAUSE_INVALID, "dm_offset or length");
    for (std::size_t i = 0; i < length / 4; ++i) {
        std::uint32_t word;
        __builtin_memcpy(&word, static_cast<const char *>(from) + i * 4, 4);
        words[i] = word;
    }
    return 0;
}

int copy_from(void *to, ibv_dm *from, std::uint64_t offset, std::size_t length) {
    attempt a;
    const volatile std::uint32_t *words = range(*ours(from), offset, length);
    if (!words) return a.refused(EFAULT, KDEVX_CAUSE_INVALID, "dm_offset or length");
    for (std::size_t i = 0; i < length / 4; ++i) {
        const std::uint32_t word = words[i];
        __builtin_memcpy(static_cast<char *>(to) + i * 4, &word, 4);
    }
    return 0;
}

} // namespace

ibv_dm *ibv_alloc_dm(ibv_context *context, ibv_alloc_dm_attr *attr) {
    attempt a;
    if (!a.takes(context)) return nullptr;
    if (attr->comp_mask) return a.invalid("comp_mask"), nullptr;
    owned<dm> d = make<dm>();
    if (!d) return a.no_memory(), nullptr;
    if (!a.good(kdevx_dm_alloc(ours(context)->own, KDEVX_DM_MEMIC, attr->length,
                               attr->log_align_req, &d->own, a)))
        return nullptr;
    d->shown = {context, copy_to, copy_from, IBV_DM_MASK_HANDLE, info(*d).handle};
    return &d.disown()->shown;
}

int ibv_free_dm(ibv_dm *dm) {
    attempt a;
    if (!a.takes(dm->context)) return EXDEV;
    if (int err = a.ended(kdevx_dm_free(ours(dm)->own, a))) return err;
    end(ours(dm));
    return 0;
}

ibv_mr *ibv_reg_dm_mr(ibv_pd *pd, ibv_dm *dm, std::uint64_t dm_offset, std::size_t length,
                      unsigned access) {
    attempt a;
    if (!a.takes_all(pd, dm)) return nullptr;
    if (!(access & IBV_ACCESS_ZERO_BASED)) return a.invalid("access"), nullptr;
    owned<mr> m = make<mr>();
    if (!m) return a.no_memory(), nullptr;
    if (!a.good(
            kdevx_mr_reg_dm(ours(pd)->own, ours(dm)->own, dm_offset, length, access, &m->own, a)))
        return nullptr;
    const auto i = info_of<kdevx_mr_info>(m->own, kdevx_mr_get_info);
    m->shown = {pd->context, pd, nullptr, length, i.handle, i.lkey, i.rkey};
    return &m.disown()->shown;
}
