// SPDX-License-Identifier: MIT
// Firmware objects, and commands that make none.
#include "core/object.hpp"

#include "compat/mlx5dv/call.hpp"
#include "compat/mlx5dv/layout.hpp"
#include "kabi/devx.hpp"
#include "kabi/devx_obj.hpp"

using namespace kdevx;
using namespace kdevx::mlx5dv;
using namespace kdevx::uverbs;

namespace {

std::uint32_t dword(const_bytes b, std::size_t at) {
    return at + 4 <= b.size() ? prm::load_be<std::uint32_t>(b.data() + at) : 0;
}

constexpr std::uint32_t low_24 = 0xffffff, all = 0xffffffff;

// Where the number of an object stands that steering can use: in the outbox, or in the inbox.
struct known {
    std::uint16_t opcode;
    obj_type type;
    std::uint32_t mask;
    std::size_t at = 8;
    bool in_inbox = false;
};
constexpr known objects[] = {
    {0x500, obj_type::qp, low_24},                        // CREATE_QP
    {0x900, obj_type::tir, low_24},                       // CREATE_TIR
    {0x930, obj_type::flow_table, low_24},                // CREATE_FLOW_TABLE
    {0x933, obj_type::flow_group, low_24},                // CREATE_FLOW_GROUP
    {0x936, obj_type::flow_table_entry, all, 0x20, true}, // SET_FLOW_TABLE_ENTRY
    {0x939, obj_type::flow_counter, all},                 // ALLOC_FLOW_COUNTER
    {0x93d, obj_type::packet_reformat, all},              // ALLOC_PACKET_REFORMAT_CONTEXT
    {0xa00, obj_type::other, all},                        // CREATE_GENERAL_OBJECT: see below
};

struct general {
    std::uint16_t type;
    obj_type is;
};
constexpr general general_objects[] = {
    {0x0a, obj_type::flow_meter},     {0x20, obj_type::flow_sampler},
    {0x24, obj_type::aso_flow_meter}, {0x25, obj_type::aso_first_hit},
    {0x31, obj_type::aso_conn_track},
};

obj_type general_type(std::uint16_t type) {
    for (const general &g : general_objects)
        if (g.type == type) return g.is;
    return obj_type::other;
}

// create_tir_out scatters the address over the bytes that its header leaves free.
std::uint64_t icm_address(const_bytes out) {
    return std::uint64_t(dword(out, 0) & low_24) << 40 | std::uint64_t(dword(out, 8) >> 24) << 32 |
           dword(out, 12);
}

void describe(mlx5dv_devx_obj &o, const_bytes in, const_bytes out) {
    for (const known &k : objects) {
        if (k.opcode != core::opcode_of(in)) continue;
        o.type = k.type;
        o.object_id = dword(k.in_inbox ? in : out, k.at) & k.mask;
    }
    if (o.type == obj_type::tir) o.rx_icm_addr = icm_address(out);
    if (core::opcode_of(in) != 0xa00) return;
    o.type = general_type(core::op_mod_of(in));
    o.log_obj_range = std::uint8_t(dword(in, 12) >> 24 & 0x1f);
}

} // namespace

mlx5dv_devx_obj *mlx5dv_devx_obj_create(ibv_context *context, const void *in, std::size_t inlen,
                                        void *out, std::size_t outlen) {
    call c(function<"mlx5dv_devx_obj_create">);
    if (is_elsewhere(context))
        return c.pass_on(mlx5dv_devx_obj_create, context, in, inlen, out, outlen);
    owned<mlx5dv_devx_obj> o = make_object<mlx5dv_devx_obj>();
    if (!o) return c.none(ENOMEM);
    const_bytes inbox = box(in, inlen);
    bytes outbox = box(out, outlen);
    result<void> r = invoke<kabi::devx_obj::create>(
        file_of(context), make<"MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE">(o->handle),
        kdevx::uverbs::in<"MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN">(inbox),
        kdevx::uverbs::out<"MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT">(outbox));
    if (!r) return c.none(r);
    o->context = context;
    describe(*o, inbox, outbox);
    return c.made(o.disown());
}

int mlx5dv_devx_obj_query(mlx5dv_devx_obj *obj, const void *in, std::size_t inlen, void *out,
                          std::size_t outlen) {
    call c(function<"mlx5dv_devx_obj_query">);
    if (is_elsewhere(obj->context))
        return c.pass_on(mlx5dv_devx_obj_query, obj, in, inlen, out, outlen);
    return c.ended(
        core::query(file_of(obj->context), obj->handle, box(in, inlen), box(out, outlen)));
}

int mlx5dv_devx_obj_modify(mlx5dv_devx_obj *obj, const void *in, std::size_t inlen, void *out,
                           std::size_t outlen) {
    call c(function<"mlx5dv_devx_obj_modify">);
    if (is_elsewhere(obj->context))
        return c.pass_on(mlx5dv_devx_obj_modify, obj, in, inlen, out, outlen);
    return c.ended(
        core::modify(file_of(obj->context), obj->handle, box(in, inlen), box(out, outlen)));
}

int mlx5dv_devx_obj_destroy(mlx5dv_devx_obj *obj) {
    call c(function<"mlx5dv_devx_obj_destroy">);
    if (is_elsewhere(obj->context)) return c.pass_on(mlx5dv_devx_obj_destroy, obj);
    result<void> r = invoke<kabi::devx_obj::destroy>(
        file_of(obj->context), end<"MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE">(obj->handle));
    if (r) end_object(obj);
    return c.ended(r);
}

int mlx5dv_devx_general_cmd(ibv_context *context, const void *in, std::size_t inlen, void *out,
                            std::size_t outlen) {
    call c(function<"mlx5dv_devx_general_cmd">);
    if (is_elsewhere(context))
        return c.pass_on(mlx5dv_devx_general_cmd, context, in, inlen, out, outlen);
    return c.ended(invoke<kabi::devx::other>(
        file_of(context), kdevx::uverbs::in<"MLX5_IB_ATTR_DEVX_OTHER_CMD_IN">(box(in, inlen)),
        kdevx::uverbs::out<"MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT">(box(out, outlen))));
}
