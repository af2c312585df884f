// SPDX-License-Identifier: MIT
#include "verbs.hpp"

#include <bit>

namespace kdevx::vm {

bool operator==(const outcome &got, const held_by &holder) {
    return got.err == EBUSY && got.why.cause == KDEVX_CAUSE_BUSY &&
           got.why.detail[0] == holder.kind && got.why.detail[1] == holder.handle;
}

std::ostream &operator<<(std::ostream &to, const held_by &holder) {
    return to << "-EBUSY BUSY, held by kind " << int(holder.kind) << " handle " << holder.handle;
}

kdevx_cq_options cq_of(std::uint32_t cqe) {
    auto o = sized<kdevx_cq_options>();
    o.cqe = cqe;
    return o;
}

mr_ptr verbs::make_mr(const pages &memory, std::uint32_t access) {
    return make<mr_ptr>(kdevx_mr_reg, pd.get(), static_cast<void *>(memory.data()), memory.size(),
                        std::uint64_t(std::uintptr_t(memory.data())), access);
}

ind_table_ptr verbs::make_table(std::initializer_list<kdevx_wq *> wqs) {
    return make<ind_table_ptr>(kdevx_ind_table_create, context.get(),
                               std::uint32_t(std::bit_width(wqs.size()) - 1), wqs.begin());
}

kdevx_srq_options verbs::srq_of(std::uint32_t max_wr) {
    auto o = sized<kdevx_srq_options>();
    o.max_wr = max_wr;
    o.max_sge = 1;
    return o;
}

kdevx_wq_options verbs::wq_of(std::uint32_t max_wr) {
    auto o = sized<kdevx_wq_options>();
    o.max_wr = max_wr;
    o.max_sge = 1;
    o.cq = cq.get();
    return o;
}

kdevx_qp_options verbs::qp_of(std::uint32_t type) {
    auto o = sized<kdevx_qp_options>();
    o.type = type;
    o.user_index = 0x123456;
    if (type == KDEVX_QP_XRC_TGT) return o;
    o.recv_cq = cq.get();
    if (type == KDEVX_QP_DCT) return o;
    o.send_cq = cq.get();
    o.max_send_wr = 16;
    o.max_send_sge = 2;
    if (type == KDEVX_QP_XRC_INI) o.recv_cq = nullptr;
    if (type == KDEVX_QP_XRC_INI || type == KDEVX_QP_DCI) return o;
    o.max_recv_wr = 16;
    o.max_recv_sge = 2;
    return o;
}

} // namespace kdevx::vm
