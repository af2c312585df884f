// SPDX-License-Identifier: MIT
// VAR and packet pacing entries.
#include "kabi/pages.hpp"
#include "compat/mlx5dv/call.hpp"
#include "compat/mlx5dv/layout.hpp"

using namespace kdevx;
using namespace kdevx::mlx5dv;
using namespace kdevx::uverbs;

namespace {

using kdevx::mlx5dv::pp;
using kdevx::mlx5dv::var;

} // namespace

mlx5dv_var *mlx5dv_alloc_var(ibv_context *context, std::uint32_t given) {
    call c(function<"mlx5dv_alloc_var">);
    if (is_elsewhere(context)) return c.pass_on(mlx5dv_alloc_var, context, given);
    if (given & ~MLX5DV_VAR_ALLOC_FLAG_TLP) return c.none(EOPNOTSUPP);
    owned<var> v = make_object<var>();
    if (!v) return c.none(ENOMEM);
    std::uint64_t mmap_off = 0;
    result<void> r = invoke<kabi::var::alloc>(
        file_of(context), make<"MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE">(v->handle),
        out_value<"MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_OFFSET">(mmap_off),
        out_value<"MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_LENGTH">(v->shown.length),
        out_value<"MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID">(v->shown.page_id),
        when(given != 0, flags<"MLX5_IB_ATTR_VAR_OBJ_ALLOC_FLAGS">(given)));
    if (!r) return c.none(r);
    v->context = context;
    v->shown.mmap_off = off_t(mmap_off);
    return c.made(&v.disown()->shown);
}

void mlx5dv_free_var(mlx5dv_var *dv_var) {
    call c(function<"mlx5dv_free_var">);
    var *v = whole<var>(dv_var);
    if (is_elsewhere(v->context)) return c.pass_on(mlx5dv_free_var, dv_var);
    c.ended(invoke<kabi::var::destroy>(file_of(v->context),
                                       end<"MLX5_IB_ATTR_VAR_OBJ_DESTROY_HANDLE">(v->handle)));
    end_object(v);
}

mlx5dv_pp *mlx5dv_pp_alloc(ibv_context *context, std::size_t pp_context_sz, const void *pp_context,
                           std::uint32_t given) {
    call c(function<"mlx5dv_pp_alloc">);
    if (is_elsewhere(context))
        return c.pass_on(mlx5dv_pp_alloc, context, pp_context_sz, pp_context, given);
    if (given & ~std::uint32_t(MLX5DV_PP_ALLOC_FLAGS_DEDICATED_INDEX)) return c.none(EOPNOTSUPP);
    owned<pp> p = make_object<pp>();
    if (!p) return c.none(ENOMEM);
    result<void> r = invoke<kabi::pp::alloc>(
        file_of(context), make<"MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE">(p->handle),
        in<"MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX">(box(pp_context, pp_context_sz)),
        flags<"MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS">(given),
        out_value<"MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX">(p->shown.index));
    if (!r) return c.none(r);
    p->context = context;
    return c.made(&p.disown()->shown);
}

void mlx5dv_pp_free(mlx5dv_pp *dv_pp) {
    call c(function<"mlx5dv_pp_free">);
    pp *p = whole<pp>(dv_pp);
    if (is_elsewhere(p->context)) return c.pass_on(mlx5dv_pp_free, dv_pp);
    c.ended(invoke<kabi::pp::destroy>(file_of(p->context),
                                      end<"MLX5_IB_ATTR_PP_OBJ_DESTROY_HANDLE">(p->handle)));
    end_object(p);
}
