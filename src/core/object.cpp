// SPDX-License-Identifier: MIT
#include "core/object.hpp"

#include "core/ending.hpp"
#include "kabi/devx_obj.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

constexpr std::uint16_t create_general_object = 0xa00;

} // namespace

const noun object::noun{KDEVX_KIND_OBJECT, "object",
                        end_by<kabi::devx_obj::destroy, "MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE">,
                        nothing_to_drop, nullptr};

result<kdevx_object *> create_object(context &c, const_bytes in_box, bytes out_box) noexcept {
    draft<object> d(c);
    if (!d) return no_memory("object");
    result<void> r = invoke<kabi::devx_obj::create>(
        c.file(), make<"MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE">(d.handle()),
        in<"MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN">(in_box),
        out<"MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT">(out_box));
    if (!r) return with_outbox(r, in_box, out_box).failure();
    d->opcode = opcode_of(in_box);
    d->obj_type = d->opcode == create_general_object ? op_mod_of(in_box) : 0;
    d->device_id = prm::load_be<std::uint32_t>(out_box.data() + 8);
    return d.publish();
}

result<void> query(const file &f, std::uint32_t handle, const_bytes in_box,
                   bytes out_box) noexcept {
    result<void> r =
        invoke<kabi::devx_obj::query>(f, use<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE">(handle),
                                      in<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN">(in_box),
                                      out<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT">(out_box));
    return with_outbox(r, in_box, out_box);
}

result<void> modify(const file &f, std::uint32_t handle, const_bytes in_box,
                    bytes out_box) noexcept {
    result<void> r =
        invoke<kabi::devx_obj::modify>(f, use<"MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE">(handle),
                                       in<"MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN">(in_box),
                                       out<"MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT">(out_box));
    return with_outbox(r, in_box, out_box);
}

} // namespace kdevx::core
