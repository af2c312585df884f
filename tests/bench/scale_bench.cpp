// SPDX-License-Identifier: MIT
// kdevx-scale-bench KIND N FROM TO: makes and ends N objects of a kind, those from FROM to TO by a
// function of their own, so that callgrind can count what the library does for these. The kernel is
// made up here: it says yes to everything. Prints what an object takes of memory.
#include "kabi/kabi.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kdevx/kdevx.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5-abi.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <string_view>
#include <vector>

namespace {

// ---- the kernel

std::uint32_t handles = 0;
constexpr std::uint32_t one = 1;
std::size_t taken = 0; // bytes, by the library

void fill_in(ib_uverbs_attr &a, const kdevx::kabi::attr &row) {
    if (row.kind == kdevx::kabi::new_handle) a.data = handles++;
    if (row.kind == kdevx::kabi::new_fd) a.data = 1000;
    if (row.kind != kdevx::kabi::ptr_out) return;
    auto *to = reinterpret_cast<void *>(std::uintptr_t(a.data));
    std::memset(to, 0, a.len);
    if (row.name.ends_with("NUM_COMP_VECTORS")) std::memcpy(to, &one, sizeof one);
    a.flags |= UVERBS_ATTR_F_VALID_OUTPUT;
}

// What queues may be like, where it is the context that tells.
void limit(ib_uverbs_attr &uhw) {
    mlx5_ib_alloc_ucontext_resp r{};
    r.bf_reg_size = 1024;
    r.max_sq_desc_sz = 1024;
    r.max_rq_desc_sz = 512;
    r.max_send_wqebb = r.max_recv_wr = r.max_srq_recv_wr = 32768;
    r.num_ports = 1;
    std::memcpy(reinterpret_cast<void *>(std::uintptr_t(uhw.data)), &r,
                std::min<std::size_t>(sizeof r, uhw.len));
}

int answer(void *argument) {
    auto *h = static_cast<ib_uverbs_ioctl_hdr *>(argument);
    const auto *m = kdevx::kabi::find_method(h->object_id, h->method_id);
    for (unsigned i = 0; m && i < h->num_attrs; ++i)
        if (const auto *row = m->find(h->attrs[i].attr_id)) fill_in(h->attrs[i], *row);
    if (m == &kdevx::kabi::device::get_context)
        for (unsigned i = 0; i < h->num_attrs; ++i)
            if (h->attrs[i].attr_id == UVERBS_ATTR_UHW_OUT) limit(h->attrs[i]);
    return m ? 0 : -EPROTONOSUPPORT;
}
// Entered only while something is counted, and not counted.
[[gnu::noinline]] int uncounted_answer(void *argument) {
    return answer(argument);
}
bool counting = false;

int made_up_ioctl(void *, int, unsigned long, void *argument) {
    return counting ? uncounted_answer(argument) : answer(argument);
}
int made_up_open(void *, const char *, int) {
    return 1000;
}
int made_up_close(void *, int) {
    return 0;
}
int made_up_fcntl(void *, int, int, long) {
    return 0;
}
void *made_up_allocate(void *, std::size_t size) {
    taken += size;
    return std::malloc(size);
}
void made_up_release(void *, void *memory) {
    std::free(memory);
}

// Memory of queues and pages of doorbells: zeros, whoever's they are.
int made_up_mmap(void *, std::size_t length, int, int, int, std::uint64_t, void **address) {
    static std::vector<char> pages(1 << 20);
    if (length > pages.size() - 4096) return -ENOMEM;
    *address = reinterpret_cast<void *>((std::uintptr_t(pages.data()) + 4095) & ~std::uintptr_t(4095));
    return 0;
}
int made_up_munmap(void *, void *, std::size_t) {
    return 0;
}

[[noreturn]] void give_up(const kdevx_failure &why) {
    char text[200];
    kdevx_failure_text(&why, text, sizeof text);
    std::fprintf(stderr, "%s\n", text);
    std::exit(1);
}

kdevx_context *open_context() {
    kdevx_sys sys{};
    sys.size = sizeof sys;
    sys.open = made_up_open;
    sys.close = made_up_close;
    sys.ioctl = made_up_ioctl;
    sys.fcntl = made_up_fcntl;
    sys.mmap = made_up_mmap;
    sys.munmap = made_up_munmap;
    sys.allocate = made_up_allocate;
    sys.release = made_up_release;
    kdevx_open_options o{};
    o.size = sizeof o;
    o.sys = &sys;
    kdevx_context *c = nullptr;
    kdevx_failure why{};
    if (kdevx_context_open_path("/dev/infiniband/uverbs0", &o, &c, &why) == 0) return c;
    give_up(why);
}

template <class Options>
Options options() {
    Options o{};
    o.size = sizeof o;
    return o;
}

alignas(4096) char memory[4096];

// ---- the objects

// What others are made of.
struct world {
    kdevx_context *context = open_context();
    kdevx_pd *pd = base<kdevx_pd>(kdevx_pd_alloc, context);
    kdevx_cq *cq = make_cq(32);
    kdevx_cq_ring *cq_ring = base<kdevx_cq_ring>(kdevx_cq_ring_create, cq);
    kdevx_srq *srq = make_srq();
    kdevx_qp *qp = make_qp();
    kdevx_wq *wq = make_wq();
    kdevx_flow_matcher *matcher = make_matcher();

    template <class T, class F, class... Given>
    static T *base(F make, Given... given) {
        T *made = nullptr;
        kdevx_failure why{};
        if (make(given..., &made, &why) == 0) return made;
        give_up(why);
    }
    kdevx_cq *make_cq(unsigned cqe) const {
        auto o = options<kdevx_cq_options>();
        o.cqe = cqe;
        return base<kdevx_cq>(kdevx_cq_create, context, &o);
    }
    kdevx_srq *make_srq() const {
        auto o = options<kdevx_srq_options>();
        o.max_wr = 15;
        return base<kdevx_srq>(kdevx_srq_create, pd, &o);
    }
    kdevx_qp *make_qp() const {
        auto o = options<kdevx_qp_options>();
        o.type = KDEVX_QP_RC;
        o.send_cq = o.recv_cq = cq;
        o.max_send_wr = o.max_recv_wr = 4;
        return base<kdevx_qp>(kdevx_qp_create, pd, &o);
    }
    kdevx_wq *make_wq() const {
        auto o = options<kdevx_wq_options>();
        o.max_wr = 4;
        o.cq = cq;
        return base<kdevx_wq>(kdevx_wq_create, pd, &o);
    }
    kdevx_flow_matcher *make_matcher() const {
        auto o = options<kdevx_flow_matcher_options>();
        o.mask = memory;
        o.mask_size = 64;
        return base<kdevx_flow_matcher>(kdevx_flow_matcher_create, context, &o);
    }
    kdevx_flow *make_flow() const {
        auto o = options<kdevx_flow_options>();
        o.match_value = memory;
        o.match_value_size = 64;
        o.dest_qp = qp;
        return base<kdevx_flow>(kdevx_flow_create, matcher, &o);
    }
    kdevx_ah *make_ah() const {
        kdevx_address a{};
        a.dlid = 1;
        a.port_num = 1;
        return base<kdevx_ah>(kdevx_ah_create, pd, &a);
    }
    kdevx_object *make_object() const {
        static const unsigned char alloc_pd[16] = {0x08};
        unsigned char out[16];
        return base<kdevx_object>(kdevx_object_create, context, alloc_pd, sizeof alloc_pd, out,
                                  sizeof out);
    }
    kdevx_uar *make_uar() const {
        const std::uint32_t type = KDEVX_UAR_NC_DEDICATED;
        return base<kdevx_uar>(kdevx_uar_alloc, context, &type, std::size_t(1));
    }
};

struct kind {
    const char *name;
    void *(*make)(const world &);
    int (*end)(void *);
};

template <class T, int (*End)(T *, kdevx_failure *) noexcept>
int end(void *made) {
    return End(static_cast<T *>(made), nullptr);
}

#define MADE(...) [](const world &w) -> void * { return __VA_ARGS__; }
#define OF(T, make, ...) MADE(world::base<T>(make, __VA_ARGS__))
const kind kinds[] = {
    {"pd", OF(kdevx_pd, kdevx_pd_alloc, w.context), end<kdevx_pd, kdevx_pd_dealloc>},
    {"object", MADE(w.make_object()), end<kdevx_object, kdevx_object_destroy>},
    {"umem",
     OF(kdevx_umem, kdevx_umem_reg, w.context, memory, sizeof memory,
        static_cast<const kdevx_umem_options *>(nullptr)),
     end<kdevx_umem, kdevx_umem_dereg>},
    {"cmd_comp", OF(kdevx_cmd_comp, kdevx_cmd_comp_create, w.context),
     end<kdevx_cmd_comp, kdevx_cmd_comp_destroy>},
    {"event_channel", OF(kdevx_event_channel, kdevx_event_channel_create, w.context, 0u),
     end<kdevx_event_channel, kdevx_event_channel_destroy>},
    {"async_fd", OF(kdevx_async_fd, kdevx_async_fd_create, w.context),
     end<kdevx_async_fd, kdevx_async_fd_destroy>},
    {"comp_channel", OF(kdevx_comp_channel, kdevx_comp_channel_create, w.context),
     end<kdevx_comp_channel, kdevx_comp_channel_destroy>},
    {"uar", MADE(w.make_uar()), end<kdevx_uar, kdevx_uar_free>},
    {"mr",
     OF(kdevx_mr, kdevx_mr_reg, w.pd, memory, sizeof memory, std::uint64_t(0),
        std::uint32_t(KDEVX_ACCESS_LOCAL_WRITE)),
     end<kdevx_mr, kdevx_mr_dereg>},
    {"dm", OF(kdevx_dm, kdevx_dm_alloc, w.context, 0u, std::uint64_t(4096), 0u),
     end<kdevx_dm, kdevx_dm_free>},
    {"xrcd", OF(kdevx_xrcd, kdevx_xrcd_open, w.context), end<kdevx_xrcd, kdevx_xrcd_close>},
    {"ah", MADE(w.make_ah()), end<kdevx_ah, kdevx_ah_destroy>},
    {"cq", MADE(w.make_cq(15)), end<kdevx_cq, kdevx_cq_destroy>},
    {"srq", MADE(w.make_srq()), end<kdevx_srq, kdevx_srq_destroy>},
    {"qp", MADE(w.make_qp()), end<kdevx_qp, kdevx_qp_destroy>},
    {"wq", MADE(w.make_wq()), end<kdevx_wq, kdevx_wq_destroy>},
    {"ind_table", OF(kdevx_ind_table, kdevx_ind_table_create, w.context, 0u, &w.wq),
     end<kdevx_ind_table, kdevx_ind_table_destroy>},
    {"var", OF(kdevx_var, kdevx_var_alloc, w.context, 0u), end<kdevx_var, kdevx_var_free>},
    {"pp", OF(kdevx_pp, kdevx_pp_alloc, w.context, memory, std::size_t(48), 0u),
     end<kdevx_pp, kdevx_pp_free>},
    {"flow_matcher", MADE(w.make_matcher()), end<kdevx_flow_matcher, kdevx_flow_matcher_destroy>},
    {"flow", MADE(w.make_flow()), end<kdevx_flow, kdevx_flow_destroy>},
    {"flow_action",
     OF(kdevx_flow_action, kdevx_modify_header_create, w.context, memory, std::size_t(8),
        std::uint32_t(KDEVX_FT_NIC_RX)),
     end<kdevx_flow_action, kdevx_flow_action_destroy>},
    {"steering_anchor",
     OF(kdevx_steering_anchor, kdevx_steering_anchor_create, w.context,
        std::uint32_t(KDEVX_FT_NIC_RX), std::uint16_t(0)),
     end<kdevx_steering_anchor, kdevx_steering_anchor_destroy>},
};

const kind *find(std::string_view name) {
    for (const kind &k : kinds)
        if (k.name == name) return &k;
    return nullptr;
}

[[gnu::noinline]] void *counted_make(const kind &k, const world &w) {
    counting = true;
    void *made = k.make(w);
    counting = false;
    return made;
}
[[gnu::noinline]] int counted_end(const kind &k, void *made) {
    counting = true;
    const int result = k.end(made);
    counting = false;
    return result;
}

} // namespace

int main(int argc, char **argv) {
    const kind *k = argc == 5 ? find(argv[1]) : nullptr;
    if (!k) return std::fprintf(stderr, "usage: kdevx-scale-bench KIND N FROM TO\n"), 1;
    const std::size_t n = std::strtoul(argv[2], nullptr, 0),
                      from = std::strtoul(argv[3], nullptr, 0),
                      to = std::strtoul(argv[4], nullptr, 0);
    const world w;
    const std::size_t before = taken;
    std::vector<void *> all(n);
    for (std::size_t i = 0; i < n; ++i)
        all[i] = i >= from && i < to ? counted_make(*k, w) : k->make(w);
    std::printf("%.1f\n", double(taken - before) / double(n));
    for (std::size_t i = 0; i < n; ++i)
        if (i >= from && i < to ? counted_end(*k, all[i]) : k->end(all[i])) return 1;
    kdevx_context_close(w.context);
    return 0;
}
