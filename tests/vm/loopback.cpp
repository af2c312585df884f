// SPDX-License-Identifier: MIT
#include "loopback.hpp"

namespace kdevx::vm {
namespace {

// Where in the bench's memory everything is.
constexpr std::uint64_t cq_ring = 0, receive_ring = 0x4000, send_ring = 0x10000, payload = 0x90000;
constexpr std::size_t cqe_size = 64, stride = 64;
constexpr unsigned log_depth = 4, log_stride = 6;
constexpr std::uint8_t invalid_cqe = 0xf0, shared_receives = 1;
// Doorbell records, one to a cache line.
constexpr std::size_t cq_record = 0, qp_record = 1, rmp_record = 2, line = 64;

std::uint64_t number_of(const object_ptr &o) {
    return info_of(o.get()).device_id & 0xffffff;
}

std::uint64_t own_lid() {
    const std::string path = "/sys/class/infiniband/" + under_test().name + "/ports/1/lid";
    return std::stoul(read_file(path), nullptr, 0);
}

} // namespace

kdevx_wc next(const cq_ring_ptr &completions) {
    kdevx_wc wc{};
    REQUIRE(wait_for(std::chrono::seconds(30),
                     [&] { return kdevx_poll_cq(completions.get(), &wc, 1) == 1; }));
    return wc;
}

std::uint32_t *loopback::record(std::size_t n) {
    return reinterpret_cast<std::uint32_t *>(bench_.memory() + bench::record + n * line);
}

object_ptr loopback::make_cq() {
    std::memset(bench_.memory() + cq_ring, invalid_cqe, cqes * cqe_size);
    return bench_.create(bench_.cq(log_cqes));
}

object_ptr loopback::make_rmp() {
    exchange x = bench_.recipe(resource::rmpn);
    x.set("ctx.wq.wq_type", prm::value_of<prm::wq_types, "LINKED_LIST">);
    x.set("ctx.wq.log_wq_stride", log_stride).set("ctx.wq.log_wq_sz", log_depth);
    x.set("ctx.wq.wq_umem_offset", receive_ring);
    return bench_.create(x.set("ctx.wq.dbr_addr", bench::record + rmp_record * line));
}

object_ptr loopback::make_qp() {
    exchange x = bench_.qp();
    x.set("qpc.cqn_snd", number_of(cq)).set("qpc.cqn_rcv", number_of(cq));
    x.set("qpc.rq_type", shared_receives).set("qpc.srqn_rmpn_xrqn", number_of(rmp));
    x.set("qpc.log_rq_size", 0).set("qpc.log_rq_stride", 0).set("qpc.log_sq_size", log_depth);
    x.set("wq_umem_offset", send_ring);
    return bench_.create(x.set("qpc.dbr_addr", bench::record + qp_record * line));
}

void loopback::connect() {
    const auto step = [this](const char *name) { return exchange(name).set("qpn", number_of(qp)); };
    exchange init = step("RST2INIT_QP"), rtr = step("INIT2RTR_QP"), rts = step("RTR2RTS_QP");
    init.set("qpc.pm_state", prm::value_of<prm::qpc_pm_states, "MIGRATED">);
    init.set("qpc.primary_address_path.vhca_port_num", 1).set("qpc.rwe", 1);
    rtr.set("qpc.remote_qpn", number_of(qp)).set("qpc.mtu", 3).set("qpc.log_msg_max", 30);
    rtr.set("qpc.primary_address_path.vhca_port_num", 1);
    rtr.set("qpc.primary_address_path.rlid", own_lid());
    rts.set("qpc.retry_count", 7).set("qpc.rnr_retry", 7);
    rts.set("qpc.primary_address_path.ack_timeout", 14);
    for (exchange *x : {&init, &rtr, &rts})
        REQUIRE(modify(qp.get(), *x) == ok);
}

loopback::loopback()
    : cq(make_cq()), rmp(make_rmp()), mkey(bench_.create(bench_.mkey())), qp(make_qp()) {
    connect();
    const auto info = info_of(bench_.uar());
    auto c = sized<kdevx_cq_ring_options>();
    c.buffer = bench_.memory() + cq_ring;
    c.buffer_size = cqes * cqe_size;
    c.dbrec = record(cq_record);
    c.uar = info.base_addr;
    c.cqn = std::uint32_t(number_of(cq));
    c.cqe_size = cqe_size;
    completions = make<cq_ring_ptr>(kdevx_cq_ring_create_devx, context(), &c);
    auto r = sized<kdevx_srq_ring_options>();
    r.buffer = bench_.memory() + receive_ring;
    r.buffer_size = stride << log_depth;
    r.dbrec = record(rmp_record);
    r.srqn = std::uint32_t(number_of(rmp));
    r.stride = stride;
    r.max_sge = 1;
    receives = make<srq_ring_ptr>(kdevx_srq_ring_create_devx, context(), &r);
    auto q = sized<kdevx_qp_ring_options>();
    q.send_cq = q.recv_cq = completions.get();
    q.srq = receives.get();
    q.max_send_sge = 1;
    q.qpn = std::uint32_t(number_of(qp));
    q.state = KDEVX_QPS_RTS;
    q.sq_buffer = bench_.memory() + send_ring;
    q.sq_size = stride << log_depth;
    q.dbrec = record(qp_record);
    q.uar = info.base_addr;
    q.uar_reg = info.reg_addr;
    sends = make<qp_ring_ptr>(kdevx_qp_ring_create_devx, context(), &q);
}

std::uint32_t loopback::key() const {
    return std::uint32_t(number_of(mkey)) << 8;
}

kdevx_sge loopback::data() {
    return {std::uintptr_t(bench_.memory()) + payload, 16, key()};
}

void loopback::receive(unsigned count) {
    const kdevx_sge into = data();
    for (; count; --count) {
        const kdevx_recv_wr w{count, nullptr, &into, 1};
        const kdevx_recv_wr *bad = nullptr;
        REQUIRE(call(kdevx_post_srq_recv, receives.get(), &w, &bad) == ok);
    }
}

void loopback::post(kdevx_send_wr &w) {
    const kdevx_sge from = data();
    w.sg_list = &from;
    w.num_sge = 1;
    w.flags = KDEVX_SEND_SIGNALED;
    const kdevx_send_wr *bad = nullptr;
    REQUIRE(call(kdevx_post_send, sends.get(), static_cast<const kdevx_send_wr *>(&w), &bad) == ok);
}

void loopback::send() {
    kdevx_send_wr w{};
    w.op = KDEVX_SEND;
    post(w);
}

void loopback::write(std::uint32_t rkey) {
    kdevx_send_wr w{};
    w.op = KDEVX_RDMA_WRITE;
    w.u.rdma = {data().addr, rkey};
    post(w);
}

} // namespace kdevx::vm
