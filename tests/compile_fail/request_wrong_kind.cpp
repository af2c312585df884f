// SPDX-License-Identifier: MIT
// expect: this_attribute_is_of_another_kind
#include "kabi/devx_obj.hpp"
#include "uverbs/request.hpp"
using namespace kdevx;
using namespace kdevx::uverbs;
bool call(const file &f);
bool call(const file &f) {
#ifdef WRONG
    return bool(invoke<kabi::devx_obj::destroy>(f, use<"MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE">(0)));
#else
    return bool(
        invoke<kabi::devx_obj::destroy>(f, uverbs::end<"MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE">(0)));
#endif
}
