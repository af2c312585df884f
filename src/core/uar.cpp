// SPDX-License-Identifier: MIT
#include "core/uar.hpp"

#include <rdma/mlx5_user_ioctl_verbs.h>
#include <sys/mman.h>

#include "core/ending.hpp"
#include "kabi/pages.hpp"
#include "uverbs/request.hpp"

namespace kdevx::core {

using namespace uverbs;

result<void> destroy_page(const file &f, const uar_page &p) noexcept {
    return ended(
        invoke<kabi::uar::destroy>(f, end<"MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE">(p.handle)));
}

result<uar_page> alloc_page(const file &f, std::uint64_t kernel_type) noexcept {
    uar_page p;
    result<void> r =
        invoke<kabi::uar::alloc>(f, make<"MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE">(p.handle),
                                 constant<"MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE">(kernel_type),
                                 out_value<"MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET">(p.mmap_off),
                                 out_value<"MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_LENGTH">(p.length),
                                 out_value<"MLX5_IB_ATTR_UAR_OBJ_ALLOC_PAGE_ID">(p.page_id));
    if (!r) return r.failure();
    int err = f.sys->mmap(p.length, PROT_READ | PROT_WRITE, MAP_SHARED, f.fd, p.mmap_off, &p.base);
    if (err == 0) return p;
    (void)destroy_page(f, p);
    return fail(err == -ENOMEM ? KDEVX_CAUSE_LIMIT : KDEVX_CAUSE_OTHER, -err, "mmap");
}

// The first user makes the shared page, the last one ends it.
result<uar_page> share_page(context &c) noexcept {
    shared_page &shared = c.nc_uar;
    locked l(shared.lock);
    if (!shared.page.base) {
        result<uar_page> p = alloc_page(c.file(), MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC);
        if (!p) return p;
        shared.page = *p;
    }
    ++shared.users;
    return shared.page;
}

// What the kernel does not take back stays, for the next one to share. A context that is closed has
// nothing left but the mapping.
void unshare_page(context &c) noexcept {
    shared_page &shared = c.nc_uar;
    locked l(shared.lock);
    if (--shared.users) return;
    if (!c.is_closed() && !destroy_page(c.file(), shared.page)) return;
    c.sys().munmap(shared.page.base, shared.page.length);
    shared.page = {};
}

namespace {

result<uar_page> get_page(context &c, std::uint32_t type) {
    switch (type) {
    case KDEVX_UAR_BF:
        return alloc_page(c.file(), MLX5_IB_UAPI_UAR_ALLOC_TYPE_BF);
    case KDEVX_UAR_NC:
        return share_page(c);
    default:
        return alloc_page(c.file(), MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC);
    }
}

void uncount(uar &u, shared_page &shared) {
    u.counted = false;
    u.last = --shared.users == 0;
    if (u.last) shared.page = {};
}

result<void> end_page(slot &s) noexcept {
    uar &u = s.body<uar>();
    if (!u.counted) return destroy_page(s.context->file(), u.page);
    shared_page &shared = s.context->nc_uar;
    locked l(shared.lock);
    if (shared.users == 1)
        if (result<void> r = destroy_page(s.context->file(), u.page); !r) return r;
    uncount(u, shared);
    return {};
}

// A mapping keeps the kernel's page, and the file, until it is undone.
void drop_uar(slot &s) noexcept {
    uar &u = s.body<uar>();
    if (u.counted) {
        locked l(s.context->nc_uar.lock);
        uncount(u, s.context->nc_uar);
    }
    if (u.last) s.context->sys().munmap(u.page.base, u.page.length);
}

bool uar_in_use(const slot &s) noexcept {
    return s.body<uar>().users != 0;
}

} // namespace

const noun uar::noun{KDEVX_KIND_UAR, "uar", end_page, drop_uar, nullptr, uar_in_use};

result<kdevx_uar *> alloc_uar(context &c, std::span<const std::uint32_t> types) noexcept {
    if (types.empty() || !types.data()) return invalid("types");
    for (std::uint32_t t : types)
        if (t > KDEVX_UAR_NC_DEDICATED) return invalid("types", t, KDEVX_UAR_NC_DEDICATED);
    draft<uar> d(c);
    if (!d) return no_memory("uar");
    failure last{};
    for (std::uint32_t t : types) {
        result<uar_page> p = get_page(c, t);
        if (p) {
            d->page = *p;
            d->type = kdevx_uar_type(t);
            d->counted = t == KDEVX_UAR_NC;
            d->last = !d->counted;
            d.handle() = p->handle;
            return d.publish();
        }
        last = p.failure();
        if (last.cause == KDEVX_CAUSE_DEVICE_GONE || last.err == EBADF) break;
    }
    return last;
}

} // namespace kdevx::core
