// SPDX-License-Identifier: MIT
// expect: this_method_has_no_such_attribute
#include "kabi/devx.hpp"
#include "uverbs/request.hpp"
using namespace kdevx;
using namespace kdevx::uverbs;
bool call(const file &f, const_bytes i, bytes o);
bool call(const file &f, const_bytes i, bytes o) {
#ifdef WRONG
    return bool(invoke<kabi::devx::other>(f, in<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN">(i),
                                          out<"MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT">(o)));
#else
    return bool(invoke<kabi::devx::other>(f, in<"MLX5_IB_ATTR_DEVX_OTHER_CMD_IN">(i),
                                          out<"MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT">(o)));
#endif
}
