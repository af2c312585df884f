// SPDX-License-Identifier: MIT
#include "core/dm.hpp"

#include <sys/mman.h>

#include "base/page.hpp"
#include "core/ending.hpp"
#include "kabi/memory.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

// MLX5_IB_MMAP_DEVICE_MEM with an index of 16 bits, of which the upper half stands above the
// command.
result<void *> map(const file &f, std::uint16_t page_index, std::uint64_t length) {
    std::uint64_t page_offset = std::uint64_t(page_index >> 8) << 16 |
                                std::uint64_t(MLX5_IB_MMAP_DEVICE_MEM) << 8 | (page_index & 0xff);
    void *address = nullptr;
    int err = f.sys->mmap(whole_pages(std::size_t(length)), PROT_READ | PROT_WRITE, MAP_SHARED,
                          f.fd, page_offset * cpu_page(), &address);
    if (err == 0) return address;
    return fail(err == -ENOMEM ? KDEVX_CAUSE_LIMIT : KDEVX_CAUSE_OTHER, -err, "mmap");
}

constexpr auto end_dm = end_by<kabi::dm::free, "UVERBS_ATTR_FREE_DM_HANDLE">;

void drop_dm(slot &s) noexcept {
    dm &d = s.body<dm>();
    const sys &sys = s.context->sys();
    if (d.page) sys.munmap(d.page, whole_pages(std::size_t(d.length)));
    for (std::size_t i = 0; i < d.op_count; ++i)
        sys.munmap(d.ops[i].page, whole_pages(std::size_t(d.length)));
    d.lock().~mutex();
}

void *address_of_op(const dm_op &o) {
    return static_cast<std::byte *>(o.page) + o.offset;
}

result<dm_op> make_op(const file &f, std::uint32_t handle, std::uint64_t length, std::uint8_t op) {
    std::uint64_t start = 0;
    std::uint16_t page_index = 0;
    result<void> r = invoke<kabi::dm::map_op_addr>(
        f, use<"MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_HANDLE">(handle),
        in_value<"MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_OP">(op),
        out_value<"MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_START_OFFSET">(start),
        out_value<"MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_PAGE_INDEX">(page_index));
    if (!r) return r.failure();
    result<void *> page = map(f, page_index, length);
    if (!page) return page.failure();
    return dm_op{*page, std::uint32_t(start), op};
}

} // namespace

const noun dm::noun{KDEVX_KIND_DM, "dm", end_dm, drop_dm, nullptr};

void *address_of(const dm &d) noexcept {
    return d.page ? static_cast<std::byte *>(d.page) + d.start_offset : nullptr;
}

result<kdevx_dm *> alloc_dm(context &c, std::uint32_t type, std::uint64_t length,
                            std::uint32_t log_align) noexcept {
    if (type > KDEVX_DM_ENCAP_SW_ICM) return invalid("type", type, KDEVX_DM_ENCAP_SW_ICM);
    if (!length) return invalid("length");
    draft<dm> d(c);
    if (!d) return no_memory("dm");
    bool memic = type == KDEVX_DM_MEMIC;
    result<void> r = invoke<kabi::dm::alloc>(
        c.file(), make<"UVERBS_ATTR_ALLOC_DM_HANDLE">(d.handle()),
        in_value<"UVERBS_ATTR_ALLOC_DM_LENGTH">(length),
        in_value<"UVERBS_ATTR_ALLOC_DM_ALIGNMENT">(log_align),
        out_value<"MLX5_IB_ATTR_ALLOC_DM_RESP_START_OFFSET">(d->start_offset),
        when(memic, out_value<"MLX5_IB_ATTR_ALLOC_DM_RESP_PAGE_INDEX">(d->page_index)),
        when(!memic, constant<"MLX5_IB_ATTR_ALLOC_DM_REQ_TYPE">(type)));
    if (!r) return r.failure();
    d->type = std::uint8_t(type);
    d->length = length;
    if (memic) {
        result<void *> page = map(c.file(), d->page_index, length);
        if (!page) return (void)end_dm(d.at()), page.failure();
        d->page = *page;
    }
    new (d->lock_space) mutex;
    return d.publish();
}

result<void *> map_op(const pin<dm> &memory, std::uint8_t op) noexcept {
    dm &d = *memory;
    locked l(d.lock());
    for (std::size_t i = 0; i < d.op_count; ++i)
        if (d.ops[i].op == op) return address_of_op(d.ops[i]);
    if (d.op_count == KDEVX_MAX_DM_OPS)
        return fail(KDEVX_CAUSE_LIMIT, EMFILE, "op", op, KDEVX_MAX_DM_OPS);
    result<dm_op> made = make_op(memory.file(), memory.handle(), d.length, op);
    if (!made) return made.failure();
    return address_of_op(d.ops[d.op_count++] = *made);
}

result<void *> map_op(const file &f, std::uint32_t handle, std::uint8_t op) noexcept {
    std::uint64_t start = 0, length = 0;
    std::uint16_t page_index = 0;
    result<void> r =
        invoke<kabi::dm::query>(f, use<"MLX5_IB_ATTR_QUERY_DM_REQ_HANDLE">(handle),
                                out_value<"MLX5_IB_ATTR_QUERY_DM_RESP_START_OFFSET">(start),
                                out_value<"MLX5_IB_ATTR_QUERY_DM_RESP_PAGE_INDEX">(page_index),
                                out_value<"MLX5_IB_ATTR_QUERY_DM_RESP_LENGTH">(length));
    if (!r) return r.failure();
    result<dm_op> made = make_op(f, handle, length, op);
    if (!made) return made.failure();
    return address_of_op(*made);
}

} // namespace kdevx::core
