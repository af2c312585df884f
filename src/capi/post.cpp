// SPDX-License-Identifier: MIT
#include "core/post.hpp"

#include "capi/convert.hpp"
#include "core/av.hpp"

using namespace kdevx;

namespace {

// In a function of its own: the way that is taken every time stays short.
[[gnu::noinline, gnu::cold]] int refuse(rings::error e, kdevx_failure *why) {
    return kdevx::deliver(core::failed(e), why);
}
[[gnu::noinline, gnu::cold]] int no_ring(const void *p, kdevx_failure *why) {
    return kdevx::deliver(p ? closed("ring") : invalid("ring"), why);
}

template <class Body, class Ring, class Request, class Post>
inline int post(Ring *ring, const Request *list, const Request **bad, kdevx_failure *why,
                Post post) {
    auto *data = core::data_of<Body>(ring);
    if (!data) [[unlikely]]
        return no_ring(ring, why);
    const Request *refused = nullptr;
    const rings::error e = post(*data, list, &refused);
    if (e == rings::error::none) [[likely]]
        return 0;
    if (bad) *bad = refused;
    return refuse(e, why);
}

} // namespace

int kdevx_post_send(kdevx_qp_ring *qp, const kdevx_send_wr *list, const kdevx_send_wr **bad,
                    kdevx_failure *why) noexcept {
    core::qp_ring_data *data = core::data_of<core::qp_ring>(qp);
    if (!data) [[unlikely]]
        return no_ring(qp, why);
    const rings::error e = core::post_sends(*data, list, bad);
    return e == rings::error::none ? 0 : refuse(e, why);
}

int kdevx_post_recv(kdevx_qp_ring *qp, const kdevx_recv_wr *list, const kdevx_recv_wr **bad,
                    kdevx_failure *why) noexcept {
    return post<core::qp_ring>(qp, list, bad, why, [](auto &d, auto *l, auto **b) {
        return core::post_receives(d, l, b);
    });
}

int kdevx_post_srq_recv(kdevx_srq_ring *srq, const kdevx_recv_wr *list, const kdevx_recv_wr **bad,
                        kdevx_failure *why) noexcept {
    return post<core::srq_ring>(srq, list, bad, why, [](auto &d, auto *l, auto **b) {
        return core::post_receives(d, l, b);
    });
}

int kdevx_poll_cq(kdevx_cq_ring *cq, kdevx_wc *out, int room) noexcept {
    core::cq_ring_data *data = core::data_of<core::cq_ring>(cq);
    if (!data) [[unlikely]]
        return -EBADF;
    if (!out || room <= 0) return 0;
    return int(core::poll(*data, {out, std::size_t(room)}));
}

int kdevx_arm_cq(kdevx_cq_ring *cq, int solicited_only) noexcept {
    core::cq_ring_data *data = core::data_of<core::cq_ring>(cq);
    if (!data) return -EBADF;
    locked l(data->lock);
    return data->arm_and_check(solicited_only);
}

int kdevx_acknowledge_cq_event(kdevx_cq_ring *cq) noexcept {
    core::cq_ring_data *data = core::data_of<core::cq_ring>(cq);
    if (!data) return -EBADF;
    locked l(data->lock);
    data->acknowledge_event();
    return 0;
}

int kdevx_post_task(kdevx_context *context, const kdevx_task *list, kdevx_bad_task *bad,
                    kdevx_failure *why) noexcept {
    kdevx_bad_task mine{};
    result<core::entered> c = core::enter(capi::from(context));
    const result<void> r = c ? core::post_tasks(**c, list, mine) : result<void>(c.failure());
    if (bad) *bad = mine;
    return kdevx::deliver(r, why);
}

int kdevx_av_make(const kdevx_address *address, const std::uint8_t dmac[6], kdevx_av *av,
                  kdevx_failure *why) noexcept {
    if (!address || !av) return kdevx::deliver(invalid(address ? "av" : "address"), why);
    return capi::deliver(core::make_av(*address, dmac), av, why);
}

const char *kdevx_syndrome_name(std::uint8_t syndrome) noexcept {
    return rings::syndrome_name(syndrome).data();
}

const char *kdevx_syndrome_text(std::uint8_t syndrome) noexcept {
    return rings::syndrome_text(syndrome).data();
}

const char *kdevx_wc_problem_name(std::uint8_t problem) noexcept {
    return problem < std::uint8_t(rings::error::count_) ? rings::name(rings::error(problem)).data()
                                                        : "UNKNOWN";
}
