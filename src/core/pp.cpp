// SPDX-License-Identifier: MIT
#include "core/pp.hpp"

#include "core/ending.hpp"
#include "kabi/pages.hpp"

namespace kdevx::core {

using namespace uverbs;

const noun pp::noun{KDEVX_KIND_PP, "pp",
                    end_by<kabi::pp::destroy, "MLX5_IB_ATTR_PP_OBJ_DESTROY_HANDLE">,
                    nothing_to_drop, nullptr};

result<kdevx_pp *> alloc_pp(context &c, const_bytes rate, std::uint32_t given) noexcept {
    constexpr std::uint32_t known = KDEVX_PP_DEDICATED_INDEX;
    if (given & ~known) return invalid("flags", given, known);
    draft<pp> d(c);
    if (!d) return no_memory("pp");
    result<void> r = invoke<kabi::pp::alloc>(
        c.file(), make<"MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE">(d.handle()),
        in<"MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX">(rate), flags<"MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS">(given),
        out_value<"MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX">(d->index));
    if (!r) return r.failure();
    return d.publish();
}

} // namespace kdevx::core
