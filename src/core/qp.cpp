// SPDX-License-Identifier: MIT
#include "core/qp.hpp"

#include <cstring>

#include "base/options.hpp"
#include "core/ending.hpp"
#include "core/maybe.hpp"
#include "core/write_command.hpp"
#include "kabi/verbs.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

constexpr auto end_qp =
    unless_ringed<qp, end_with_events<kabi::qp::destroy, "UVERBS_ATTR_DESTROY_QP_HANDLE",
                                      "UVERBS_ATTR_DESTROY_QP_RESP", ib_uverbs_destroy_qp_resp>>;

void drop_qp(slot &s) noexcept {
    give_back(*s.context, s.body<qp>().memory);
}

bool qp_uses(const slot &holder, const slot &used) noexcept {
    const qp &q = holder.body<qp>();
    const slot *const all[] = {q.pd,   q.send_cq,   q.recv_cq,   q.srq,
                               q.xrcd, q.ind_table, q.memory.uar};
    for (const slot *s : all)
        if (s == &used) return true;
    return false;
}

constexpr std::uint32_t cross_channel =
    KDEVX_QP_CROSS_CHANNEL | KDEVX_QP_MANAGED_SEND | KDEVX_QP_MANAGED_RECV;
constexpr std::uint32_t create_flags = KDEVX_QP_BLOCK_MULTICAST_LOOPBACK | cross_channel |
                                       KDEVX_QP_SCATTER_FCS | KDEVX_QP_CVLAN_STRIPPING |
                                       KDEVX_QP_PCI_WRITE_END_PADDING | KDEVX_QP_SQ_SIG_ALL;
constexpr std::uint32_t qp_driver_flags =
    KDEVX_QP_SIGNATURE | KDEVX_QP_SCATTER_CQE | KDEVX_QP_TUNNEL_OFFLOADS |
    KDEVX_QP_TIR_ALLOW_SELF_LB_UC | KDEVX_QP_TIR_ALLOW_SELF_LB_MC | KDEVX_QP_ALLOW_SCATTER_CQE |
    KDEVX_QP_PACKET_BASED_CREDIT_MODE | KDEVX_QP_DCI_STREAM;
constexpr std::uint32_t widest_user_index = 0xfffffe;

bool is_known(std::uint32_t type) {
    switch (type) {
    case KDEVX_QP_RC:
    case KDEVX_QP_UC:
    case KDEVX_QP_UD:
    case KDEVX_QP_RAW_PACKET:
    case KDEVX_QP_XRC_INI:
    case KDEVX_QP_XRC_TGT:
    case KDEVX_QP_DCT:
    case KDEVX_QP_DCI:
        return true;
    }
    return false;
}

std::uint32_t kernel_type(std::uint32_t type) {
    bool drivers = type == KDEVX_QP_DCT || type == KDEVX_QP_DCI;
    return drivers ? std::uint32_t(IB_UVERBS_QPT_DRIVER) : type;
}

// Which objects a type must have, may have, must not have: by the kernel's checks, said with the
// name of the option.
enum class part : std::uint8_t { no, may, must };
struct company_rule {
    std::uint32_t type;
    bool rss;
    part send_cq, recv_cq, srq, xrcd;
};
constexpr company_rule rules[] = {
    {KDEVX_QP_RC, false, part::must, part::must, part::may, part::no},
    {KDEVX_QP_UC, false, part::must, part::must, part::may, part::no},
    {KDEVX_QP_UD, false, part::must, part::must, part::may, part::no},
    {KDEVX_QP_RAW_PACKET, false, part::must, part::must, part::may, part::no},
    {KDEVX_QP_RAW_PACKET, true, part::no, part::no, part::no, part::no},
    {KDEVX_QP_XRC_INI, false, part::must, part::no, part::no, part::no},
    {KDEVX_QP_XRC_TGT, false, part::no, part::no, part::may, part::must},
    {KDEVX_QP_DCT, false, part::may, part::must, part::must, part::no},
    {KDEVX_QP_DCI, false, part::must, part::must, part::may, part::no},
};

bool obeys(part rule, const void *given) {
    return rule == part::may || (rule == part::must) == bool(given);
}

result<void> check_company(const kdevx_qp_options &o) {
    for (const company_rule &r : rules) {
        if (r.type != o.type || r.rss != bool(o.ind_table)) continue;
        if (!obeys(r.send_cq, o.send_cq)) return invalid("send_cq");
        if (!obeys(r.recv_cq, o.recv_cq)) return invalid("recv_cq");
        if (!obeys(r.srq, o.srq)) return invalid("srq");
        if (!obeys(r.xrcd, o.xrcd)) return invalid("xrcd");
        return {};
    }
    return invalid("ind_table", o.type, KDEVX_QP_RAW_PACKET);
}

result<void> check_flags(const kdevx_qp_options &o) {
    if (o.create_flags & ~create_flags)
        return invalid("create_flags", o.create_flags, create_flags);
    if (o.driver_flags & ~qp_driver_flags)
        return invalid("driver_flags", o.driver_flags, qp_driver_flags);
    if (o.user_index > widest_user_index)
        return invalid("user_index", o.user_index, widest_user_index);
    // The old command has no room for it.
    if ((o.create_flags & cross_channel) && o.async) return invalid("async");
    return {};
}

result<kdevx_qp_options> options_of(const kdevx_qp_options *given, bool has_pd) {
    result<kdevx_qp_options> o = read_options(given, "options");
    if (!o) return o;
    if (!is_known(o->type)) return invalid("type", o->type);
    if ((o->type == KDEVX_QP_XRC_TGT) == has_pd) return invalid("type", o->type, KDEVX_QP_XRC_TGT);
    if (result<void> r = check_flags(*o); !r) return r.failure();
    if (result<void> r = check_company(*o); !r) return r.failure();
    if (o->ind_table && o->rss.rx_key_len > sizeof mlx5_ib_create_qp_rss{}.rx_hash_key)
        return invalid("rss.rx_key_len", o->rss.rx_key_len);
    if (o->ind_table && o->rss.rx_key_len && !o->rss.rx_hash_key) return invalid("rss.rx_hash_key");
    return o;
}

struct qp_company {
    maybe<cq> send_cq, recv_cq;
    maybe<core::srq> srq;
    maybe<core::xrcd> xrcd;
    maybe<core::ind_table> ind_table;
    maybe<async_fd> async;
    maybe<core::uar> uar;

    qp_company(context &c, const kdevx_qp_options &o)
        : send_cq(o.send_cq, c, "send_cq"), recv_cq(o.recv_cq, c, "recv_cq"), srq(o.srq, c, "srq"),
          xrcd(o.xrcd, c, "xrcd"), ind_table(o.ind_table, c, "ind_table"),
          async(o.async, c, "async"), uar(o.uar, c, "uar") {}
    const failure *failed() const {
        return first_failed(send_cq, recv_cq, srq, xrcd, ind_table, async, uar);
    }
    // The kernel wants a DCT to have a send CQ, and does nothing with it.
    const maybe<cq> &first_cq() const { return send_cq ? send_cq : recv_cq; }
};

// ---- what the driver is told -------------------------------------------------------------------

std::uint32_t flags_of(const kdevx_qp_options &o, bool has_page) {
    std::uint32_t f = o.driver_flags;
    if (o.type == KDEVX_QP_DCT) f |= MLX5_QP_FLAG_TYPE_DCT;
    if (o.type == KDEVX_QP_DCI) f |= MLX5_QP_FLAG_TYPE_DCI;
    if (has_page) f |= MLX5_QP_FLAG_UAR_PAGE_INDEX;
    return f;
}

mlx5_ib_create_qp driver_request(const qp &q, const kdevx_qp_options &o) {
    mlx5_ib_create_qp w{};
    w.buf_addr = address_of(q.memory.buffers[0].address);
    w.db_addr = address_of(q.memory.dbrec);
    w.sq_wqe_count = q.size.sq_wqe_count;
    w.rq_wqe_count = q.size.rq_wqe_count;
    w.rq_wqe_shift = q.size.rq_wqe_shift;
    w.flags = flags_of(o, q.memory.uar_base);
    w.uidx = o.user_index;
    w.bfreg_index = q.memory.uar_page_id;
    if (o.type == KDEVX_QP_DCT)
        w.access_key = o.dc_access_key;
    else
        w.sq_buf_addr = address_of(q.memory.buffers[1].address);
    w.ece_options = o.ece_options;
    w.dci_streams.log_num_concurent = o.dci_log_streams;
    w.dci_streams.log_num_errored = o.dci_log_errored_streams;
    return w;
}

mlx5_ib_create_qp_rss driver_rss_request(const kdevx_qp_options &o) {
    mlx5_ib_create_qp_rss w{};
    w.rx_hash_fields_mask = o.rss.rx_hash_fields_mask;
    w.rx_hash_function = o.rss.rx_hash_function;
    w.rx_key_len = o.rss.rx_key_len;
    if (o.rss.rx_key_len) std::memcpy(w.rx_hash_key, o.rss.rx_hash_key, o.rss.rx_key_len);
    w.flags = o.driver_flags;
    return w;
}

// Either of the two.
class driver_data {
    mlx5_ib_create_qp plain_{};
    mlx5_ib_create_qp_rss rss_{};
    bool is_rss_;

public:
    driver_data(const qp &q, const kdevx_qp_options &o)
        : plain_(driver_request(q, o)), is_rss_(o.ind_table) {
        if (is_rss_) rss_ = driver_rss_request(o);
    }
    const_bytes bytes() const { return is_rss_ ? bytes_of(rss_) : bytes_of(plain_); }
};

// ---- the two ways to ask for one ---------------------------------------------------------------

ib_uverbs_qp_cap cap_of(const kdevx_qp_options &o, const qp_size &s) {
    ib_uverbs_qp_cap cap{};
    cap.max_send_wr = o.max_send_wr ? o.max_send_wr : s.sq_wqe_count;
    cap.max_recv_wr = o.max_recv_wr ? o.max_recv_wr : s.rq_wqe_count;
    cap.max_send_sge = o.max_send_sge;
    cap.max_recv_sge = s.rq_wqe_count ? o.max_recv_sge : 0;
    cap.max_inline_data = o.max_inline_data;
    return cap;
}

result<void> create(context &c, const pin<pd> *domain, draft<qp> &d, const kdevx_qp_options &o,
                    const queue_setup &setup, const qp_company &with,
                    mlx5_ib_create_qp_resp &resp) {
    ib_uverbs_qp_cap cap = cap_of(o, d->size), granted{};
    driver_data driver(*d, o);
    bool cqs = o.type != KDEVX_QP_XRC_TGT && !o.ind_table;
    const buffer_desc &buffer = setup.buffer_dmabuf(), &sq = setup.sq_dmabuf(),
                      &dbrec = setup.dbrec_dmabuf();
    bool raw = o.type == KDEVX_QP_RAW_PACKET;
    return invoke<kabi::qp::create>(
        c.file(), make<"UVERBS_ATTR_CREATE_QP_HANDLE">(d.handle()),
        when(bool(with.xrcd), use<"UVERBS_ATTR_CREATE_QP_XRCD_HANDLE">(with.xrcd.handle())),
        when(domain, use<"UVERBS_ATTR_CREATE_QP_PD_HANDLE">(domain ? domain->handle() : 0)),
        when(bool(with.srq), use<"UVERBS_ATTR_CREATE_QP_SRQ_HANDLE">(with.srq.handle())),
        when(cqs, use<"UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE">(with.first_cq().handle())),
        when(bool(with.recv_cq),
             use<"UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE">(with.recv_cq.handle())),
        when(bool(with.ind_table),
             use<"UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE">(with.ind_table.handle())),
        in_value<"UVERBS_ATTR_CREATE_QP_USER_HANDLE">(o.user_handle),
        in_value<"UVERBS_ATTR_CREATE_QP_CAP">(cap),
        constant<"UVERBS_ATTR_CREATE_QP_TYPE">(kernel_type(o.type)),
        when(o.create_flags != 0, flags<"UVERBS_ATTR_CREATE_QP_FLAGS">(o.create_flags)),
        when(o.source_qpn != 0, in_value<"UVERBS_ATTR_CREATE_QP_SOURCE_QPN">(o.source_qpn)),
        when(bool(with.async), use_fd<"UVERBS_ATTR_CREATE_QP_EVENT_FD">(fd_of(with.async))),
        out_value<"UVERBS_ATTR_CREATE_QP_RESP_CAP">(granted),
        out_value<"UVERBS_ATTR_CREATE_QP_RESP_QP_NUM">(d->qpn),
        when(buffer.length && !raw, in_value<"UVERBS_ATTR_CREATE_QP_BUF_UMEM">(buffer)),
        when(buffer.length && raw, in_value<"UVERBS_ATTR_CREATE_QP_RQ_BUF_UMEM">(buffer)),
        when(sq.length != 0, in_value<"UVERBS_ATTR_CREATE_QP_SQ_BUF_UMEM">(sq)),
        in<"UVERBS_ATTR_UHW_IN">(driver.bytes()), out_value<"UVERBS_ATTR_UHW_OUT">(resp),
        when(dbrec.length != 0, in_value<"MLX5_IB_ATTR_CREATE_QP_DBR_BUF_UMEM">(dbrec)));
}

constexpr std::uint32_t source_qpn_flag = 1 << 10; // IB_QP_CREATE_SOURCE_QPN, old command only

// The method does not know the cross-channel flags, the old command does.
result<void> create_by_command(context &c, const pin<pd> *domain, draft<qp> &d,
                               const kdevx_qp_options &o, const qp_company &with,
                               mlx5_ib_create_qp_resp &resp) {
    ib_uverbs_qp_cap cap = cap_of(o, d->size);
    ib_uverbs_ex_create_qp in{};
    in.user_handle = o.user_handle;
    in.pd_handle = domain ? domain->handle() : with.xrcd.handle();
    in.send_cq_handle = with.first_cq().handle();
    in.recv_cq_handle = with.recv_cq.handle();
    in.srq_handle = with.srq.handle();
    in.is_srq = bool(with.srq);
    in.max_send_wr = cap.max_send_wr;
    in.max_recv_wr = cap.max_recv_wr;
    in.max_send_sge = cap.max_send_sge;
    in.max_recv_sge = cap.max_recv_sge;
    in.max_inline_data = cap.max_inline_data;
    in.sq_sig_all = bool(o.create_flags & KDEVX_QP_SQ_SIG_ALL);
    in.qp_type = std::uint8_t(kernel_type(o.type));
    in.create_flags = o.create_flags & ~std::uint32_t(KDEVX_QP_SQ_SIG_ALL);
    if (o.source_qpn) in.create_flags |= source_qpn_flag;
    in.source_qpn = o.source_qpn;
    driver_data driver(*d, o);
    ib_uverbs_ex_create_qp_resp out{};
    result<void> r = write_command<"IB_USER_VERBS_EX_CMD_CREATE_QP">(
        c.file(), in, out, driver.bytes(), bytes_of(resp));
    if (!r) return r;
    d.handle() = out.base.qp_handle;
    d->qpn = out.base.qpn;
    return r;
}

// ---- the whole ---------------------------------------------------------------------------------

bool has_no_queues(const kdevx_qp_options &o) {
    return o.type == KDEVX_QP_XRC_TGT || o.type == KDEVX_QP_DCT || o.ind_table;
}

result<void> collect_memory(qp &q, const kdevx_qp_options &o, queue_setup &setup,
                            const qp_company &with) {
    if (has_no_queues(o)) return {};
    bool raw = o.type == KDEVX_QP_RAW_PACKET || o.source_qpn;
    std::uint64_t rq = q.size.rq_bytes(), sq = q.size.sq_bytes();
    result<void> r = setup.buffer(o.buffer, raw ? rq : rq + sq);
    if (r && raw) r = setup.sq_buffer(o.sq_buffer, sq);
    if (r) r = setup.dbrec(o.dbrec);
    if (r) r = setup.uar(with.uar.get());
    bool dmabuf =
        setup.buffer_dmabuf().length || setup.sq_dmabuf().length || setup.dbrec_dmabuf().length;
    if (r && dmabuf && (o.create_flags & cross_channel))
        return invalid("buffer.kind", KDEVX_BUFFER_DMABUF);
    return r;
}

// The numbers that the driver tells, as far as it says that it does.
void note_ids(qp &q, const kdevx_qp_options &o, const mlx5_ib_create_qp_resp &r) {
    struct told {
        std::uint32_t mask;
        std::uint8_t id;
    };
    constexpr told all[] = {
        {MLX5_IB_CREATE_QP_RESP_MASK_TIRN, KDEVX_QP_HAS_TIRN},
        {MLX5_IB_CREATE_QP_RESP_MASK_TISN, KDEVX_QP_HAS_TISN},
        {MLX5_IB_CREATE_QP_RESP_MASK_RQN, KDEVX_QP_HAS_RQN},
        {MLX5_IB_CREATE_QP_RESP_MASK_SQN, KDEVX_QP_HAS_SQN},
        {MLX5_IB_CREATE_QP_RESP_MASK_TIR_ICM_ADDR, KDEVX_QP_HAS_TIR_ICM_ADDR},
    };
    // An underlay QP is made of queues, as a raw packet QP is.
    bool has_qpn = o.type != KDEVX_QP_DCT && !q.is_raw_packet() && !o.source_qpn;
    std::uint8_t ids = has_qpn ? KDEVX_QP_HAS_QPN : 0;
    for (const told &t : all)
        if (r.comp_mask & t.mask) ids |= t.id;
    q.ids = ids;
    q.tirn = r.tirn;
    q.tisn = r.tisn;
    q.rqn = r.rqn;
    q.sqn = r.sqn;
    q.tir_icm_addr = r.tir_icm_addr;
    q.ece_options = r.ece_options;
}

qp_limits limits_of(const context &c) {
    const mlx5_ib_alloc_ucontext_resp &r = c.response();
    return {r.max_sq_desc_sz, r.max_rq_desc_sz, r.max_send_wqebb, r.max_recv_wr};
}

} // namespace

const noun qp::noun{KDEVX_KIND_QP, "qp", end_qp, drop_qp, qp_uses};

result<kdevx_qp *> create_qp(context &c, const pin<pd> *domain,
                             const kdevx_qp_options *given) noexcept {
    result<kdevx_qp_options> o = options_of(given, domain);
    if (!o) return o.failure();
    qp_company with(c, *o);
    if (const failure *f = with.failed()) return *f;
    result<qp_size> size = size_of(*o, limits_of(c));
    if (!size) return size.failure();
    draft<qp> d(c);
    if (!d) return no_memory("qp");
    d->type = std::uint16_t(o->type);
    d->size = *size;
    d->create_flags = std::uint16_t(o->create_flags);
    d->driver_flags = std::uint16_t(o->driver_flags);
    d->max_send_sge = o->max_send_sge;
    d->max_recv_sge = o->max_recv_sge;
    d->max_inline_data = o->max_inline_data;
    queue_setup setup(c, d->memory);
    mlx5_ib_create_qp_resp resp{};
    result<void> r = collect_memory(*d, *o, setup, with);
    if (r)
        r = o->create_flags & cross_channel ? create_by_command(c, domain, d, *o, with, resp)
                                            : create(c, domain, d, *o, setup, with, resp);
    if (!r) return r.failure();
    note_ids(*d, *o, resp);
    d->pd = domain ? &domain->at() : nullptr;
    d->send_cq = with.send_cq.at();
    d->recv_cq = with.recv_cq.at();
    d->srq = with.srq.at();
    d->xrcd = with.xrcd.at();
    d->ind_table = with.ind_table.at();
    setup.keep();
    return d.publish();
}

kdevx_qp_info describe(const pin<qp> &q) noexcept {
    kdevx_qp_info i{};
    i.size = sizeof i;
    i.handle = q.handle();
    i.type = q->type;
    i.ids = q->ids;
    i.qpn = q->qpn;
    i.dctn = q->dctn;
    i.tirn = q->tirn;
    i.tisn = q->tisn;
    i.rqn = q->rqn;
    i.sqn = q->sqn;
    i.tir_icm_addr = q->tir_icm_addr;
    i.state = q->state;
    i.ece_options = q->ece_options;
    i.sq_wqe_count = q->size.sq_wqe_count;
    i.rq_wqe_count = q->size.rq_wqe_count;
    i.rq_wqe_shift = q->size.rq_wqe_shift;
    bool behind = !q->memory.buffers[1].size;
    i.sq_offset = behind ? std::uint32_t(q->size.rq_bytes()) : 0;
    i.memory = q->memory.describe();
    return i;
}

} // namespace kdevx::core
