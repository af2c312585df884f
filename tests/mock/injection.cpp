// SPDX-License-Identifier: MIT
// Everything the library does, with the n-th call of each kind failing, for every n: each failure
// is named, and in the end nothing is left of what the kernel and the memory gave out.
#include <cerrno>

#include "../unit/catch.hpp"
#include "kernel.hpp"

using mock::bytes;

namespace {

// A program that does not give up: what failed it does without, what it has it gives back.
struct program {
    mock::kernel &k;
    bytes in = mock::random_bytes(64), out = bytes(256);
    unsigned failures = 0;

    bool did(int r, const kdevx_failure &why) {
        if (r == 0) return true;
        ++failures;
        CHECK(r == -why.err);
        CHECK(why.err > 0);
        CHECK(why.cause != KDEVX_CAUSE_NONE);
        CHECK(why.step != nullptr);
        return false;
    }
    // A destroy that fails has changed nothing, so it can be done again.
    template <class T>
    void end(int (*destroy)(T *, kdevx_failure *), T *object) {
        kdevx_failure why{};
        if (!did(destroy(object, &why), why)) CHECK(destroy(object, &why) == 0);
    }

    void run() {
        kdevx_open_options o = k.options();
        kdevx_context *c = nullptr;
        kdevx_failure why{};
        if (!did(kdevx_context_open_path("/dev/infiniband/uverbs0", &o, &c, &why), why)) return;
        use(c);
        kdevx_context_close(c);
    }
    void use(kdevx_context *c) {
        kdevx_failure why{};
        kdevx_context_info info{};
        info.size = sizeof info;
        did(kdevx_context_get_info(c, &info, &why), why);
        did(kdevx_general_cmd(c, in.data(), 64, out.data(), 64, &why), why);
        std::uint32_t eqn;
        did(kdevx_eqn_query(c, 0, &eqn, &why), why);
        int present;
        did(kdevx_probe_method(c, 0x1001, 0x1000, &present, &why), why);
        memory(c);
        doorbells(c);
        events(c);
        verbs(c);
        kdevx_object *object = nullptr;
        if (!did(kdevx_object_create(c, in.data(), 64, out.data(), 64, &object, &why), why)) return;
        did(kdevx_object_query(object, in.data(), 64, out.data(), 64, &why), why);
        did(kdevx_object_modify(object, in.data(), 64, out.data(), 64, &why), why);
        asynchronous(c, object);
        end(kdevx_object_destroy, object);
    }
    void memory(kdevx_context *c) {
        kdevx_failure why{};
        kdevx_umem *a = nullptr, *b = nullptr;
        kdevx_umem_options o{};
        o.size = sizeof o;
        o.flags = KDEVX_UMEM_DONTFORK;
        if (did(kdevx_umem_reg(c, in.data(), 64, &o, &a, &why), why)) end(kdevx_umem_dereg, a);
        if (did(kdevx_umem_reg_dmabuf(c, 5, 0, 64, nullptr, &b, &why), why))
            end(kdevx_umem_dereg, b);
    }
    void doorbells(kdevx_context *c) {
        kdevx_failure why{};
        kdevx_uar *a = nullptr, *b = nullptr, *own = nullptr;
        std::uint32_t nc = KDEVX_UAR_NC, ladder[] = {KDEVX_UAR_BF, KDEVX_UAR_NC_DEDICATED};
        bool has_a = did(kdevx_uar_alloc(c, &nc, 1, &a, &why), why);
        bool has_b = did(kdevx_uar_alloc(c, &nc, 1, &b, &why), why);
        if (did(kdevx_uar_alloc(c, ladder, 2, &own, &why), why)) end(kdevx_uar_free, own);
        if (has_a) end(kdevx_uar_free, a);
        if (has_b) end(kdevx_uar_free, b);
    }
    void events(kdevx_context *c) {
        kdevx_failure why{};
        kdevx_event_channel *channel = nullptr;
        std::uint16_t type = 9;
        kdevx_event event{};
        event.size = sizeof event;
        if (!did(kdevx_event_channel_create(c, 0, &channel, &why), why)) return;
        did(kdevx_event_subscribe(channel, nullptr, &type, 1, 7, &why), why);
        did(kdevx_event_subscribe_fd(channel, 5, nullptr, &type, 1, &why), why);
        int r = kdevx_event_get(channel, KDEVX_NO_WAIT, &event, &why);
        CHECK((r == 0 ? event.what == KDEVX_EVENT_DEVICE_GONE : r == -why.err));
        end(kdevx_event_channel_destroy, channel);
    }
    void verbs(kdevx_context *c) {
        kdevx_failure why{};
        kdevx_pd *pd = nullptr;
        if (!did(kdevx_pd_alloc(c, &pd, &why), why)) return;
        kdevx_mr *mr = nullptr;
        if (did(kdevx_mr_reg(pd, in.data(), 64, 0, 1, &mr, &why), why)) end(kdevx_mr_dereg, mr);
        kdevx_address to{};
        kdevx_ah *ah = nullptr;
        if (did(kdevx_ah_create(pd, &to, &ah, &why), why)) end(kdevx_ah_destroy, ah);
        kdevx_dm *dm = nullptr;
        if (did(kdevx_dm_alloc(c, KDEVX_DM_MEMIC, 64, 0, &dm, &why), why)) {
            void *address;
            did(kdevx_dm_map_op(dm, 1, &address, &why), why);
            end(kdevx_dm_free, dm);
        }
        kdevx_comp_channel *channel = nullptr;
        bool has_channel = did(kdevx_comp_channel_create(c, &channel, &why), why);
        kdevx_cq_options o{};
        o.size = sizeof o;
        o.cqe = 7;
        o.channel = channel;
        kdevx_cq *cq = nullptr;
        if (did(kdevx_cq_create(c, &o, &cq, &why), why)) {
            queues(c, pd, cq);
            end(kdevx_cq_destroy, cq);
        }
        if (has_channel) end(kdevx_comp_channel_destroy, channel);
        end(kdevx_pd_dealloc, pd);
    }
    void queues(kdevx_context *c, kdevx_pd *pd, kdevx_cq *cq) {
        kdevx_failure why{};
        kdevx_srq_options so{};
        so.size = sizeof so;
        so.max_wr = 7;
        kdevx_srq *srq = nullptr;
        if (did(kdevx_srq_create(pd, &so, &srq, &why), why)) {
            kdevx_srq_attr attr;
            did(kdevx_srq_set_limit(srq, 1, &why), why);
            did(kdevx_srq_query(srq, &attr, &why), why);
            kdevx_srq_ring *ring = nullptr;
            if (did(kdevx_srq_ring_create(srq, nullptr, &ring, &why), why))
                end(kdevx_srq_ring_destroy, ring);
            end(kdevx_srq_destroy, srq);
        }
        for (std::uint32_t type : {KDEVX_QP_RC, KDEVX_QP_RAW_PACKET})
            for (std::uint32_t flags : {0u, std::uint32_t(KDEVX_QP_CROSS_CHANNEL)})
                queue_pair(pd, cq, type, flags);
        kdevx_wq_options wo{};
        wo.size = sizeof wo;
        wo.max_wr = 4;
        wo.cq = cq;
        kdevx_wq *wq = nullptr;
        kdevx_ind_table *table = nullptr;
        if (!did(kdevx_wq_create(pd, &wo, &wq, &why), why)) return;
        if (did(kdevx_ind_table_create(c, 0, &wq, &table, &why), why))
            end(kdevx_ind_table_destroy, table);
        end(kdevx_wq_destroy, wq);
    }
    void queue_pair(kdevx_pd *pd, kdevx_cq *cq, std::uint32_t type, std::uint32_t flags) {
        kdevx_failure why{};
        kdevx_qp_options o{};
        o.size = sizeof o;
        o.type = type;
        o.create_flags = flags;
        o.send_cq = o.recv_cq = cq;
        o.max_send_wr = o.max_recv_wr = 4;
        kdevx_qp *qp = nullptr;
        if (!did(kdevx_qp_create(pd, &o, &qp, &why), why)) return;
        kdevx_qp_attr attr{};
        attr.size = sizeof attr;
        did(kdevx_qp_modify(qp, &attr, KDEVX_QP_STATE, &why), why);
        did(kdevx_qp_query(qp, 0, &attr, &why), why);
        if (type == KDEVX_QP_RC)
            did(kdevx_qp_devx_query(qp, nullptr, 0, out.data(), 256, &why), why);
        rings(cq, qp);
        end(kdevx_qp_destroy, qp);
    }
    void rings(kdevx_cq *cq, kdevx_qp *qp) {
        kdevx_failure why{};
        kdevx_cq_ring *cq_ring = nullptr;
        if (!did(kdevx_cq_ring_create(cq, &cq_ring, &why), why)) return;
        kdevx_qp_ring_options o{};
        o.size = sizeof o;
        o.send_cq = o.recv_cq = cq_ring;
        kdevx_qp_ring *ring = nullptr;
        if (did(kdevx_qp_ring_create(qp, &o, &ring, &why), why)) end(kdevx_qp_ring_destroy, ring);
        end(kdevx_cq_ring_destroy, cq_ring);
    }
    void asynchronous(kdevx_context *c, kdevx_object *object) {
        kdevx_failure why{};
        kdevx_cmd_comp *comp = nullptr;
        if (!did(kdevx_cmd_comp_create(c, &comp, &why), why)) return;
        unsigned sent = 0;
        for (unsigned i = 0; i < 20; ++i)
            sent += did(kdevx_object_query_async(object, in.data(), 64, 64, i, comp, &why), why);
        CHECK(kdevx_cmd_comp_in_flight(comp) == sent);
        for (unsigned i = 0; i < 2 && i < k.numbers.size(); ++i)
            k.answers.push_back({k.numbers[i], mock::random_bytes(64)});
        kdevx_completion done{};
        done.size = sizeof done;
        for (unsigned i = 0; i < 2; ++i)
            did(kdevx_cmd_comp_get(comp, out.data(), 256, 10, &done, &why), why);
        did(kdevx_cmd_comp_get(comp, out.data(), 256, 10, &done, &why), why);
        end(kdevx_cmd_comp_destroy, comp);
    }
};

unsigned calls_in_a_good_run(mock::call kind) {
    mock::kernel k;
    program{k}.run();
    return k.count(kind);
}

} // namespace

TEST_CASE("any call of any kind may fail: nothing leaks, and it is told") {
    struct {
        mock::call kind;
        int err;
        unsigned at_least;
    } kinds[] = {
        {mock::call::memory, ENOMEM, 8},  {mock::call::open, EACCES, 1},
        {mock::call::ioctl, EINVAL, 30},  {mock::call::ioctl, ENOMEM, 30},
        {mock::call::ioctl, EIO, 30},     {mock::call::ioctl, EREMOTEIO, 30},
        {mock::call::mmap, ENOMEM, 10},   {mock::call::read, EFAULT, 3},
        {mock::call::poll, ENOMEM, 1},    {mock::call::fcntl, EBADF, 1},
        {mock::call::madvise, EINVAL, 1},
    };
    unsigned baseline = [] {
        mock::kernel k;
        program p{k};
        p.run();
        CHECK(k.live() == 0);
        return p.failures; // the last get has nothing to take
    }();
    REQUIRE(baseline == 1);
    for (auto kind : kinds) {
        unsigned calls = calls_in_a_good_run(kind.kind);
        CHECK(calls >= kind.at_least);
        for (unsigned n = 0; n < calls; ++n) {
            INFO("kind " << int(kind.kind) << " call " << n << " errno " << kind.err);
            mock::kernel k;
            k.fail(kind.kind, n, kind.err);
            program p{k};
            p.run();
            CHECK(k.live() == 0);
            CHECK(k.broken_rules.empty());
        }
    }
}

TEST_CASE("a device removed at any ioctl: every later call says so, nothing leaks") {
    unsigned calls = calls_in_a_good_run(mock::call::ioctl);
    for (unsigned n = 1; n < calls; ++n) {
        INFO("removed at ioctl " << n);
        mock::kernel k;
        k.on_ioctl = [&, left = n](ib_uverbs_ioctl_hdr *) mutable {
            if (left-- == 0) {
                k.removed = true;
                k.handles.clear();
            }
            return 1;
        };
        program p{k};
        p.run();
        CHECK(p.failures > 0);
        CHECK(k.live() == 0);
        CHECK(k.broken_rules.empty());
    }
}
