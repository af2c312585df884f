// SPDX-License-Identifier: MIT
#include "core/wq.hpp"

#include "base/options.hpp"
#include "core/ending.hpp"
#include "core/maybe.hpp"
#include "core/qp_size.hpp"
#include "core/write_command.hpp"
#include "kabi/verbs.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

constexpr auto end_wq = end_with_events<kabi::wq::destroy, "UVERBS_ATTR_DESTROY_WQ_HANDLE",
                                        "UVERBS_ATTR_DESTROY_WQ_RESP", std::uint32_t>;

void drop_wq(slot &s) noexcept {
    give_back(*s.context, s.body<wq>().memory);
}

bool wq_uses(const slot &holder, const slot &used) noexcept {
    const wq &q = holder.body<wq>();
    return q.pd == &used || q.cq == &used;
}

result<kdevx_wq_options> options_of(const kdevx_wq_options *given) {
    constexpr std::uint32_t known = KDEVX_WQ_CVLAN_STRIPPING | KDEVX_WQ_SCATTER_FCS |
                                    KDEVX_WQ_DELAY_DROP | KDEVX_WQ_PCI_WRITE_END_PADDING;
    result<kdevx_wq_options> o = read_options(given, "options");
    if (!o) return o;
    if (!o->cq) return invalid("cq");
    if (o->flags & ~known) return invalid("flags", o->flags, known);
    if (o->wq_signature > 1) return invalid("wq_signature", o->wq_signature, 1);
    if (o->striding > 1) return invalid("striding", o->striding, 1);
    if (!o->max_wr && !o->rq_wqe_count) return invalid("max_wr");
    return o;
}

result<receive_size> size_of(const kdevx_wq_options &o, const mlx5_ib_alloc_ucontext_resp &r) {
    if (o.rq_wqe_count) return check({o.rq_wqe_count, o.rq_wqe_shift});
    qp_limits most{0, r.max_rq_desc_sz, 0, r.max_recv_wr};
    return receive_size_of({o.max_wr, o.max_sge, bool(o.wq_signature), "max_wr", "max_sge"}, most);
}

mlx5_ib_create_wq driver_request(const wq &q, const kdevx_wq_options &o) {
    mlx5_ib_create_wq w{};
    w.buf_addr = address_of(q.memory.buffers[0].address);
    w.db_addr = address_of(q.memory.dbrec);
    w.rq_wqe_count = q.wqe_count;
    w.rq_wqe_shift = q.wqe_shift;
    w.user_index = o.user_index;
    w.flags = o.wq_signature ? MLX5_WQ_FLAG_SIGNATURE : 0;
    if (!o.striding) return w;
    w.comp_mask = MLX5_IB_CREATE_WQ_STRIDING_RQ;
    w.single_stride_log_num_of_bytes = o.single_stride_log_num_of_bytes;
    w.single_wqe_log_num_of_strides = o.single_wqe_log_num_of_strides;
    w.two_byte_shift_en = o.two_byte_shift_en;
    return w;
}

result<void> create(const pin<pd> &domain, draft<wq> &d, const kdevx_wq_options &o,
                    const maybe<cq> &completions, const maybe<async_fd> &async) {
    constexpr std::uint64_t receive_queue = 0; // IB_UVERBS_WQT_RQ
    std::uint32_t max_wr = 0, max_sge = 0, asked_wr = o.max_wr ? o.max_wr : o.rq_wqe_count;
    mlx5_ib_create_wq request = driver_request(*d, o);
    mlx5_ib_create_wq_resp response{};
    return invoke<kabi::wq::create>(
        domain.file(), make<"UVERBS_ATTR_CREATE_WQ_HANDLE">(d.handle()),
        use<"UVERBS_ATTR_CREATE_WQ_PD_HANDLE">(domain.handle()),
        use<"UVERBS_ATTR_CREATE_WQ_CQ_HANDLE">(completions.handle()),
        in_value<"UVERBS_ATTR_CREATE_WQ_USER_HANDLE">(o.user_handle),
        constant<"UVERBS_ATTR_CREATE_WQ_TYPE">(receive_queue),
        when(bool(async), use_fd<"UVERBS_ATTR_CREATE_WQ_EVENT_FD">(fd_of(async))),
        in_value<"UVERBS_ATTR_CREATE_WQ_MAX_WR">(asked_wr),
        in_value<"UVERBS_ATTR_CREATE_WQ_MAX_SGE">(o.max_sge),
        flags<"UVERBS_ATTR_CREATE_WQ_FLAGS">(o.flags),
        out_value<"UVERBS_ATTR_CREATE_WQ_RESP_MAX_WR">(max_wr),
        out_value<"UVERBS_ATTR_CREATE_WQ_RESP_MAX_SGE">(max_sge),
        out_value<"UVERBS_ATTR_CREATE_WQ_RESP_WQ_NUM">(d->rqn),
        in_value<"UVERBS_ATTR_UHW_IN">(request), out_value<"UVERBS_ATTR_UHW_OUT">(response));
}

} // namespace

const noun wq::noun{KDEVX_KIND_WQ, "wq", end_wq, drop_wq, wq_uses};

result<kdevx_wq *> create_wq(const pin<pd> &domain, const kdevx_wq_options *given) noexcept {
    context &c = domain.context();
    result<kdevx_wq_options> o = options_of(given);
    if (!o) return o.failure();
    maybe<cq> completions(o->cq, c, "cq");
    maybe<async_fd> async(o->async, c, "async");
    if (const failure *f = first_failed(completions, async)) return *f;
    result<receive_size> size = size_of(*o, c.response());
    if (!size) return size.failure();
    draft<wq> d(c);
    if (!d) return no_memory("wq");
    d->wqe_count = size->count;
    d->wqe_shift = size->shift;
    queue_setup setup(c, d->memory);
    result<void> r = setup.buffer(o->buffer, std::uint64_t(size->count) << size->shift);
    if (r) r = setup.dbrec(o->dbrec);
    // No kernel takes these as dmabufs.
    if (r && setup.buffer_dmabuf().length) r = invalid("buffer.kind", KDEVX_BUFFER_DMABUF);
    if (r && setup.dbrec_dmabuf().length) r = invalid("dbrec.kind", KDEVX_BUFFER_DMABUF);
    if (r) r = create(domain, d, *o, completions, async);
    if (!r) return r.failure();
    d->pd = &domain.at();
    d->cq = completions.at();
    setup.keep();
    return d.publish();
}

result<void> modify_wq(const pin<wq> &q, const kdevx_wq_attr &attr, std::uint32_t mask) noexcept {
    constexpr std::uint32_t known = KDEVX_WQ_STATE | KDEVX_WQ_CUR_STATE | KDEVX_WQ_FLAGS;
    if (!mask || mask & ~known) return invalid("attr_mask", mask, known);
    ib_uverbs_ex_modify_wq in{};
    in.attr_mask = mask;
    in.wq_handle = q.handle();
    in.wq_state = attr.state;
    in.curr_wq_state = attr.cur_state;
    in.flags = attr.flags;
    in.flags_mask = attr.flags_mask;
    mlx5_ib_modify_wq driver_in{}; // the driver wants to see it, empty as it is
    return write_command<"IB_USER_VERBS_EX_CMD_MODIFY_WQ">(q.file(), in, bytes_of(driver_in));
}

} // namespace kdevx::core
