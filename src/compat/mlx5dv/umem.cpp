// SPDX-License-Identifier: MIT
// Memory under a umem id.
#include "kabi/umem.hpp"
#include "compat/mlx5dv/call.hpp"
#include "compat/mlx5dv/layout.hpp"

using namespace kdevx;
using namespace kdevx::mlx5dv;
using namespace kdevx::uverbs;

namespace {

using kdevx::mlx5dv::umem;

constexpr std::uint64_t any_page_size = ~std::uint64_t(0xfff);

// Pages that a fork must not share: libibverbs counts them, and does nothing unless it was asked to
// (ibv_fork_init). Without libibverbs nobody can have asked.
int advise(const char *function, void *address, std::size_t size) {
    auto *range = next_as<int(void *, std::size_t)>(function);
    if (!range) return 0;
    errno = 0;
    if (!range(address, size)) return 0;
    return errno ? errno : ENOMEM;
}

// What the kernel is asked for.
struct source {
    void *address;
    std::size_t size;
    std::uint32_t access;
    std::uint64_t page_sizes;
    bool exact; // a kernel that does not know page_sizes may not leave it out of account
    int dmabuf = -1;
};

result<void> ask(ibv_context *context, const source &s, umem &u) {
    auto pages = constant<"MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP">(s.page_sizes);
    return invoke<kabi::umem::reg>(
        file_of(context), make<"MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE">(u.handle),
        in_value<"MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR">(
            std::uint64_t(reinterpret_cast<std::uintptr_t>(s.address))),
        in_value<"MLX5_IB_ATTR_DEVX_UMEM_REG_LEN">(std::uint64_t(s.size)),
        flags<"MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS">(s.access),
        out_value<"MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID">(u.shown.umem_id),
        s.exact ? pages : tolerate(pages),
        when(s.dmabuf >= 0, use_fd<"MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD">(s.dmabuf)));
}

mlx5dv_devx_umem *reg(const call &c, ibv_context *context, const source &s) {
    owned<umem> u = make_object<umem>();
    if (!u) return c.none(ENOMEM);
    bool memory = s.dmabuf < 0;
    if (memory)
        if (int err = advise("ibv_dontfork_range", s.address, s.size)) return c.none(err);
    result<void> r = ask(context, s, *u);
    if (!r && memory) advise("ibv_dofork_range", s.address, s.size);
    if (!r) return c.none(r);
    u->context = context;
    u->address = memory ? s.address : nullptr;
    u->size = s.size;
    return c.made(&u.disown()->shown);
}

} // namespace

mlx5dv_devx_umem *mlx5dv_devx_umem_reg(ibv_context *ctx, void *addr, std::size_t size,
                                       std::uint32_t access) {
    call c(function<"mlx5dv_devx_umem_reg">);
    if (is_elsewhere(ctx)) return c.pass_on(mlx5dv_devx_umem_reg, ctx, addr, size, access);
    return reg(c, ctx, {addr, size, access, any_page_size, false});
}

mlx5dv_devx_umem *mlx5dv_devx_umem_reg_ex(ibv_context *ctx, mlx5dv_devx_umem_in *in) {
    call c(function<"mlx5dv_devx_umem_reg_ex">);
    if (is_elsewhere(ctx)) return c.pass_on(mlx5dv_devx_umem_reg_ex, ctx, in);
    if (in->comp_mask & ~std::uint64_t(MLX5DV_UMEM_MASK_DMABUF)) return c.none(EOPNOTSUPP);
    bool dmabuf = in->comp_mask & MLX5DV_UMEM_MASK_DMABUF;
    if (dmabuf && in->dmabuf_fd < 0) return c.none(EBADF);
    return reg(
        c, ctx,
        {in->addr, in->size, in->access, in->pgsz_bitmap, true, dmabuf ? in->dmabuf_fd : -1});
}

int mlx5dv_devx_umem_dereg(mlx5dv_devx_umem *dv_umem) {
    call c(function<"mlx5dv_devx_umem_dereg">);
    umem *u = whole<umem>(dv_umem);
    if (is_elsewhere(u->context)) return c.pass_on(mlx5dv_devx_umem_dereg, dv_umem);
    result<void> r = invoke<kabi::umem::dereg>(
        file_of(u->context), end<"MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE">(u->handle));
    if (!r) return c.ended(r);
    if (u->address) advise("ibv_dofork_range", u->address, u->size);
    end_object(u);
    return c.ended(0);
}
