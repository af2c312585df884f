// SPDX-License-Identifier: MIT
#include "core/srq.hpp"

#include <algorithm>
#include <bit>

#include "base/options.hpp"
#include "core/ending.hpp"
#include "core/maybe.hpp"
#include "core/write_command.hpp"
#include "kabi/verbs.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

constexpr auto end_srq =
    unless_ringed<srq, end_with_events<kabi::srq::destroy, "UVERBS_ATTR_DESTROY_SRQ_HANDLE",
                                       "UVERBS_ATTR_DESTROY_SRQ_RESP", ib_uverbs_destroy_srq_resp>>;

void drop_srq(slot &s) noexcept {
    give_back(*s.context, s.body<srq>().memory);
}

bool srq_uses(const slot &holder, const slot &used) noexcept {
    const srq &q = holder.body<srq>();
    return q.pd == &used || q.cq == &used || q.xrcd == &used;
}

// Which objects go with which type.
result<kdevx_srq_options> options_of(const kdevx_srq_options *given) {
    result<kdevx_srq_options> o = read_options(given, "options");
    if (!o) return o;
    if (o->type > KDEVX_SRQ_TM) return invalid("type", o->type, KDEVX_SRQ_TM);
    if (!o->max_wr) return invalid("max_wr");
    if (o->wq_signature > 1) return invalid("wq_signature", o->wq_signature, 1);
    if ((o->type == KDEVX_SRQ_XRC) != bool(o->xrcd)) return invalid("xrcd");
    if ((o->type != KDEVX_SRQ_BASIC) != bool(o->cq)) return invalid("cq");
    if ((o->type == KDEVX_SRQ_TM) != bool(o->max_num_tags))
        return invalid("max_num_tags", o->max_num_tags);
    return o;
}

// The kernel's own arithmetic: an entry links to the next one by its first segment, and one entry
// always stays unused.
result<void> settle_size(srq &q, const kdevx_srq_options &o,
                         const mlx5_ib_alloc_ucontext_resp &most) {
    constexpr std::uint64_t segment_size = 16, least_entry = 32;
    if (o.max_wr > most.max_srq_recv_wr) return invalid("max_wr", o.max_wr, most.max_srq_recv_wr);
    std::uint64_t entry = segment_size + std::uint64_t(o.max_sge) * segment_size;
    if (entry - segment_size > most.max_rq_desc_sz)
        return invalid("max_sge", o.max_sge, most.max_rq_desc_sz / segment_size);
    entry = std::max(std::bit_ceil(entry), least_entry);
    q.wqe_count = std::bit_ceil(o.max_wr + 1);
    q.wqe_shift = std::uint8_t(std::countr_zero(entry));
    q.max_sge = std::uint32_t(entry / segment_size - 1);
    return {};
}

mlx5_ib_create_srq driver_request(const srq &q, const kdevx_srq_options &o) {
    mlx5_ib_create_srq w{};
    w.buf_addr = address_of(q.memory.buffers[0].address);
    w.db_addr = address_of(q.memory.dbrec);
    w.flags = o.wq_signature ? MLX5_SRQ_FLAG_SIGNATURE : 0;
    w.uidx = o.type == KDEVX_SRQ_BASIC ? 0 : o.user_index;
    return w;
}

struct srq_company {
    maybe<xrcd> xrc;
    maybe<cq> completions;
    maybe<async_fd> async;

    srq_company(context &c, const kdevx_srq_options &o)
        : xrc(o.xrcd, c, "xrcd"), completions(o.cq, c, "cq"), async(o.async, c, "async") {}
};

result<void> create(const pin<pd> &domain, draft<srq> &d, const kdevx_srq_options &o,
                    const queue_setup &setup, const srq_company &with) {
    std::uint32_t max_wr = 0, max_sge = 0, xrc_number = 0;
    mlx5_ib_create_srq request = driver_request(*d, o);
    mlx5_ib_create_srq_resp response{};
    const buffer_desc &buffer = setup.buffer_dmabuf(), &dbrec = setup.dbrec_dmabuf();
    result<void> r = invoke<kabi::srq::create>(
        domain.file(), make<"UVERBS_ATTR_CREATE_SRQ_HANDLE">(d.handle()),
        use<"UVERBS_ATTR_CREATE_SRQ_PD_HANDLE">(domain.handle()),
        when(bool(with.xrc), use<"UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE">(with.xrc.handle())),
        when(bool(with.completions),
             use<"UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE">(with.completions.handle())),
        in_value<"UVERBS_ATTR_CREATE_SRQ_USER_HANDLE">(o.user_handle),
        in_value<"UVERBS_ATTR_CREATE_SRQ_MAX_WR">(o.max_wr),
        in_value<"UVERBS_ATTR_CREATE_SRQ_MAX_SGE">(o.max_sge),
        in_value<"UVERBS_ATTR_CREATE_SRQ_LIMIT">(o.limit),
        when(o.max_num_tags != 0, in_value<"UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS">(o.max_num_tags)),
        constant<"UVERBS_ATTR_CREATE_SRQ_TYPE">(o.type),
        when(bool(with.async), use_fd<"UVERBS_ATTR_CREATE_SRQ_EVENT_FD">(fd_of(with.async))),
        out_value<"UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR">(max_wr),
        out_value<"UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE">(max_sge),
        // Optional by the kernel's table, yet an XRC SRQ is destroyed again without it.
        when(bool(with.xrc), out_value<"UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM">(xrc_number)),
        when(buffer.length != 0, in_value<"UVERBS_ATTR_CREATE_SRQ_BUF_UMEM">(buffer)),
        in_value<"UVERBS_ATTR_UHW_IN">(request), out_value<"UVERBS_ATTR_UHW_OUT">(response),
        when(dbrec.length != 0, in_value<"MLX5_IB_ATTR_CREATE_SRQ_DBR_BUF_UMEM">(dbrec)));
    d->srqn = response.srqn;
    return r;
}

} // namespace

const noun srq::noun{KDEVX_KIND_SRQ, "srq", end_srq, drop_srq, srq_uses};

result<kdevx_srq *> create_srq(const pin<pd> &domain, const kdevx_srq_options *given) noexcept {
    context &c = domain.context();
    result<kdevx_srq_options> o = options_of(given);
    if (!o) return o.failure();
    srq_company with(c, *o);
    if (const failure *f = first_failed(with.xrc, with.completions, with.async)) return *f;
    draft<srq> d(c);
    if (!d) return no_memory("srq");
    queue_setup setup(c, d->memory);
    result<void> r = settle_size(*d, *o, c.response());
    if (r) r = setup.buffer(o->buffer, std::uint64_t(d->wqe_count) << d->wqe_shift);
    if (r) r = setup.dbrec(o->dbrec);
    if (r) r = create(domain, d, *o, setup, with);
    if (!r) return r.failure();
    d->type = std::uint8_t(o->type);
    d->user_index = o->user_index;
    d->pd = &domain.at();
    d->cq = with.completions.at();
    d->xrcd = with.xrc.at();
    setup.keep();
    return d.publish();
}

result<void> set_limit(const pin<srq> &q, std::uint32_t limit) noexcept {
    constexpr std::uint32_t srq_limit = 1 << 1; // IB_SRQ_LIMIT
    if (limit >= q->wqe_count) return invalid("limit", limit, q->wqe_count);
    ib_uverbs_modify_srq in{};
    in.srq_handle = q.handle();
    in.attr_mask = srq_limit;
    in.srq_limit = limit;
    return write_command<"IB_USER_VERBS_CMD_MODIFY_SRQ">(q.file(), in);
}

result<kdevx_srq_attr> query_srq(const pin<srq> &q) noexcept {
    ib_uverbs_query_srq in{};
    in.srq_handle = q.handle();
    ib_uverbs_query_srq_resp out{};
    result<void> r = write_command<"IB_USER_VERBS_CMD_QUERY_SRQ">(q.file(), in, out);
    if (!r) return r.failure();
    return kdevx_srq_attr{out.max_wr, out.max_sge, out.srq_limit};
}

} // namespace kdevx::core
