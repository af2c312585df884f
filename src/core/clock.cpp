// SPDX-License-Identifier: MIT
#include "core/clock.hpp"

#include <rdma/mlx5-abi.h>
#include <sys/mman.h>

#include <kdevx/prm/layout.hpp>

#include "base/page.hpp"

namespace kdevx::core {

namespace {

result<void> end_clock(slot &) noexcept {
    return {};
}

void drop_clock(slot &s) noexcept {
    for (void *page : {s.body<clock>().core_page, s.body<clock>().info_page})
        if (page) s.context->sys().munmap(page, cpu_page());
}

// A page that the kernel has for every context: command and index make the offset.
result<void *> map(context &c, mlx5_ib_mmap_cmd command, std::uint32_t index) {
    void *page = nullptr;
    std::uint64_t offset = (std::uint64_t(command) << 8 | index) * cpu_page();
    int err = c.sys().mmap(cpu_page(), PROT_READ, MAP_SHARED, c.file().fd, offset, &page);
    if (err == 0) return page;
    return fail(err == -ENOMEM ? KDEVX_CAUSE_LIMIT : KDEVX_CAUSE_OTHER, -err, "mmap");
}

result<void> map_core(context &c, clock &k) {
    const mlx5_ib_alloc_ucontext_resp &r = c.response();
    if (!(r.comp_mask & MLX5_IB_ALLOC_UCONTEXT_RESP_MASK_CORE_CLOCK_OFFSET)) return {};
    result<void *> page = map(c, MLX5_IB_MMAP_CORE_CLOCK, 0);
    if (!page) return page.failure();
    k.core_page = *page;
    k.core_offset = std::uint32_t(r.hca_core_clock_offset & (cpu_page() - 1));
    return {};
}

result<void> map_info(context &c, clock &k) {
    if (!(c.response().clock_info_versions & 1u << MLX5_IB_CLOCK_INFO_V1)) return {};
    result<void *> page = map(c, MLX5_IB_MMAP_CLOCK_INFO, MLX5_IB_CLOCK_INFO_V1);
    if (!page) return page.failure();
    k.info_page = *page;
    return {};
}

std::uint32_t word(const void *at) {
    return prm::to_from_be(*static_cast<const volatile std::uint32_t *>(at));
}

failure not_offered(const char *page) {
    return fail(KDEVX_CAUSE_NOT_SUPPORTED, EOPNOTSUPP, page);
}

} // namespace

const noun clock::noun{KDEVX_KIND_CLOCK, "clock", end_clock, drop_clock, nullptr};

result<kdevx_clock *> open_clock(context &c) noexcept {
    draft<clock> d(c);
    if (!d) return no_memory("clock");
    result<void> r = map_core(c, *d);
    if (r) r = map_info(c, *d);
    if (r && !d->core_page && !d->info_page) r = not_offered("clock");
    if (r) return d.publish();
    drop_clock(d.at());
    return r.failure();
}

// Two words: the upper one is read again, in case the lower one has just turned over.
result<std::uint64_t> read_clock(const clock &k) noexcept {
    if (!k.core_page) return not_offered("MLX5_IB_MMAP_CORE_CLOCK");
    const auto *at = static_cast<const std::byte *>(k.core_page) + k.core_offset;
    for (std::uint32_t high = word(at);;) {
        std::uint32_t low = word(at + 4), again = word(at);
        if (high == again) return std::uint64_t(high) << 32 | low;
        high = again;
    }
}

// The kernel makes `sign` odd while it writes and moves it on when it is done.
result<kdevx_clock_info> clock_info(const clock &k) noexcept {
    constexpr unsigned patience = 1u << 20;
    if (!k.info_page) return not_offered("MLX5_IB_MMAP_CLOCK_INFO");
    const auto &page = *static_cast<const mlx5_ib_clock_info *>(k.info_page);
    for (unsigned i = 0; i < patience; ++i) {
        std::uint32_t before = __atomic_load_n(&page.sign, __ATOMIC_ACQUIRE);
        if (before & MLX5_IB_CLOCK_INFO_KERNEL_UPDATING) continue;
        kdevx_clock_info now{sizeof now, page.nsec, page.cycles, page.frac,
                             page.mask,  page.mult, page.shift};
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&page.sign, __ATOMIC_RELAXED) == before) return now;
    }
    return fail(KDEVX_CAUSE_BUSY, EBUSY, "MLX5_IB_MMAP_CLOCK_INFO");
}

std::uint64_t to_ns(const kdevx_clock_info &i, std::uint64_t cycles) noexcept {
    std::uint64_t ahead = (cycles - i.last_cycles) & i.mask;
    if (ahead <= i.mask / 2) return i.nsec + ((ahead * i.mult + i.frac) >> i.shift);
    std::uint64_t behind = (i.last_cycles - cycles) & i.mask;
    return i.nsec - ((behind * i.mult - i.frac) >> i.shift);
}

} // namespace kdevx::core
