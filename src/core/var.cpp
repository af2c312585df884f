// SPDX-License-Identifier: MIT
#include "core/var.hpp"

#include "core/ending.hpp"
#include "kabi/memory.hpp"
#include "kabi/pages.hpp"

namespace kdevx::core {

using namespace uverbs;

const noun var::noun{KDEVX_KIND_VAR, "var",
                     end_by<kabi::var::destroy, "MLX5_IB_ATTR_VAR_OBJ_DESTROY_HANDLE">,
                     nothing_to_drop, nullptr};

result<kdevx_var *> alloc_var(context &c, std::uint32_t given) noexcept {
    if (given & ~std::uint32_t(KDEVX_VAR_TLP)) return invalid("flags", given, KDEVX_VAR_TLP);
    draft<var> d(c);
    if (!d) return no_memory("var");
    result<void> r = invoke<kabi::var::alloc>(
        c.file(), make<"MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE">(d.handle()),
        out_value<"MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_OFFSET">(d->mmap_off),
        out_value<"MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_LENGTH">(d->length),
        out_value<"MLX5_IB_ATTR_VAR_OBJ_ALLOC_PAGE_ID">(d->page_id),
        when(given != 0, flags<"MLX5_IB_ATTR_VAR_OBJ_ALLOC_FLAGS">(given)));
    if (!r) return r.failure();
    return d.publish();
}

result<int> export_page(const file &f, std::uint64_t mmap_off) noexcept {
    int fd = -1;
    result<void> r =
        invoke<kabi::dmabuf::alloc>(f, make_fd<"UVERBS_ATTR_ALLOC_DMABUF_HANDLE">(fd),
                                    in_value<"UVERBS_ATTR_ALLOC_DMABUF_PGOFF">(mmap_off));
    if (!r) return r.failure();
    return fd;
}

} // namespace kdevx::core
