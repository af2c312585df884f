// SPDX-License-Identifier: MIT
// Completion channels and completion queues.
#include "compat/verbs/rings.hpp"
#include "compat/verbs/waiting.hpp"
#include "compat/verbs/waits.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

kdevx_cq_options options(verbs::cq &q, int cqe, ibv_comp_channel *channel, int comp_vector) {
    kdevx_cq_options o = sized<kdevx_cq_options>();
    o.cqe = cqe > 0 ? std::uint32_t(cqe) : 0;
    o.comp_vector = std::uint32_t(comp_vector);
    o.user_handle = std::uint64_t(reinterpret_cast<std::uintptr_t>(&q));
    o.channel = channel ? ours(channel)->own : nullptr;
    return o;
}

void describe(verbs::cq &q, ibv_context *context, void *cq_context, ibv_comp_channel *channel) {
    const auto info = info_of<kdevx_cq_info>(q.own, kdevx_cq_get_info);
    q.shown.context = context;
    q.shown.channel = channel;
    q.shown.cq_context = cq_context;
    q.shown.handle = info.handle;
    q.shown.cqe = int(info.cqe) - 1;
    make_waitable(q.shown);
}

bool create(attempt &a, context &c, verbs::cq &q, const kdevx_cq_options &o) {
    if (!a.good(kdevx_cq_create(c.own, &o, &q.own, a))) return false;
    if (a.good(make_ring(c, q, a))) return true;
    kdevx_cq_destroy(q.own, nullptr);
    return false;
}

} // namespace

ibv_comp_channel *ibv_create_comp_channel(ibv_context *context) {
    attempt a;
    if (!a.takes(context)) return nullptr;
    owned<channel> ch = make<channel>();
    if (!ch) return a.no_memory(), nullptr;
    if (!a.good(kdevx_comp_channel_create(ours(context)->own, &ch->own, a))) return nullptr;
    ch->shown = {context, kdevx_comp_channel_fd(ch->own), 0};
    let_user_decide(ch->shown.fd);
    return &ch.disown()->shown;
}

int ibv_destroy_comp_channel(ibv_comp_channel *channel) {
    attempt a;
    if (!a.takes(channel->context)) return EXDEV;
    if (int err = a.ended(kdevx_comp_channel_destroy(ours(channel)->own, a))) return err;
    end(ours(channel));
    return 0;
}

ibv_cq *ibv_create_cq(ibv_context *context, int cqe, void *cq_context, ibv_comp_channel *channel,
                      int comp_vector) {
    attempt a;
    if (!a.takes(context) || !a.takes_all(channel)) return nullptr;
    owned<verbs::cq> q = make<verbs::cq>();
    if (!q) return a.no_memory(), nullptr;
    if (!create(a, *ours(context), *q, options(*q, cqe, channel, comp_vector))) return nullptr;
    describe(*q, context, cq_context, channel);
    if (channel) __atomic_fetch_add(&channel->refcnt, 1, __ATOMIC_RELAXED);
    return &q.disown()->shown;
}

int ibv_modify_cq(ibv_cq *cq, ibv_modify_cq_attr *attr) {
    attempt a;
    if (!a.takes(cq->context)) return EXDEV;
    if (attr->attr_mask != IBV_CQ_ATTR_MODERATE) return a.invalid("attr_mask");
    return a.ended(
        kdevx_cq_moderate(ours(cq)->own, attr->moderate.cq_count, attr->moderate.cq_period, a));
}

int ibv_resize_cq(ibv_cq *cq, int cqe) {
    attempt a;
    if (!a.takes(cq->context)) return EXDEV;
    verbs::cq *q = ours(cq);
    auto o = sized<kdevx_cq_resize_options>();
    o.cqe = cqe > 0 ? std::uint32_t(cqe) : 0;
    o.ring = q->ring;
    if (int err = a.ended(kdevx_cq_resize(q->own, &o, a))) return err;
    cq->cqe = int(info_of<kdevx_cq_info>(q->own, kdevx_cq_get_info).cqe) - 1;
    return 0;
}

int ibv_destroy_cq(ibv_cq *cq) {
    attempt a;
    if (!a.takes(cq->context)) return EXDEV;
    verbs::cq *q = ours(cq);
    if (int err = a.ended(kdevx_cq_destroy(q->own, a))) return err;
    kdevx_cq_ring_destroy(q->ring, nullptr);
    wait_for(*cq, cq->comp_events_completed, q->comp_events_taken);
    wait_for(*cq, cq->async_events_completed, q->async_events_taken);
    if (cq->channel) __atomic_fetch_sub(&cq->channel->refcnt, 1, __ATOMIC_RELAXED);
    end_waitable(*cq);
    end(q);
    return 0;
}

int ibv_get_cq_event(ibv_comp_channel *channel, ibv_cq **cq, void **cq_context) {
    attempt a;
    if (!a.takes(channel->context)) return -1;
    std::uint64_t handle = 0;
    const int rc =
        kdevx_comp_channel_get(ours(channel)->own, waiting_time(channel->fd), &handle, a);
    if (!a.good(rc)) return -1;
    auto *q = reinterpret_cast<verbs::cq *>(std::uintptr_t(handle));
    took(q->shown, q->comp_events_taken);
    kdevx_acknowledge_cq_event(q->ring);
    *cq = &q->shown;
    *cq_context = q->shown.cq_context;
    return 0;
}

void ibv_ack_cq_events(ibv_cq *cq, unsigned nevents) {
    if (is_ours(cq->context)) acknowledged(*cq, cq->comp_events_completed, nevents);
}
