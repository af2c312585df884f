// SPDX-License-Identifier: MIT
#include "base/options.hpp"
#include "core/cq_ring.hpp"
#include "core/maybe.hpp"
#include "core/ring_memory.hpp"

namespace kdevx::core {

namespace {

void drop_srq_ring(slot &s) noexcept {
    srq_ring &r = s.body<srq_ring>();
    detach(r.cq, {r.number, nullptr, r.data});
    release(s.context->sys().memory(), r);
    if (r.queue) const_cast<slot *>(r.queue)->body<srq>().rings.fetch_sub(1);
}

bool srq_ring_uses(const slot &holder, const slot &used) noexcept {
    const srq_ring &r = holder.body<srq_ring>();
    return r.queue == &used || r.cq == &used;
}

result<kdevx_srq_ring *> make_srq_ring(context &c, const slot *queue,
                                       const kdevx_srq_ring_options &o,
                                       const maybe<cq_ring> &completes_to) {
    ring_draft<srq_ring> d(c);
    rings::shared_ring_config config;
    const std::size_t entries = o.stride ? std::size_t(o.buffer_size / o.stride) : 0;
    if (!d || !allocate(c.sys().memory(), *d, array<rings::shared_slot>{entries, config.slots}))
        return no_memory("ring");
    config.buffer = bytes_at(o.buffer, o.buffer_size);
    config.stride = o.stride;
    config.doorbell_record = reinterpret_cast<std::byte *>(o.dbrec);
    config.number = o.srqn;
    config.max_sge = o.max_sge;
    if (rings::error e = d->data->init(config); e != rings::error::none) return failed(e);
    d->data->lock = &c.srq_lock;
    d->queue = queue;
    d->number = o.user_index;
    if (completes_to) {
        slot &cq = completes_to.get()->at();
        if (result<void> r = attach(cq, {o.user_index, nullptr, d->data}); !r) return r.failure();
        d->cq = &cq;
    }
    return d.publish();
}

} // namespace

const noun srq_ring::noun{KDEVX_KIND_SRQ_RING, "ring", end_unless_used<srq_ring>, drop_srq_ring,
                          srq_ring_uses};

result<kdevx_srq_ring *> create_srq_ring(const pin<srq> &q, kdevx_cq_ring *completes_to) noexcept {
    const kdevx_queue_memory m = q->memory.describe();
    maybe<cq_ring> cq(completes_to, q.context(), "cq");
    if (const failure *f = cq.failed()) return *f;
    if (!m.buffer || !m.dbrec) return invalid("srq");
    if (q->cq ? !cq || (*cq.get())->queue != q->cq : bool(cq)) return invalid("cq");
    kdevx_srq_ring_options o{};
    o.buffer = m.buffer;
    o.buffer_size = m.buffer_size;
    o.dbrec = m.dbrec;
    o.srqn = q->srqn;
    o.stride = 1u << q->wqe_shift;
    o.max_sge = q->max_sge;
    o.user_index = q->user_index;
    q->rings.fetch_add(1);
    result<kdevx_srq_ring *> r = make_srq_ring(q.context(), &q.at(), o, cq);
    if (!r) q->rings.fetch_sub(1);
    return r;
}

result<kdevx_srq_ring *> create_srq_ring(context &c, const kdevx_srq_ring_options *given) noexcept {
    if (!given) return invalid("options");
    result<kdevx_srq_ring_options> o = read_options(given, "options");
    if (!o) return o.failure();
    maybe<cq_ring> cq(o->cq, c, "cq");
    if (const failure *f = cq.failed()) return *f;
    if (!o->buffer) return invalid(rings::name(rings::error::bad_memory).data());
    return make_srq_ring(c, nullptr, *o, cq);
}

} // namespace kdevx::core
