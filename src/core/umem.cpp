// SPDX-License-Identifier: MIT
#include "core/umem.hpp"

#include <algorithm>
#include <bit>

#include <sys/mman.h>

#include "base/options.hpp"
#include "base/page.hpp"
#include "core/ending.hpp"
#include "kabi/umem.hpp"
#include "uverbs/request.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

// madvise wants whole pages: all that the memory touches.
int advise(const uverbs::sys &sys, const umem &u, int advice) {
    std::uint64_t page = cpu_page();
    std::uint64_t first = u.address & ~(page - 1);
    std::uint64_t end = (u.address + u.length + page - 1) & ~(page - 1);
    return sys.madvise(reinterpret_cast<void *>(std::uintptr_t(first)), std::size_t(end - first),
                       advice);
}

void drop_umem(slot &s) noexcept {
    const umem &u = s.body<umem>();
    if (u.dontfork) advise(s.context->sys(), u, MADV_DOFORK);
}

result<kdevx_umem_options> options_of(const kdevx_umem_options *given, std::uint32_t known_flags) {
    result<kdevx_umem_options> o = read_options(given, "options");
    if (!o) return o;
    if (!given) o->access = KDEVX_ACCESS_LOCAL_WRITE;
    if (o->flags & ~known_flags) return invalid("flags", o->flags, known_flags);
    return o;
}

// What both kinds of source have in common. dmabuf < 0: memory.
result<void> reg(context &c, draft<umem> &d, const kdevx_umem_options &o, std::uint64_t address,
                 int dmabuf) noexcept {
    page_size p = page_size_of(d->length, o.pgsz_bitmap, cpu_page());
    d->log_bound = std::uint8_t(p.bound ? std::countr_zero(p.bound) : 0);
    d->exact = p.exact;
    return invoke<kabi::umem::reg>(
        c.file(), make<"MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE">(d.handle()),
        in_value<"MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR">(address),
        in_value<"MLX5_IB_ATTR_DEVX_UMEM_REG_LEN">(d->length),
        flags<"MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS">(o.access),
        out_value<"MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID">(d->id),
        when(o.pgsz_bitmap != 0, constant<"MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP">(o.pgsz_bitmap)),
        when(dmabuf >= 0, use_fd<"MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD">(dmabuf)));
}

failure memory_or_lock_limit(const failure &given) {
    failure f = given;
    if (f.cause == KDEVX_CAUSE_LIMIT && f.err == ENOMEM) f.step = "MLX5_IB_ATTR_DEVX_UMEM_REG_LEN";
    return f;
}

} // namespace

const noun umem::noun{KDEVX_KIND_UMEM, "umem",
                      end_by<kabi::umem::dereg, "MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE">, drop_umem,
                      nullptr};

// The kernel takes the biggest size of the bitmap that is no bigger than the length rounded up to a
// power of two, or than its own page; above its own page size the length must be a multiple as
// well, and it halves the size until it is. How the memory lies physically can only make it
// smaller.
page_size page_size_of(std::uint64_t length, std::uint64_t pgsz_bitmap,
                       std::uint64_t cpu_page) noexcept {
    constexpr std::uint64_t device_page = 4096, top = 1ull << 63;
    if (!length) return {0, false};
    std::uint64_t allowed = pgsz_bitmap ? pgsz_bitmap : ~std::uint64_t(0);
    std::uint64_t most = std::max(length > top ? top : std::bit_ceil(length), cpu_page);
    allowed &= ((most - 1) | most) & ~(device_page - 1);
    if (!allowed) return {0, false};
    std::uint64_t bound = std::bit_floor(allowed), divides = length & (~length + 1);
    if (bound > cpu_page) bound = std::min(bound, std::max(divides, cpu_page));
    return {bound, bound <= cpu_page};
}

result<kdevx_umem *> reg_memory(context &c, void *address, std::size_t length,
                                const kdevx_umem_options *given) noexcept {
    if (!address) return invalid("address");
    if (!length) return invalid("length");
    result<kdevx_umem_options> o = options_of(given, KDEVX_UMEM_DONTFORK);
    if (!o) return o.failure();
    draft<umem> d(c);
    if (!d) return no_memory("umem");
    d->address = std::uint64_t(reinterpret_cast<std::uintptr_t>(address));
    d->length = length;
    auto begin = reinterpret_cast<std::uintptr_t>(address);
    if (begin + length < begin) return invalid("length", length);
    d->dontfork = o->flags & KDEVX_UMEM_DONTFORK;
    if (d->dontfork)
        if (int err = advise(c.sys(), *d, MADV_DONTFORK); err < 0)
            return fail(err == -ENOMEM ? KDEVX_CAUSE_LIMIT : KDEVX_CAUSE_INVALID, -err, "madvise");
    if (result<void> r = reg(c, d, *o, d->address, -1); !r) {
        if (d->dontfork) advise(c.sys(), *d, MADV_DOFORK);
        return memory_or_lock_limit(r.failure());
    }
    return d.publish();
}

result<kdevx_umem *> reg_dmabuf(context &c, int fd, std::uint64_t offset, std::uint64_t length,
                                const kdevx_umem_options *given) noexcept {
    if (fd < 0) return fail(KDEVX_CAUSE_INVALID, EBADF, "fd");
    if (!length) return invalid("length");
    result<kdevx_umem_options> o = options_of(given, 0);
    if (!o) return o.failure();
    draft<umem> d(c);
    if (!d) return no_memory("umem");
    d->address = 0;
    d->length = length;
    d->dontfork = false;
    if (result<void> r = reg(c, d, *o, offset, fd); !r) return memory_or_lock_limit(r.failure());
    return d.publish();
}

} // namespace kdevx::core
