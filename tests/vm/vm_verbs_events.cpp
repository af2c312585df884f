// SPDX-License-Identifier: MIT
// What the kernel tells about verbs objects and ports: the async fd.
#include "events.hpp"
#include "qp_states.hpp"

#include <fcntl.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

// enum ib_event_type
constexpr unsigned cq_err = 0, qp_fatal = 1, comm_est = 4, srq_limit = 15, port_active = 9,
                   port_err = 10;
constexpr unsigned of_qp = 0;
constexpr std::uint64_t mine = 0x1234'5678'9abc'def0;

// Newer kernels say besides that a link's speed has changed (IB_EVENT_DEVICE_SPEED_CHANGE), of no
// port.
kdevx_async_event next_of_port(const async_fd_ptr &async) {
    constexpr unsigned speed_change = 20;
    kdevx_async_event e = next(async);
    while (kernel() >= version{7, 2} && e.type == speed_change)
        e = next(async);
    return e;
}

async_fd_ptr make_async(verbs &v) {
    return make<async_fd_ptr>(kdevx_async_fd_create, v.context.get());
}

} // namespace

TEST_CASE("events of verbs objects carry what their makers gave them", "[verbs][events]") {
    verbs v;
    async_fd_ptr async = make_async(v);
    CHECK(is_quiet(async));
    auto cq_options = cq_of(15);
    cq_options.user_handle = mine;
    cq_ptr cq = v.make_cq(cq_options);
    auto srq_options = v.srq_of();
    srq_options.user_handle = mine + 1;
    srq_ptr srq = v.make_srq(srq_options);
    auto qp_options = v.qp_of(KDEVX_QP_RC);
    qp_options.user_handle = mine + 2;
    qp_ptr qp = v.make_qp(qp_options);

    raise_event(v.context.get(), "CQ_ERROR", of_cq(info_of(cq).cqn));
    kdevx_async_event e = next(async);
    CHECK(e.what == KDEVX_EVENT_RAISED);
    CHECK(e.type == cq_err);
    CHECK(e.element == mine);
    raise_event(v.context.get(), "SRQ_RQ_LIMIT", of_queue(of_qp, info_of(srq).srqn));
    e = next(async);
    CHECK(e.type == srq_limit);
    CHECK(e.element == mine + 1);
    raise_event(v.context.get(), "COMM_EST", of_queue(of_qp, info_of(qp).qpn));
    e = next(async);
    CHECK(e.type == comm_est);
    CHECK(e.element == mine + 2);
    raise_event(v.context.get(), "WQ_CATAS_ERROR", of_queue(of_qp, info_of(qp).qpn));
    e = next(async);
    CHECK(e.type == qp_fatal);
    CHECK(e.element == mine + 2);
    CHECK(is_quiet(async));
}

TEST_CASE("objects that name an async fd do not use the first one", "[verbs][events]") {
    verbs v;
    async_fd_ptr first = make_async(v), second = make_async(v);
    auto o = cq_of(15);
    o.async = second.get();
    o.user_handle = mine;
    cq_ptr cq = v.make_cq(o);
    raise_event(v.context.get(), "CQ_ERROR", of_cq(info_of(cq).cqn));
    CHECK(next(second).element == mine);
    CHECK(is_quiet(first));
    // The objects go on without it.
    second.reset();
    raise_event(v.context.get(), "CQ_ERROR", of_cq(info_of(cq).cqn));
    CHECK(is_quiet(first));
}

TEST_CASE("ports tell the first async fd of each context", "[verbs][events]") {
    verbs v, other;
    async_fd_ptr async = make_async(v), others = make_async(other);
    set_link(v.context.get(), 1, false);
    for (const auto *fd : {&async, &others}) {
        const kdevx_async_event e = next_of_port(*fd);
        CHECK(e.type == port_err);
        CHECK(e.element == 1);
    }
    set_link(v.context.get(), 1, true);
    const kdevx_async_event e = next_of_port(async);
    CHECK(e.type == port_active);
    CHECK(e.element == 1);
}

TEST_CASE("the fds of verbs events are for poll", "[verbs][events]") {
    verbs v;
    async_fd_ptr async = make_async(v);
    comp_channel_ptr channel = make<comp_channel_ptr>(kdevx_comp_channel_create, v.context.get());
    for (int fd : {kdevx_async_fd_fd(async.get()), kdevx_comp_channel_fd(channel.get())}) {
        CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC);
        CHECK((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
    }
    auto e = sized<kdevx_async_event>();
    CHECK(call(kdevx_async_fd_get, async.get(), 1, &e) ==
          failed(ETIMEDOUT, KDEVX_CAUSE_NOTHING_YET));
    std::uint64_t handle = 0;
    CHECK(call(kdevx_comp_channel_get, channel.get(), KDEVX_NO_WAIT, &handle) ==
          failed(EAGAIN, KDEVX_CAUSE_NOTHING_YET));
}

TEST_CASE("a completion channel stays as long as a CQ uses it", "[verbs][events]") {
    verbs v;
    comp_channel_ptr channel = make<comp_channel_ptr>(kdevx_comp_channel_create, v.context.get());
    auto o = cq_of(15);
    o.channel = channel.get();
    cq_ptr cq = v.make_cq(o);
    CHECK(call(kdevx_comp_channel_destroy, channel.get()) ==
          held_by{KDEVX_KIND_CQ, info_of(cq).handle});
    cq.reset();
    CHECK(call(kdevx_comp_channel_destroy, channel.release()) == ok);
}
