// SPDX-License-Identifier: MIT
#include "core/context.hpp"

namespace kdevx::core {

result<entered> enter(context *c) noexcept {
    if (!c) return invalid("context");
    if (!c->enter()) return closed("context");
    return entered(*c);
}

// The page that queues shared may be left, if the kernel did not take it back from the last of
// them.
context::~context() {
    const uar_page &p = nc_uar.page;
    if (p.base) sys_.munmap(p.base, p.length);
}

void context::leave() noexcept {
    if (gate_.leave()) end_file();
}

void context::close() noexcept {
    if (gate_.shut()) end_file();
}

// Nobody is inside any more, and nobody enters. A borrowed file goes on living with its owner, so
// what was made through this context must end now; what the kernel will not let go stays until the
// owner closes the file.
void context::end_file() noexcept {
    if (ownership_ == KDEVX_FD_OWNED)
        sys_.close(file_.fd);
    else
        slots.end_all();
    release();
}

void context::release() noexcept {
    if (references_.fetch_sub(1) != 1) return;
    memory m = sys_.memory();
    this->~context();
    m.release(m.arg, this);
}

kdevx_context_info context::info(bool uctx_caps_known, std::uint32_t uctx_caps) const noexcept {
    const mlx5_ib_alloc_ucontext_resp &r = response_;
    kdevx_context_info i{};
    i.fd = file_.fd;
    i.ownership = ownership_;
    i.has_devx = file_.uid == uverbs::devx_uid::present;
    i.adopted = adopted_;
    i.num_comp_vectors = num_comp_vectors_;
    i.uctx_caps_asked = uctx_caps_asked_;
    i.uctx_caps_offered = uctx_caps;
    i.uctx_caps_known = uctx_caps_known;
    i.core_support = core_support_;
    i.devx_refused = devx_refused_;
    i.qp_tab_size = r.qp_tab_size;
    i.bf_reg_size = r.bf_reg_size;
    i.tot_bfregs = r.tot_bfregs;
    i.cache_line_size = r.cache_line_size;
    i.max_sq_desc_sz = r.max_sq_desc_sz;
    i.max_rq_desc_sz = r.max_rq_desc_sz;
    i.max_send_wqebb = r.max_send_wqebb;
    i.max_recv_wr = r.max_recv_wr;
    i.max_srq_recv_wr = r.max_srq_recv_wr;
    i.num_ports = r.num_ports;
    i.flow_action_flags = r.flow_action_flags;
    i.comp_mask = r.comp_mask;
    i.response_length = r.response_length;
    i.cqe_version = r.cqe_version;
    i.cmds_supp_uhw = r.cmds_supp_uhw;
    i.eth_min_inline = r.eth_min_inline;
    i.clock_info_versions = r.clock_info_versions;
    i.hca_core_clock_offset = r.hca_core_clock_offset;
    i.log_uar_size = r.log_uar_size;
    i.num_uars_per_page = r.num_uars_per_page;
    i.num_dyn_bfregs = r.num_dyn_bfregs;
    i.dump_fill_mkey = r.dump_fill_mkey;
    return i;
}

} // namespace kdevx::core
