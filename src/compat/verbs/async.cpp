// SPDX-License-Identifier: MIT
// Events of verbs objects and ports.
#include "compat/verbs/waiting.hpp"
#include "compat/verbs/waits.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

enum class about { cq, qp, srq, wq, port };

about subject(ibv_event_type type) {
    switch (type) {
    case IBV_EVENT_CQ_ERR:
        return about::cq;
    case IBV_EVENT_QP_FATAL:
    case IBV_EVENT_QP_REQ_ERR:
    case IBV_EVENT_QP_ACCESS_ERR:
    case IBV_EVENT_COMM_EST:
    case IBV_EVENT_SQ_DRAINED:
    case IBV_EVENT_PATH_MIG:
    case IBV_EVENT_PATH_MIG_ERR:
    case IBV_EVENT_QP_LAST_WQE_REACHED:
        return about::qp;
    case IBV_EVENT_SRQ_ERR:
    case IBV_EVENT_SRQ_LIMIT_REACHED:
        return about::srq;
    case IBV_EVENT_WQ_FATAL:
        return about::wq;
    default:
        return about::port;
    }
}

// What the objects were given as their handle.
template <class Whole>
auto take(std::uint64_t handle, std::uint32_t Whole::*taken) {
    auto *object = reinterpret_cast<Whole *>(std::uintptr_t(handle));
    took(object->shown, object->*taken);
    return &object->shown;
}

void fill(ibv_async_event &to, const kdevx_async_event &from) {
    to = {};
    to.event_type = ibv_event_type(from.type);
    switch (subject(to.event_type)) {
    case about::cq:
        to.element.cq = take(from.element, &verbs::cq::async_events_taken);
        break;
    case about::qp:
        to.element.qp = take(from.element, &verbs::qp::events_taken);
        break;
    case about::srq:
        to.element.srq = take(from.element, &verbs::srq::events_taken);
        break;
    case about::wq:
        to.element.wq = take(from.element, &verbs::wq::events_taken);
        break;
    case about::port:
        to.element.port_num = int(from.element);
    }
}

} // namespace

int ibv_get_async_event(ibv_context *context, ibv_async_event *event) {
    attempt a;
    if (!a.takes(context)) return -1;
    kdevx_async_event got = sized<kdevx_async_event>();
    if (!a.good(kdevx_async_fd_get(ours(context)->async, waiting_time(context->async_fd), &got, a)))
        return -1;
    if (got.what == KDEVX_EVENT_DEVICE_GONE)
        return a.refused(EIO, KDEVX_CAUSE_DEVICE_GONE, "read"), -1;
    fill(*event, got);
    return 0;
}

void ibv_ack_async_event(ibv_async_event *event) {
    switch (subject(event->event_type)) {
    case about::cq:
        acknowledged(*event->element.cq, event->element.cq->async_events_completed, 1);
        break;
    case about::qp:
        acknowledged(*event->element.qp, event->element.qp->events_completed, 1);
        break;
    case about::srq:
        acknowledged(*event->element.srq, event->element.srq->events_completed, 1);
        break;
    case about::wq:
        acknowledged(*event->element.wq, event->element.wq->events_completed, 1);
        break;
    case about::port:
        break;
    }
}
