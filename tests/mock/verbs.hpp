// SPDX-License-Identifier: MIT
// A context with a verbs object of each kind, for the tests of verbs objects.
#pragma once

#include <cerrno>
#include <cstring>

#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>

#include <kdevx/prm/layout.hpp>

#include "../unit/catch.hpp"
#include "script.hpp"

namespace mock {

template <class T>
bytes as_bytes(const T &v) {
    bytes b(sizeof v);
    std::memcpy(b.data(), &v, sizeof v);
    return b;
}

template <class T>
T sized() {
    T t{};
    t.size = sizeof t;
    return t;
}

// Its members are made when they are first asked for, and end in the order that the kernel wants.
struct verbs {
    kernel k;
    kdevx_context *c = k.open();
    kdevx_failure why{};
    kdevx_pd *pd = nullptr;
    kdevx_cq *cq = nullptr;

    verbs() {
        REQUIRE(kdevx_pd_alloc(c, &pd, &why) == 0);
        auto o = sized<kdevx_cq_options>();
        o.cqe = 15;
        REQUIRE(kdevx_cq_create(c, &o, &cq, &why) == 0);
    }
    ~verbs() {
        if (cq) CHECK(kdevx_cq_destroy(cq, &why) == 0);
        if (pd) CHECK(kdevx_pd_dealloc(pd, &why) == 0);
        if (c) kdevx_context_close(c);
        CHECK(k.live() == 0);
        CHECK(k.broken_rules.empty());
    }
    template <class Info, class T>
    Info info(T *object, int (*get)(const T *, Info *, kdevx_failure *)) {
        auto i = sized<Info>();
        REQUIRE(get(object, &i, &why) == 0);
        return i;
    }
    kdevx_pd_info pd_info() { return info(pd, kdevx_pd_get_info); }
    kdevx_cq_info cq_info() { return info(cq, kdevx_cq_get_info); }

    // The library refuses it itself, by the name of what is wrong.
    template <class Call>
    void invalid(const char *step, Call call) {
        INFO(step);
        unsigned ioctls = k.count(mock::call::ioctl);
        std::size_t live = k.live();
        why = {};
        CHECK(call() == -EINVAL);
        CHECK(why.cause == KDEVX_CAUSE_INVALID);
        CHECK(std::string(why.step ? why.step : "") == step);
        CHECK(k.count(mock::call::ioctl) == ioctls);
        CHECK(k.live() == live);
    }
    // The driver's part of the next create, as the kernel gets it.
    template <class Uhw, class Create>
    Uhw uhw_of(const kdevx::kabi::method_base &m, Create create) {
        Uhw uhw{};
        bool seen = false;
        k.on_ioctl = [&](ib_uverbs_ioctl_hdr *h) {
            if (h->object_id != m.object->id || h->method_id != m.id) return 1;
            for (unsigned i = 0; i < h->num_attrs; ++i)
                if (h->attrs[i].attr_id == 0x1000) {
                    bytes b = carried(h->attrs[i], kdevx::kabi::ptr_in);
                    REQUIRE(b.size() == sizeof uhw);
                    std::memcpy(&uhw, b.data(), sizeof uhw);
                    seen = true;
                }
            return 1;
        };
        create();
        k.on_ioctl = nullptr;
        CHECK(seen);
        return uhw;
    }
};

} // namespace mock
