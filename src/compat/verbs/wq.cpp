// SPDX-License-Identifier: MIT
// Receive work queues and the tables that spread packets over them.
#include <cstdlib>

#include "compat/verbs/ops.hpp"
#include "compat/verbs/rings.hpp"
#include "compat/verbs/waits.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

static_assert(int(IBV_WQS_RDY) == int(KDEVX_WQS_RDY) && int(IBV_WQS_ERR) == int(KDEVX_WQS_ERR));
static_assert(int(IBV_WQ_ATTR_CURR_STATE) == int(KDEVX_WQ_CUR_STATE) &&
              int(IBV_WQ_ATTR_FLAGS) == int(KDEVX_WQ_FLAGS));

namespace {

kdevx_wq_options options_of(const ibv_wq_init_attr &init, verbs::wq &q) {
    kdevx_wq_options o = sized<kdevx_wq_options>();
    o.max_wr = init.max_wr;
    o.max_sge = init.max_sge;
    o.flags = init.comp_mask & IBV_WQ_INIT_ATTR_FLAGS ? init.create_flags : 0;
    o.user_handle = std::uint64_t(reinterpret_cast<std::uintptr_t>(&q));
    o.cq = ours(init.cq)->own;
    return o;
}

bool create(attempt &a, context &c, ibv_wq_init_attr &init, verbs::wq &q) {
    const kdevx_wq_options o = options_of(init, q);
    if (!a.good(kdevx_wq_create(ours(init.pd)->own, &o, &q.own, a))) return false;
    q.shown.cq = init.cq;
    if (a.good(make_ring(c, q, a))) return true;
    kdevx_wq_destroy(q.own, nullptr);
    return false;
}

void describe(verbs::wq &q, ibv_context *context, ibv_wq_init_attr &init) {
    const auto info = info_of<kdevx_wq_info>(q.own, kdevx_wq_get_info);
    q.shown.context = context;
    q.shown.wq_context = init.wq_context;
    q.shown.pd = init.pd;
    q.shown.wq_num = info.rqn;
    q.shown.handle = info.handle;
    q.shown.post_recv = post_wq_recv;
    make_waitable(q.shown);
    init.max_wr = info.wqe_count;
    init.max_sge = 1u << info.wqe_shift >> 4;
}

bool is_sound(attempt &a, const ibv_wq_init_attr &init) {
    if (!init.pd || !init.cq) return a.invalid(init.pd ? "cq" : "pd"), false;
    if (!a.takes_all(init.pd, init.cq)) return false;
    if (init.wq_type != IBV_WQT_RQ) return a.invalid("wq_type"), false;
    if (init.comp_mask & ~std::uint32_t(IBV_WQ_INIT_ATTR_FLAGS))
        return a.not_supported("comp_mask"), false;
    return true;
}

// A ring takes requests in each state but RESET.
int follow(attempt &a, const verbs::wq &q) {
    const std::uint32_t state = q.shown.state == IBV_WQS_RESET ? KDEVX_QPS_RESET
                                : q.shown.state == IBV_WQS_RDY ? KDEVX_QPS_RTR
                                                               : KDEVX_QPS_ERR;
    return a.ended(kdevx_qp_ring_set_state(q.ring, state, a));
}

// The kdevx.h objects of a table's WQs.
class members {
    kdevx_wq **list_;

public:
    members(const ibv_rwq_ind_table_init_attr &init, std::size_t count)
        : list_(static_cast<kdevx_wq **>(std::calloc(count, sizeof(kdevx_wq *)))) {
        for (std::size_t i = 0; list_ && i < count; ++i)
            list_[i] = init.ind_tbl[i] ? ours(init.ind_tbl[i])->own : nullptr;
    }
    members(const members &) = delete;
    ~members() { std::free(list_); }
    kdevx_wq *const *get() const { return list_; }
};

bool is_sound(attempt &a, const ibv_rwq_ind_table_init_attr &init) {
    if (init.comp_mask) return a.not_supported("comp_mask"), false;
    if (init.log_ind_tbl_size > KDEVX_MAX_LOG_IND_TABLE_SIZE)
        return a.invalid("log_ind_tbl_size"), false;
    for (std::size_t i = 0; i < std::size_t(1) << init.log_ind_tbl_size; ++i)
        if (!a.takes_all(init.ind_tbl[i])) return false;
    return true;
}

} // namespace

ibv_wq *ibv_create_wq(ibv_context *context, ibv_wq_init_attr *init) {
    attempt a;
    if (!a.takes(context) || !is_sound(a, *init)) return nullptr;
    owned<verbs::wq> q = make<verbs::wq>();
    if (!q) return a.no_memory(), nullptr;
    if (!create(a, *ours(context), *init, *q)) return nullptr;
    describe(*q, context, *init);
    return &q.disown()->shown;
}

int ibv_modify_wq(ibv_wq *wq, ibv_wq_attr *attr) {
    attempt a;
    if (!a.takes(wq->context)) return EXDEV;
    verbs::wq *q = ours(wq);
    const kdevx_wq_attr wanted{std::uint32_t(attr->wq_state), std::uint32_t(attr->curr_wq_state),
                               attr->flags, attr->flags_mask};
    if (int err = a.ended(kdevx_wq_modify(q->own, &wanted, attr->attr_mask, a))) return err;
    if (!(attr->attr_mask & IBV_WQ_ATTR_STATE)) return 0;
    wq->state = attr->wq_state;
    return follow(a, *q);
}

int ibv_destroy_wq(ibv_wq *wq) {
    attempt a;
    if (!a.takes(wq->context)) return EXDEV;
    verbs::wq *q = ours(wq);
    if (int err = a.ended(kdevx_wq_destroy(q->own, a))) return err;
    kdevx_qp_ring_destroy(q->ring, nullptr);
    wait_for(*wq, wq->events_completed, q->events_taken);
    end_waitable(*wq);
    end(q);
    return 0;
}

ibv_rwq_ind_table *ibv_create_rwq_ind_table(ibv_context *context,
                                            ibv_rwq_ind_table_init_attr *init) {
    attempt a;
    if (!a.takes(context) || !is_sound(a, *init)) return nullptr;
    const members wqs(*init, std::size_t(1) << init->log_ind_tbl_size);
    owned<ind_table> t = make<ind_table>();
    if (!t || !wqs.get()) return a.no_memory(), nullptr;
    if (!a.good(kdevx_ind_table_create(ours(context)->own, init->log_ind_tbl_size, wqs.get(),
                                       &t->own, a)))
        return nullptr;
    const auto info = info_of<kdevx_ind_table_info>(t->own, kdevx_ind_table_get_info);
    t->shown = {context, int(info.handle), int(info.rqtn), 0};
    return &t.disown()->shown;
}

int ibv_destroy_rwq_ind_table(ibv_rwq_ind_table *table) {
    attempt a;
    if (!a.takes(table->context)) return EXDEV;
    if (int err = a.ended(kdevx_ind_table_destroy(ours(table)->own, a))) return err;
    end(ours(table));
    return 0;
}
