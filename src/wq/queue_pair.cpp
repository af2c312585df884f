// SPDX-License-Identifier: MIT
#include "wq/queue_pair.hpp"

namespace kdevx::wq {

namespace {

template <class Request>
error refuse_all(error e, const Request *list, const Request **bad) noexcept {
    if (!list) return error::none;
    if (bad) *bad = list;
    return e;
}

} // namespace

error post_sends(queue_pair &qp, const send_request *list, const send_request **bad) noexcept {
    if (error e = qp.check_send(); e != error::none) [[unlikely]]
        return refuse_all(e, list, bad);
    return qp.sq.post_and_ring(list, bad);
}

error post_receives(queue_pair &qp, const receive_request *list,
                    const receive_request **bad) noexcept {
    if (error e = qp.check_receive(); e != error::none) [[unlikely]]
        return refuse_all(e, list, bad);
    const error e = qp.rq.post_list(list, bad);
    qp.rq.ring();
    return e;
}

error post_receives(shared_ring &srq, const receive_request *list,
                    const receive_request **bad) noexcept {
    const error e = srq.post_list(list, bad);
    srq.ring();
    return e;
}

} // namespace kdevx::wq
