// SPDX-License-Identifier: MIT
// Verbs objects for tests: owners, options with their size filled in, and a PD with a CQ to build
// on.
#pragma once

#include "bench.hpp"

#include <array>
#include <string>
#include <type_traits>

namespace kdevx::vm {

using pd_ptr = std::unique_ptr<kdevx_pd, ending<kdevx_pd_dealloc>>;
using mr_ptr = std::unique_ptr<kdevx_mr, ending<kdevx_mr_dereg>>;
using dm_ptr = std::unique_ptr<kdevx_dm, ending<kdevx_dm_free>>;
using xrcd_ptr = std::unique_ptr<kdevx_xrcd, ending<kdevx_xrcd_close>>;
using ah_ptr = std::unique_ptr<kdevx_ah, ending<kdevx_ah_destroy>>;
using cq_ptr = std::unique_ptr<kdevx_cq, ending<kdevx_cq_destroy>>;
using srq_ptr = std::unique_ptr<kdevx_srq, ending<kdevx_srq_destroy>>;
using wq_ptr = std::unique_ptr<kdevx_wq, ending<kdevx_wq_destroy>>;
using ind_table_ptr = std::unique_ptr<kdevx_ind_table, ending<kdevx_ind_table_destroy>>;
using qp_ptr = std::unique_ptr<kdevx_qp, ending<kdevx_qp_destroy>>;
using comp_channel_ptr = std::unique_ptr<kdevx_comp_channel, ending<kdevx_comp_channel_destroy>>;
using async_fd_ptr = std::unique_ptr<kdevx_async_fd, ending<kdevx_async_fd_destroy>>;
using event_channel_ptr = std::unique_ptr<kdevx_event_channel, ending<kdevx_event_channel_destroy>>;

template <class T>
T sized() {
    T t{};
    t.size = sizeof t;
    return t;
}

// Calls a function that makes something; how it went is the caller's to judge.
template <class Ptr, class F, class... A>
outcome attempt(Ptr &made, F function, A... arguments) {
    typename Ptr::pointer p = nullptr;
    const outcome got = call(function, arguments..., &p);
    CHECK((p != nullptr) == (got.err == 0));
    made.reset(p);
    return got;
}
// The same where it is refused.
template <class Ptr, class F, class... A>
outcome refusal_of(F function, A... arguments) {
    Ptr none;
    return attempt(none, function, arguments...);
}
// Must succeed.
template <class Ptr, class F, class... A>
Ptr make(F function, A... arguments) {
    Ptr made;
    REQUIRE(attempt(made, function, arguments...) == ok);
    return made;
}

// What a kdevx_*_get_info tells.
template <class Info, class T>
Info tell(int (*get)(const T *, Info *, kdevx_failure *) noexcept, const T *of) {
    Info info = sized<Info>();
    REQUIRE(call(get, of, &info) == ok);
    return info;
}

template <class T, class Deleter>
const T *view(const std::unique_ptr<T, Deleter> &owner) {
    return owner.get();
}
inline kdevx_pd_info info_of(const pd_ptr &p) {
    return tell(kdevx_pd_get_info, view(p));
}
inline kdevx_mr_info info_of(const mr_ptr &p) {
    return tell(kdevx_mr_get_info, view(p));
}
inline kdevx_dm_info info_of(const dm_ptr &p) {
    return tell(kdevx_dm_get_info, view(p));
}
inline kdevx_ah_info info_of(const ah_ptr &p) {
    return tell(kdevx_ah_get_info, view(p));
}
inline kdevx_cq_info info_of(const cq_ptr &p) {
    return tell(kdevx_cq_get_info, view(p));
}
inline kdevx_srq_info info_of(const srq_ptr &p) {
    return tell(kdevx_srq_get_info, view(p));
}
inline kdevx_wq_info info_of(const wq_ptr &p) {
    return tell(kdevx_wq_get_info, view(p));
}
inline kdevx_ind_table_info info_of(const ind_table_ptr &p) {
    return tell(kdevx_ind_table_get_info, view(p));
}
inline kdevx_qp_info info_of(const qp_ptr &p) {
    return tell(kdevx_qp_get_info, view(p));
}

// Refused because the kernel sees somebody use it, and the library knows who.
struct held_by {
    kdevx_kind kind;
    std::uint32_t handle;
};
bool operator==(const outcome &got, const held_by &holder);
std::ostream &operator<<(std::ostream &to, const held_by &holder);

// An exchange about a verbs object: kdevx_cq_devx_query and its kind. The outcome is the caller's.
template <class F, class T>
outcome devx(F function, T *of, exchange &x) {
    x.out.fill(std::byte(0x5a));
    return call(function, of, static_cast<const void *>(x.in.data()), x.in.size(),
                static_cast<void *>(x.out.data()), x.out.size());
}
// A query that must succeed, of an object whose number the library fills in.
template <class F, class T>
exchange look(const char *command, F function, T *of) {
    exchange x(command);
    REQUIRE(devx(function, of, x) == ok);
    return x;
}

kdevx_cq_options cq_of(std::uint32_t cqe);

struct verbs {
    context_ptr context;
    pd_ptr pd = make<pd_ptr>(kdevx_pd_alloc, context.get());
    cq_ptr cq = make_cq(cq_of(15));

    explicit verbs(std::uint32_t devx = KDEVX_DEVX_REQUIRE) : context(open_context(devx)) {}
    explicit verbs(const device &which, std::uint32_t devx = KDEVX_DEVX_REQUIRE)
        : context(open_context(which, devx)) {}

    cq_ptr make_cq(const kdevx_cq_options &o) {
        return make<cq_ptr>(kdevx_cq_create, context.get(), &o);
    }
    srq_ptr make_srq(const kdevx_srq_options &o) {
        return make<srq_ptr>(kdevx_srq_create, pd.get(), &o);
    }
    wq_ptr make_wq(const kdevx_wq_options &o) {
        return make<wq_ptr>(kdevx_wq_create, pd.get(), &o);
    }
    qp_ptr make_qp(const kdevx_qp_options &o) {
        return make<qp_ptr>(kdevx_qp_create, pd.get(), &o);
    }
    mr_ptr make_mr(const pages &memory, std::uint32_t access = KDEVX_MR_LOCAL_WRITE);
    ind_table_ptr make_table(std::initializer_list<kdevx_wq *> wqs);

    // The least that makes one of a type.
    kdevx_qp_options qp_of(std::uint32_t type);
    kdevx_srq_options srq_of(std::uint32_t max_wr = 15);
    kdevx_wq_options wq_of(std::uint32_t max_wr = 16);
};

} // namespace kdevx::vm
