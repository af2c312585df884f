// SPDX-License-Identifier: MIT
#include "core/mr.hpp"

#include "core/ending.hpp"
#include "core/write_command.hpp"
#include "kabi/memory.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

bool mr_uses(const slot &holder, const slot &used) noexcept {
    const mr &m = holder.body<mr>();
    return m.pd == &used || m.dm == &used;
}

// What kernels agree on, said with the name of the argument.
result<void> check_region(const region &r) {
    constexpr std::uint32_t needs_local = KDEVX_MR_REMOTE_WRITE | KDEVX_MR_REMOTE_ATOMIC;
    if (!r.length) return invalid("length");
    if ((r.access & needs_local) && !(r.access & KDEVX_MR_LOCAL_WRITE))
        return invalid("access", r.access, KDEVX_MR_LOCAL_WRITE);
    return {};
}

draft<mr> begin(const pin<pd> &domain, const region &r) {
    draft<mr> d(domain.context());
    if (!d) return d;
    d->length = r.length;
    d->iova = r.iova;
    d->access = r.access;
    d->pd = &domain.at();
    return d;
}

} // namespace

const noun mr::noun{KDEVX_KIND_MR, "mr", end_by<kabi::mr::destroy, "UVERBS_ATTR_DESTROY_MR_HANDLE">,
                    nothing_to_drop, mr_uses};

result<kdevx_mr *> reg_mr(const pin<pd> &domain, void *address, const region &r) noexcept {
    if (!address) return invalid("address");
    if (result<void> ok = check_region(r); !ok) return ok.failure();
    auto start = std::uint64_t(reinterpret_cast<std::uintptr_t>(address));
    if (start + r.length < start) return invalid("length", r.length);
    draft<mr> d = begin(domain, r);
    if (!d) return no_memory("mr");
    ib_uverbs_reg_mr in{};
    in.start = start;
    in.length = r.length;
    in.hca_va = r.iova;
    in.pd_handle = domain.handle();
    in.access_flags = r.access;
    ib_uverbs_reg_mr_resp out{};
    result<void> done = write_command<"IB_USER_VERBS_CMD_REG_MR">(domain.file(), in, out);
    if (!done) return done.failure();
    d.handle() = out.mr_handle;
    d->lkey = out.lkey;
    d->rkey = out.rkey;
    d->address = address;
    return d.publish();
}

result<kdevx_mr *> reg_dmabuf_mr(const pin<pd> &domain, const dmabuf_range &from,
                                 const region &r) noexcept {
    if (from.fd < 0) return fail(KDEVX_CAUSE_INVALID, EBADF, "fd");
    if (result<void> ok = check_region(r); !ok) return ok.failure();
    draft<mr> d = begin(domain, r);
    if (!d) return no_memory("mr");
    auto fd = std::uint32_t(from.fd);
    result<void> done = invoke<kabi::mr::reg_dmabuf>(
        domain.file(), make<"UVERBS_ATTR_REG_DMABUF_MR_HANDLE">(d.handle()),
        use<"UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE">(domain.handle()),
        in_value<"UVERBS_ATTR_REG_DMABUF_MR_OFFSET">(from.offset),
        in_value<"UVERBS_ATTR_REG_DMABUF_MR_LENGTH">(r.length),
        in_value<"UVERBS_ATTR_REG_DMABUF_MR_IOVA">(r.iova),
        in_value<"UVERBS_ATTR_REG_DMABUF_MR_FD">(fd),
        flags<"UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS">(r.access),
        out_value<"UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY">(d->lkey),
        out_value<"UVERBS_ATTR_REG_DMABUF_MR_RESP_RKEY">(d->rkey),
        when(from.access != 0, flags<"MLX5_IB_ATTR_REG_DMABUF_MR_ACCESS_FLAGS">(from.access)));
    if (!done) return done.failure();
    return d.publish();
}

result<kdevx_mr *> reg_dm_mr(const pin<pd> &domain, const pin<dm> &memory, std::uint64_t offset,
                             const region &given) noexcept {
    if (&domain.context() != &memory.context()) return invalid("dm");
    region r = given;
    r.access |= KDEVX_MR_ZERO_BASED;
    if (result<void> ok = check_region(r); !ok) return ok.failure();
    draft<mr> d = begin(domain, r);
    if (!d) return no_memory("mr");
    result<void> done =
        invoke<kabi::mr::dm_reg>(domain.file(), make<"UVERBS_ATTR_REG_DM_MR_HANDLE">(d.handle()),
                                 in_value<"UVERBS_ATTR_REG_DM_MR_OFFSET">(offset),
                                 in_value<"UVERBS_ATTR_REG_DM_MR_LENGTH">(r.length),
                                 use<"UVERBS_ATTR_REG_DM_MR_PD_HANDLE">(domain.handle()),
                                 flags<"UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS">(r.access),
                                 use<"UVERBS_ATTR_REG_DM_MR_DM_HANDLE">(memory.handle()),
                                 out_value<"UVERBS_ATTR_REG_DM_MR_RESP_LKEY">(d->lkey),
                                 out_value<"UVERBS_ATTR_REG_DM_MR_RESP_RKEY">(d->rkey));
    if (!done) return done.failure();
    d->dm = &memory.at();
    return d.publish();
}

} // namespace kdevx::core
