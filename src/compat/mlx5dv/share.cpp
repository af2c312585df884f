// SPDX-License-Identifier: MIT
// Objects of a shared file, as plain data. The kernel is not asked.
#include <cstring>

#include "compat/mlx5dv/call.hpp"
#include "compat/mlx5dv/layout.hpp"

using namespace kdevx;
using namespace kdevx::mlx5dv;

namespace {

using kdevx::mlx5dv::umem;
using kdevx::mlx5dv::var;

struct obj_data {
    std::uint32_t handle;
    obj_type type;
    std::uint32_t object_id;
    std::uint64_t rx_icm_addr;
    std::uint8_t log_obj_range;
};
struct umem_data {
    std::uint32_t handle, umem_id;
};
struct var_data {
    std::uint32_t handle, page_id, length;
    off_t mmap_off;
};

// Padding is data too: it goes to another process.
template <class Data>
Data *cleared(void *data) {
    return static_cast<Data *>(std::memset(data, 0, sizeof(Data)));
}

} // namespace

void _mlx5dv_get_export_sizes(mlx5dv_export_sizes *sizes, std::size_t sizes_len) {
    call c(function<"_mlx5dv_get_export_sizes">);
    const mlx5dv_export_sizes mine{sizeof(var_data), sizeof(umem_data), sizeof(obj_data)};
    std::memset(sizes, 0, sizes_len);
    std::memcpy(sizes, &mine, sizes_len < sizeof mine ? sizes_len : sizeof mine);
    c.ended(0);
}

int mlx5dv_devx_obj_export(mlx5dv_devx_obj *obj, void *data) {
    call c(function<"mlx5dv_devx_obj_export">);
    if (is_elsewhere(obj->context)) return c.pass_on(mlx5dv_devx_obj_export, obj, data);
    auto *d = cleared<obj_data>(data);
    d->handle = obj->handle;
    d->type = obj->type;
    d->object_id = obj->object_id;
    d->rx_icm_addr = obj->rx_icm_addr;
    d->log_obj_range = obj->log_obj_range;
    return c.ended(0);
}

mlx5dv_devx_obj *mlx5dv_devx_obj_import(ibv_context *context, void *data) {
    call c(function<"mlx5dv_devx_obj_import">);
    if (is_elsewhere(context)) return c.pass_on(mlx5dv_devx_obj_import, context, data);
    owned<mlx5dv_devx_obj> o = make_object<mlx5dv_devx_obj>();
    if (!o) return c.none(ENOMEM);
    auto *d = static_cast<obj_data *>(data);
    o->context = context;
    o->handle = d->handle;
    o->type = d->type;
    o->object_id = d->object_id;
    o->rx_icm_addr = d->rx_icm_addr;
    o->log_obj_range = d->log_obj_range;
    return c.made(o.disown());
}

void mlx5dv_devx_obj_unimport(mlx5dv_devx_obj *obj) {
    call c(function<"mlx5dv_devx_obj_unimport">);
    if (is_elsewhere(obj->context)) return c.pass_on(mlx5dv_devx_obj_unimport, obj);
    end_object(obj);
    c.ended(0);
}

int mlx5dv_devx_umem_export(mlx5dv_devx_umem *dv_umem, void *data) {
    call c(function<"mlx5dv_devx_umem_export">);
    const umem *u = whole<umem>(dv_umem);
    if (is_elsewhere(u->context)) return c.pass_on(mlx5dv_devx_umem_export, dv_umem, data);
    auto *d = cleared<umem_data>(data);
    d->handle = u->handle;
    d->umem_id = u->shown.umem_id;
    return c.ended(0);
}

mlx5dv_devx_umem *mlx5dv_devx_umem_import(ibv_context *context, void *data) {
    call c(function<"mlx5dv_devx_umem_import">);
    if (is_elsewhere(context)) return c.pass_on(mlx5dv_devx_umem_import, context, data);
    owned<umem> u = make_object<umem>();
    if (!u) return c.none(ENOMEM);
    auto *d = static_cast<umem_data *>(data);
    u->context = context;
    u->handle = d->handle;
    u->shown.umem_id = d->umem_id;
    return c.made(&u.disown()->shown);
}

void mlx5dv_devx_umem_unimport(mlx5dv_devx_umem *dv_umem) {
    call c(function<"mlx5dv_devx_umem_unimport">);
    umem *u = whole<umem>(dv_umem);
    if (is_elsewhere(u->context)) return c.pass_on(mlx5dv_devx_umem_unimport, dv_umem);
    end_object(u);
    c.ended(0);
}

int mlx5dv_var_export(mlx5dv_var *dv_var, void *data) {
    call c(function<"mlx5dv_var_export">);
    const var *v = whole<var>(dv_var);
    if (is_elsewhere(v->context)) return c.pass_on(mlx5dv_var_export, dv_var, data);
    auto *d = cleared<var_data>(data);
    d->handle = v->handle;
    d->page_id = dv_var->page_id;
    d->length = dv_var->length;
    d->mmap_off = dv_var->mmap_off;
    return c.ended(0);
}

mlx5dv_var *mlx5dv_var_import(ibv_context *context, void *data) {
    call c(function<"mlx5dv_var_import">);
    if (is_elsewhere(context)) return c.pass_on(mlx5dv_var_import, context, data);
    owned<var> v = make_object<var>();
    if (!v) return c.none(ENOMEM);
    auto *d = static_cast<var_data *>(data);
    v->context = context;
    v->handle = d->handle;
    v->shown.page_id = d->page_id;
    v->shown.length = d->length;
    v->shown.mmap_off = d->mmap_off;
    return c.made(&v.disown()->shown);
}

void mlx5dv_var_unimport(mlx5dv_var *dv_var) {
    call c(function<"mlx5dv_var_unimport">);
    var *v = whole<var>(dv_var);
    if (is_elsewhere(v->context)) return c.pass_on(mlx5dv_var_unimport, dv_var);
    end_object(v);
    c.ended(0);
}
