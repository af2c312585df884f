// SPDX-License-Identifier: MIT
#include "site.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <sys/mman.h>

namespace example {

void give_up(const kdevx::failure &why) {
    char text[512];
    kdevx_failure_text(&why, text, sizeof text);
    std::fprintf(stderr, "%s\n%s\n", text, kdevx_failure_hint(&why));
    std::exit(1);
}

void give_up(const std::string &message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(1);
}

std::string device_of(int argc, char **argv) {
    if (argc == 3 && !std::strcmp(argv[1], "--device")) return argv[2];
    if (argc != 1) give_up(std::string("usage: ") + argv[0] + " [--device NAME]");
    return "mlx5_0";
}

namespace {

std::uint16_t lid_of(const std::string &device) {
    std::string text;
    std::ifstream("/sys/class/infiniband/" + device + "/ports/1/lid") >> text;
    const auto lid = std::uint16_t(std::strtoul(text.c_str(), nullptr, 0));
    if (!lid) give_up(device + ": port 1 has no LID; these examples need an InfiniBand port");
    return lid;
}

template <class Options>
Options options() {
    Options o{};
    o.size = sizeof o;
    return o;
}

constexpr std::uint32_t all_rights = KDEVX_MR_LOCAL_WRITE | KDEVX_MR_REMOTE_WRITE |
                                     KDEVX_MR_REMOTE_READ | KDEVX_MR_REMOTE_ATOMIC;

} // namespace

site::site(const std::string &device)
    : context(need(kdevx::context::open(device.c_str()))), pd(need(kdevx::pd::alloc(context))),
      lid(lid_of(device)) {}

memory::memory(const site &s, std::size_t words)
    : at_(mmap(nullptr, words * 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
      size_(words * 8) {
    if (at_ == MAP_FAILED) give_up("no memory");
    mr_ = need(kdevx::mr::reg(s.pd, {static_cast<std::byte *>(at_), size_}, all_rights));
    info_ = need(mr_.info());
}

memory::~memory() {
    mr_ = kdevx::mr();
    munmap(at_, size_);
}

completions::completions(const site &s, std::uint32_t entries)
    : cq_(need([&] {
          auto o = options<kdevx_cq_options>();
          o.cqe = entries;
          return kdevx::cq::create(s.context, o);
      }())),
      ring_(need(kdevx::cq_ring::create(cq_))) {}

bool completions::take(kdevx_wc &wc) const {
    if (kdevx_poll_cq(ring(), &wc, 1) != 1) return false;
    if (wc.syndrome)
        give_up(std::string("completion with ") + kdevx_syndrome_name(wc.syndrome) + ": " +
                kdevx_syndrome_text(wc.syndrome));
    if (wc.problem) give_up(kdevx_wc_problem_name(wc.problem));
    return true;
}

kdevx_wc completions::wait() const {
    kdevx_wc wc;
    while (!take(wc)) {
    }
    return wc;
}

endpoint::endpoint(const site &s, std::uint32_t flags, std::uint32_t depth,
                   std::uint32_t inline_bytes)
    : sent(s), received(s), qp(need([&] {
          auto o = options<kdevx_qp_options>();
          o.type = KDEVX_QP_RC;
          o.create_flags = flags;
          o.send_cq = sent.cq();
          o.recv_cq = received.cq();
          o.max_send_wr = o.max_recv_wr = depth;
          o.max_send_sge = o.max_recv_sge = 1;
          o.max_inline_data = inline_bytes;
          return kdevx::qp::create(s.pd, o);
      }())),
      ring(need([&] {
          auto o = options<kdevx_qp_ring_options>();
          o.send_cq = sent.ring();
          o.recv_cq = received.ring();
          return kdevx::qp_ring::create(qp, o);
      }())),
      number(need(qp.info()).qpn) {}

void endpoint::connect(const site &s, const endpoint &peer) const {
    auto a = options<kdevx_qp_attr>();
    a.qp_state = KDEVX_QPS_INIT;
    a.port_num = 1;
    a.access_flags = all_rights;
    need(qp.modify_verbs(a, KDEVX_QP_STATE | KDEVX_QP_PKEY_INDEX | KDEVX_QP_PORT |
                                KDEVX_QP_ACCESS_FLAGS));
    a.qp_state = KDEVX_QPS_RTR;
    a.path_mtu = 3; // 1024 bytes
    a.dest_qp_num = peer.number;
    a.max_dest_rd_atomic = 1;
    a.min_rnr_timer = 12;
    a.ah.dlid = s.lid;
    a.ah.port_num = 1;
    need(qp.modify_verbs(a, KDEVX_QP_STATE | KDEVX_QP_AV | KDEVX_QP_PATH_MTU | KDEVX_QP_DEST_QPN |
                                KDEVX_QP_RQ_PSN | KDEVX_QP_MAX_DEST_RD_ATOMIC |
                                KDEVX_QP_MIN_RNR_TIMER));
    a.qp_state = KDEVX_QPS_RTS;
    a.timeout = 14;
    a.retry_cnt = 7;
    a.rnr_retry = 7;
    a.max_rd_atomic = 1;
    need(qp.modify_verbs(a, KDEVX_QP_STATE | KDEVX_QP_TIMEOUT | KDEVX_QP_RETRY_CNT |
                                KDEVX_QP_RNR_RETRY | KDEVX_QP_SQ_PSN | KDEVX_QP_MAX_QP_RD_ATOMIC));
}

void connect(const site &s, const endpoint &a, const endpoint &b) {
    a.connect(s, b);
    b.connect(s, a);
}

kdevx_send_wr send_of(const kdevx_sge &data, std::uint64_t id, std::uint32_t flags) {
    kdevx_send_wr w{};
    w.wr_id = id;
    w.sg_list = &data;
    w.num_sge = 1;
    w.op = KDEVX_SEND;
    w.flags = flags;
    return w;
}

kdevx_recv_wr receive_into(const kdevx_sge &data, std::uint64_t id) {
    return {id, nullptr, &data, 1};
}

kdevx_send_wr wait_for(const completions &cq, std::uint32_t count) {
    kdevx_send_wr w{};
    w.op = KDEVX_WAIT_CQ;
    w.flags = KDEVX_SEND_WAIT_ENABLE_LAST;
    w.u.wait = {cq.ring(), count};
    return w;
}

kdevx_send_wr enable_send(const endpoint &target, std::uint32_t requests) {
    kdevx_send_wr w{};
    w.op = KDEVX_SEND_ENABLE;
    w.flags = KDEVX_SEND_WAIT_ENABLE_LAST;
    w.u.enable = {target.ring.get(), requests};
    return w;
}

} // namespace example
