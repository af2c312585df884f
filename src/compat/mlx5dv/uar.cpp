// SPDX-License-Identifier: MIT
#include "core/uar.hpp"

#include "base/mutex.hpp"
#include "compat/mlx5dv/call.hpp"
#include "compat/mlx5dv/uar.hpp"
#include "core/var.hpp"

using namespace kdevx;
using namespace kdevx::mlx5dv;

namespace {

constexpr std::size_t doorbell_at = 0x800;

struct uar {
    mlx5dv_devx_uar shown;
    ibv_context *context;
    core::uar_page page;
    bool shared;
    std::uint32_t users;
    uar *next;
};

// All that there are, and who may touch the list. Never destroyed: threads may outlive main().
union always {
    mutex lock;
    constexpr always() noexcept : lock() {}
    ~always() {}
} const_init_lock;
uar *uars = nullptr;

mutex &lock() {
    return const_init_lock.lock;
}

// ---- under the lock ----------------------------------------------------------------------------

template <class Wanted>
uar **find(Wanted wanted) {
    uar **at = &uars;
    while (*at && !wanted(**at))
        at = &(*at)->next;
    return at;
}

uar *shared_page_of(const ibv_context *context) {
    uar *u = *find([=](const uar &each) { return each.shared && each.context == context; });
    if (u) ++u->users;
    return u;
}

void unmap_first(uar **at) {
    uar *u = *at;
    *at = u->next;
    uverbs::sys::make(nullptr)->munmap(u->page.base, u->page.length);
    end_object(u);
}

result<uar *> make_page(ibv_context *context, std::uint64_t kernel_type, bool shared) {
    owned<uar> u = make_object<uar>();
    if (!u) return no_memory("uar");
    result<core::uar_page> page = core::alloc_page(file_of(context), kernel_type);
    if (!page) return page.failure();
    u->page = *page;
    u->context = context;
    u->shared = shared;
    u->users = 1;
    u->shown.base_addr = page->base;
    u->shown.reg_addr = static_cast<char *>(page->base) + doorbell_at;
    u->shown.page_id = page->page_id;
    u->shown.mmap_off = off_t(page->mmap_off);
    u->next = uars;
    return uars = u.disown();
}

// ------------------------------------------------------------------------------------------------

result<uar *> give_out(ibv_context *context, std::uint64_t kernel_type, bool shared) {
    locked l(lock());
    uar *have = shared ? shared_page_of(context) : nullptr;
    return have ? result<uar *>(have) : make_page(context, kernel_type, shared);
}

} // namespace

void kdevx::mlx5dv::drop_pages(const ibv_context *context) noexcept {
    locked l(lock());
    auto of_it = [=](const uar &u) { return u.context == context; };
    for (uar **at = find(of_it); *at; at = find(of_it))
        unmap_first(at);
}

mlx5dv_devx_uar *mlx5dv_devx_alloc_uar(ibv_context *context, std::uint32_t flags) {
    call c(function<"mlx5dv_devx_alloc_uar">);
    if (is_elsewhere(context)) return c.pass_on(mlx5dv_devx_alloc_uar, context, flags);
    bool shared = flags == MLX5DV_UAR_ALLOC_TYPE_NC;
    bool cached = flags == MLX5DV_UAR_ALLOC_TYPE_BF;
    if (!shared && !cached && flags != MLX5DV_UAR_ALLOC_TYPE_NC_DEDICATED)
        return c.none(EOPNOTSUPP);
    result<uar *> u = give_out(
        context, cached ? MLX5_IB_UAPI_UAR_ALLOC_TYPE_BF : MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC, shared);
    if (!u) return c.none(u.failure());
    return c.made(&(*u)->shown);
}

// One that is not here is another library's.
void mlx5dv_devx_free_uar(mlx5dv_devx_uar *devx_uar) {
    call c(function<"mlx5dv_devx_free_uar">);
    {
        locked l(lock());
        uar **at = find([=](const uar &each) { return &each.shown == devx_uar; });
        if (uar *u = *at) {
            result<void> r;
            if (--u->users == 0) {
                r = core::destroy_page(file_of(u->context), u->page);
                unmap_first(at);
            }
            c.ended(r);
            return;
        }
    }
    c.pass_on(mlx5dv_devx_free_uar, devx_uar);
}

int mlx5dv_devx_uar_export_dmabuf_fd(mlx5dv_devx_uar *devx_uar) {
    call c(function<"mlx5dv_devx_uar_export_dmabuf_fd">);
    locked l(lock());
    uar *u = *find([=](const uar &each) { return &each.shown == devx_uar; });
    if (!u) return c.ended(EOPNOTSUPP), -1;
    return c.told(core::export_page(file_of(u->context), u->page.mmap_off));
}
