// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>

#include "base/options.hpp"
#include "core/cq_ring.hpp"
#include "core/maybe.hpp"
#include "core/ring_memory.hpp"

namespace kdevx::core {

namespace {

void detach_all(qp_ring &r) {
    detach(r.send_cq, {r.sq_number, r.data, nullptr});
    detach(r.recv_cq, {r.rq_number, r.data, nullptr});
    if (r.srq) r.srq->body<srq_ring>().users.fetch_sub(1);
}

result<void> end_qp_ring(slot &) noexcept {
    return {};
}

void drop_qp_ring(slot &s) noexcept {
    qp_ring &r = s.body<qp_ring>();
    detach_all(r);
    release(s.context->sys().memory(), r);
    if (r.queue) const_cast<slot *>(r.queue)->body<qp>().rings.fetch_sub(1);
}

bool qp_ring_uses(const slot &holder, const slot &used) noexcept {
    const qp_ring &r = holder.body<qp_ring>();
    for (const slot *s : {r.queue, const_cast<const slot *>(r.send_cq),
                          const_cast<const slot *>(r.recv_cq), const_cast<const slot *>(r.srq)})
        if (s == &used) return true;
    return false;
}

constexpr std::uint32_t devx_flags = KDEVX_QP_RING_MASTER | KDEVX_QP_RING_MANAGED_SEND |
                                     KDEVX_QP_RING_MANAGED_RECV | KDEVX_QP_RING_WQE_SIGNATURE;
constexpr std::uint32_t verbs_flags = KDEVX_QP_RING_SIGNAL_ALL | KDEVX_QP_RING_IGNORE_OVERFLOW |
                                      KDEVX_QP_RING_ENABLE_BY_REQUEST | KDEVX_QP_RING_BLUE_FLAME |
                                      KDEVX_QP_RING_WRITE_COMBINING;

struct qp_ring_company {
    maybe<cq_ring> send_cq, recv_cq;
    maybe<srq_ring> srq;

    qp_ring_company(context &c, const kdevx_qp_ring_options &o)
        : send_cq(o.send_cq, c, "send_cq"), recv_cq(o.recv_cq, c, "recv_cq"), srq(o.srq, c, "srq") {
    }
    const failure *failed() const { return first_failed(send_cq, recv_cq, srq); }
};

rings::send_ring_config send_config(const kdevx_qp_ring_options &o, qp_ring_data &d,
                                    std::span<rings::send_slot> slots) {
    rings::send_ring_config s;
    s.buffer = bytes_at(o.sq_buffer, o.sq_size);
    s.slots = slots;
    s.doorbell_record = reinterpret_cast<std::byte *>(o.dbrec);
    s.uar = &d.uar;
    s.qpn_or_sqn = o.qpn;
    s.transport = rings::transport(o.transport);
    s.max_sge = o.max_send_sge ? o.max_send_sge : 1;
    s.max_inline = o.max_inline_data;
    s.signal_all = o.flags & KDEVX_QP_RING_SIGNAL_ALL;
    s.signature = o.flags & KDEVX_QP_RING_WQE_SIGNATURE;
    s.master = o.flags & KDEVX_QP_RING_MASTER;
    s.managed = o.flags & KDEVX_QP_RING_MANAGED_SEND;
    s.ignore_overflow = o.flags & KDEVX_QP_RING_IGNORE_OVERFLOW;
    s.prefer_blue_flame = o.flags & KDEVX_QP_RING_BLUE_FLAME;
    if (o.flags & KDEVX_QP_RING_ENABLE_BY_REQUEST)
        s.enable_unit = rings::send_enable_unit::work_request;
    return s;
}

rings::receive_ring_config receive_config(const kdevx_qp_ring_options &o, std::uint32_t number,
                                          std::span<std::uint64_t> wr_ids) {
    rings::receive_ring_config r;
    r.buffer = bytes_at(o.rq_buffer, o.rq_size);
    r.stride = o.rq_stride;
    r.wr_ids = wr_ids;
    r.doorbell_record = reinterpret_cast<std::byte *>(o.dbrec);
    r.number = number;
    r.signature = o.flags & KDEVX_QP_RING_WQE_SIGNATURE;
    r.max_sge = o.max_recv_sge ? o.max_recv_sge : o.rq_stride / 16 - r.signature;
    r.managed = o.flags & KDEVX_QP_RING_MANAGED_RECV;
    r.ignore_overflow = o.flags & KDEVX_QP_RING_IGNORE_OVERFLOW;
    return r;
}

std::uint8_t state_of(std::uint32_t state) {
    return state >= KDEVX_QPS_UNKNOWN ? rings::unknown_state : std::uint8_t(state);
}

result<void> check_ring(const kdevx_qp_ring_options &o) {
    if (o.transport > KDEVX_TRANSPORT_LOCAL)
        return invalid("transport", o.transport, KDEVX_TRANSPORT_LOCAL);
    if (o.state > KDEVX_QPS_UNKNOWN) return invalid("state", o.state, KDEVX_QPS_UNKNOWN);
    if (o.flags & ~(devx_flags | verbs_flags))
        return invalid("flags", o.flags, devx_flags | verbs_flags);
    if (!o.sq_size && !o.rq_size && !o.srq) return invalid("sq_size");
    if (o.sq_size && (!o.sq_buffer || !o.uar_reg)) return invalid("sq_buffer");
    if (o.rq_size && !o.rq_buffer) return invalid("rq_buffer");
    if (o.rq_size && !o.rq_stride) return invalid("rq_stride");
    if ((o.sq_size || o.rq_size) && !o.dbrec) return invalid("dbrec");
    if (o.rq_size && o.srq) return invalid("srq");
    if (o.bf_size && !(o.flags & KDEVX_QP_RING_WRITE_COMBINING))
        return invalid("bf_size", o.bf_size);
    return {};
}

result<void> set_up(qp_ring_data &d, const kdevx_qp_ring_options &o, std::uint32_t rqn,
                    std::span<rings::send_slot> slots, std::span<std::uint64_t> wr_ids) {
    d.uar.page = static_cast<std::byte *>(o.uar);
    d.uar.reg = static_cast<std::byte *>(o.uar_reg);
    d.uar.bf_size = o.bf_size;
    d.uar.write_combining = o.flags & KDEVX_QP_RING_WRITE_COMBINING;
    d.state = state_of(o.state);
    rings::error e = rings::error::none;
    if (o.sq_size) e = d.sq.init(send_config(o, d, slots));
    if (o.rq_size && e == rings::error::none) e = d.rq.init(receive_config(o, rqn, wr_ids));
    return e == rings::error::none ? result<void>() : failed(e);
}

// One after the other; what was attached is noted in the body at once, and detached if the next
// one fails.
result<void> attach_all(qp_ring &r, const qp_ring_company &with) {
    if (with.send_cq) {
        slot &cq = with.send_cq.get()->at();
        if (result<void> a = attach(cq, {r.sq_number, r.data, nullptr}); !a) return a;
        r.send_cq = &cq;
    }
    if (with.recv_cq) {
        slot &cq = with.recv_cq.get()->at();
        if (result<void> a = attach(cq, {r.rq_number, r.data, nullptr}); !a) {
            detach(std::exchange(r.send_cq, nullptr), {r.sq_number, r.data, nullptr});
            return a;
        }
        r.recv_cq = &cq;
    }
    if (r.srq) r.srq->body<srq_ring>().users.fetch_add(1);
    return {};
}

result<kdevx_qp_ring *> make_qp_ring(context &c, const pin<qp> *queue,
                                     const kdevx_qp_ring_options &o, std::uint32_t rqn) {
    qp_ring_company with(c, o);
    if (const failure *f = with.failed()) return *f;
    if (result<void> r = check_ring(o); !r) return r.failure();
    ring_draft<qp_ring> d(c);
    std::span<rings::send_slot> slots;
    std::span<std::uint64_t> wr_ids;
    const std::size_t entries = o.rq_stride ? std::size_t(o.rq_size / o.rq_stride) : 0;
    if (!d ||
        !allocate(c.sys().memory(), *d, array<rings::send_slot>{std::size_t(o.sq_size / 64), slots},
                  array<std::uint64_t>{entries, wr_ids}))
        return no_memory("ring");
    qp_ring_data &data = *d->data;
    result<void> r = set_up(data, o, rqn, slots, wr_ids);
    d->sq_number = o.qpn;
    d->rq_number = rqn;
    if (with.srq) {
        d->srq = &with.srq.get()->at();
        data.srq = d->srq->template body<srq_ring>().data;
    }
    if (r) r = attach_all(*d, with);
    if (!r) return r.failure();
    const bool in_order = data.sq.master() || data.sq.managed() || data.rq.managed();
    data.lock = in_order ? &c.task_lock : &data.own;
    d->queue = queue ? &queue->at() : nullptr;
    data.followed = queue ? &(*queue)->state : nullptr;
    data.self = static_cast<kdevx_qp_ring *>(to_public(d.at()));
    data.shown = reinterpret_cast<rings::queue_pair *>(data.self); // what a kdevx_wc says
    return d.publish();
}

// ---- of a verbs QP -----------------------------------------------------------------------------

constexpr struct {
    std::uint16_t type;
    kdevx_transport transport;
} transports[] = {
    {KDEVX_QP_RC, KDEVX_TRANSPORT_RC},       {KDEVX_QP_UC, KDEVX_TRANSPORT_UC},
    {KDEVX_QP_UD, KDEVX_TRANSPORT_UD},       {KDEVX_QP_RAW_PACKET, KDEVX_TRANSPORT_LOCAL},
    {KDEVX_QP_XRC_INI, KDEVX_TRANSPORT_XRC}, {KDEVX_QP_DCI, KDEVX_TRANSPORT_DCI},
};

result<kdevx_transport> transport_of(const qp &q) {
    for (const auto &row : transports)
        if (row.type == q.type && !q.ind_table) return row.transport;
    return invalid("qp", q.type);
}

// Whose ring, of the CQ or SRQ that the QP was made with.
template <class Ring>
bool is_of(const maybe<Ring> &ring, const slot *queue) {
    return queue ? ring && (*ring.get())->queue == queue : !ring;
}

result<void> check_company(context &c, const qp &q, const kdevx_qp_ring_options &o) {
    qp_ring_company with(c, o);
    if (const failure *f = with.failed()) return *f;
    if (!is_of(with.send_cq, q.send_cq)) return invalid("send_cq");
    if (!is_of(with.recv_cq, q.recv_cq)) return invalid("recv_cq");
    if (!is_of(with.srq, q.srq)) return invalid("srq");
    return {};
}

std::uint32_t or_else(std::uint32_t given, std::uint32_t otherwise) {
    return given ? given : otherwise;
}

void read_flags(const qp &q, kdevx_qp_ring_options &o) {
    if (q.create_flags & KDEVX_QP_SQ_SIG_ALL) o.flags |= KDEVX_QP_RING_SIGNAL_ALL;
    if (q.create_flags & KDEVX_QP_CROSS_CHANNEL) o.flags |= KDEVX_QP_RING_MASTER;
    if (q.create_flags & KDEVX_QP_MANAGED_SEND) o.flags |= KDEVX_QP_RING_MANAGED_SEND;
    if (q.create_flags & KDEVX_QP_MANAGED_RECV) o.flags |= KDEVX_QP_RING_MANAGED_RECV;
    if (q.driver_flags & KDEVX_QP_SIGNATURE) o.flags |= KDEVX_QP_RING_WQE_SIGNATURE;
}

void read_memory(const qp &q, kdevx_qp_ring_options &o) {
    const kdevx_queue_memory m = q.memory.describe();
    auto *buffer = static_cast<std::byte *>(m.buffer);
    o.rq_buffer = buffer;
    o.rq_size = q.size.rq_bytes();
    o.rq_stride = o.rq_size ? 1u << q.size.rq_wqe_shift : 0;
    const bool behind = !m.sq_buffer_size;
    o.sq_buffer = behind && buffer ? buffer + q.size.rq_bytes() : m.sq_buffer;
    o.sq_size = q.size.sq_bytes();
    o.dbrec = m.dbrec;
    o.uar = m.uar;
    o.uar_reg = m.uar_reg;
}

} // namespace

const noun qp_ring::noun{KDEVX_KIND_QP_RING, "ring", end_qp_ring, drop_qp_ring, qp_ring_uses};

result<kdevx_qp_ring *> create_qp_ring(const pin<qp> &q,
                                       const kdevx_qp_ring_options *given) noexcept {
    if (!given) return invalid("options");
    result<kdevx_qp_ring_options> o = read_options(given, "options");
    if (!o) return o.failure();
    result<kdevx_transport> transport = transport_of(*q);
    if (!transport) return transport.failure();
    if (o->flags & ~verbs_flags) return invalid("flags", o->flags, verbs_flags);
    if (result<void> r = check_company(q.context(), *q, *o); !r) return r.failure();
    o->transport = *transport;
    o->state = std::min<std::uint32_t>(q->state, KDEVX_QPS_UNKNOWN);
    o->max_send_sge = or_else(o->max_send_sge, q->max_send_sge);
    o->max_recv_sge = or_else(o->max_recv_sge, q->max_recv_sge);
    o->max_inline_data = or_else(o->max_inline_data, q->max_inline_data);
    read_flags(*q, *o);
    read_memory(*q, *o);
    o->qpn = q->is_raw_packet() ? q->sqn : q->qpn;
    q->rings.fetch_add(1);
    result<kdevx_qp_ring *> r =
        make_qp_ring(q.context(), &q, *o, q->is_raw_packet() ? q->rqn : q->qpn);
    if (!r) q->rings.fetch_sub(1);
    return r;
}

result<kdevx_qp_ring *> create_qp_ring(context &c, const kdevx_qp_ring_options *given) noexcept {
    if (!given) return invalid("options");
    result<kdevx_qp_ring_options> o = read_options(given, "options");
    if (!o) return o.failure();
    return make_qp_ring(c, nullptr, *o, o->qpn);
}

result<void> set_state(const pin<qp_ring> &r, std::uint32_t state) noexcept {
    if (state > KDEVX_QPS_UNKNOWN) return invalid("state", state, KDEVX_QPS_UNKNOWN);
    locked l(*r->data->lock);
    if (state == KDEVX_QPS_RESET) r->data->reset();
    r->data->state = state_of(state);
    return {};
}

kdevx_qp_ring_info describe(const pin<qp_ring> &r) noexcept {
    qp_ring_data &d = *r->data;
    locked l(*d.lock);
    kdevx_qp_ring_info i{};
    i.size = sizeof i;
    i.qpn = d.sq.ready() ? d.sq.number() : d.rq.number();
    i.sq_wqebbs = d.sq.wqebbs();
    i.sq_free_wqebbs = d.sq.ready() ? d.sq.free_wqebbs() : 0;
    i.sq_producer = d.sq.producer();
    i.rq_entries = d.rq.size();
    i.rq_posted = d.rq.posted();
    const std::uint8_t state = d.followed ? d.followed->load() : d.state;
    i.state = state == rings::unknown_state ? std::uint32_t(KDEVX_QPS_UNKNOWN) : state;
    return i;
}

} // namespace kdevx::core
