// SPDX-License-Identifier: MIT
#include "core/cq_ring.hpp"

#include <algorithm>

#include "base/options.hpp"
#include "core/ring_memory.hpp"

namespace kdevx::core {

namespace {

constexpr std::size_t first_places = 16;

// Rings that are detached at the same time look for it with this lock held.
void drop_cq_ring(slot &s) noexcept {
    cq_ring &r = s.body<cq_ring>();
    const memory from = s.context->sys().memory();
    locked l(s.context->task_lock);
    for (void **places : {&r.queue_places, &r.srq_places})
        if (*places) from.release(from.arg, std::exchange(*places, nullptr));
    release(from, r);
    if (r.queue) const_cast<slot *>(r.queue)->body<cq>().rings.fetch_sub(1);
}

bool cq_ring_uses(const slot &holder, const slot &used) noexcept {
    return holder.body<cq_ring>().queue == &used;
}

// A table of twice the size, in memory of its own.
result<void> grow(const memory &from, rings::queue_table &table, void *&block) {
    const std::size_t count = std::max(first_places, table.places() * 2);
    void *bigger = from.allocate(from.arg, cache_line + count * sizeof(rings::queue_entry));
    if (!bigger) return no_memory("ring");
    std::byte *at = line_at(bigger);
    const rings::error e = table.init(carve<rings::queue_entry>(at, count));
    if (block) from.release(from.arg, block);
    block = bigger;
    return e == rings::error::none ? result<void>() : failed(e);
}

result<kdevx_cq_ring *> make_cq_ring(context &c, const slot *queue,
                                     const kdevx_cq_ring_options &o) {
    ring_draft<cq_ring> d(c);
    if (!d || !allocate(c.sys().memory(), *d)) return no_memory("ring");
    cq_ring_data &data = *d->data;
    data.uar.page = static_cast<std::byte *>(o.uar);
    rings::cq_config config;
    config.buffer = bytes_at(o.buffer, o.buffer_size);
    config.cqe_size = o.cqe_size;
    config.doorbell_record = reinterpret_cast<std::byte *>(o.dbrec);
    config.uar = &data.uar;
    config.cqn = o.cqn;
    if (rings::error e = data.init(config); e != rings::error::none) return failed(e);
    d->queue = queue;
    return d.publish();
}

// Counts the ring, so that the memory stays what it is now.
result<kdevx_queue_memory> memory_for_ring(const pin<cq> &q) {
    locked l(q.context().task_lock);
    const kdevx_queue_memory m = q->memory.describe();
    if (!m.buffer || !m.dbrec) return invalid("cq");
    if (q->resizing) return fail(KDEVX_CAUSE_BUSY, EBUSY, "cq");
    q->rings.fetch_add(1);
    return m;
}

} // namespace

const noun cq_ring::noun{KDEVX_KIND_CQ_RING, "ring", end_unless_used<cq_ring>, drop_cq_ring,
                         cq_ring_uses};

result<kdevx_cq_ring *> create_cq_ring(const pin<cq> &q) noexcept {
    const result<kdevx_queue_memory> m = memory_for_ring(q);
    if (!m) return m.failure();
    result<kdevx_cq_ring *> r =
        make_cq_ring(q.context(), &q.at(),
                     {sizeof(kdevx_cq_ring_options), m->buffer, m->buffer_size, m->dbrec, m->uar,
                      q->cqn, q->cqe_size});
    if (!r) q->rings.fetch_sub(1);
    return r;
}

result<kdevx_cq_ring *> create_cq_ring(context &c, const kdevx_cq_ring_options *given) noexcept {
    if (!given) return invalid("options");
    result<kdevx_cq_ring_options> o = read_options(given, "options");
    if (!o) return o.failure();
    return make_cq_ring(c, nullptr, *o);
}

result<void> attach(slot &cq, const completes &what) noexcept {
    cq_ring &r = cq.body<cq_ring>();
    locked l(r.data->lock);
    rings::queue_table &table = what.qp ? r.data->queues : r.data->srqs;
    void *&places = what.qp ? r.queue_places : r.srq_places;
    rings::error e = table.add(what.number, what.qp, what.srq);
    if (e == rings::error::table_full) {
        if (result<void> grown = grow(cq.context->sys().memory(), table, places); !grown)
            return grown;
        e = table.add(what.number, what.qp, what.srq);
    }
    if (e != rings::error::none) return failed(e);
    if (what.srq || what.qp->srq) r.data->srq_lock = &cq.context->srq_lock;
    r.users.fetch_add(1);
    return {};
}

void detach(slot *cq, const completes &what) noexcept {
    if (!cq) return;
    locked order(cq->context->task_lock);
    cq_ring &r = cq->body<cq_ring>();
    if (!r.data) return; // the context was closed, and the CQ's ring went first
    locked l(r.data->lock);
    (what.qp ? r.data->queues : r.data->srqs).remove(what.number);
    r.users.fetch_sub(1);
}

result<void> begin_resize(const pin<cq_ring> &r, std::span<std::byte> buffer,
                          std::uint32_t cqe_size) noexcept {
    locked order(r.context().task_lock); // WAITs look whether it is being resized
    locked l(r->data->lock);
    const rings::error e = r->data->begin_resize(buffer, cqe_size);
    return e == rings::error::none ? result<void>() : failed(e);
}

result<void> finish_resize(const pin<cq_ring> &r) noexcept {
    locked order(r.context().task_lock);
    locked l(r->data->lock);
    const rings::error e = r->data->finish_resize();
    return e == rings::error::none ? result<void>() : failed(e);
}

void abort_resize(const pin<cq_ring> &r) noexcept {
    locked order(r.context().task_lock);
    locked l(r->data->lock);
    r->data->abort_resize();
}

} // namespace kdevx::core
