// SPDX-License-Identifier: MIT
// kdevx demo: the life of a queue pair, made, moved, asked and destroyed through DEVX alone, told
// as it happens; with the refusals that belong to the interface as much as the successes.
#include "command.hpp"
#include "demo_queues.hpp"
#include "devices.hpp"
#include "mailbox.hpp"
#include "narrator.hpp"
#include "owned.hpp"
#include "decode/explain.hpp"

#include "kdevx/prm/caps.hpp"
#include "kdevx/prm/hca.hpp"
#include "kdevx/prm/pd.hpp"
#include "kdevx/prm/roce.hpp"
#include "kdevx/prm/vport.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include <fmt/format.h>
#include <sys/utsname.h>

namespace kdevx::tool {
namespace {

constexpr unsigned async_queries = 8;
constexpr int patience_ms = 5000;

using prm::op;
template <const auto &L>
using mailbox = prm::mailbox<L>;

struct free_memory {
    void operator()(std::byte *p) const { std::free(p); }
};

class play {
    session &s_;
    narrator n_;
    device device_;
    demo::ids ids_{};
    // In the order of creation, so that leaving in the middle destroys them in the right one.
    std::unique_ptr<std::byte, free_memory> memory_;
    context context_;
    object pd_;
    uar uar_;
    umem umem_;
    object cq_, qp_;
    cmd_comp comp_;

public:
    explicit play(session &s) : s_(s), n_(s), device_(choose_device(s)) {}
    void run();

private:
    void open();
    void capabilities();
    void domain();
    void doorbell_page();
    void register_memory();
    void event_queue();
    void completion_queue();
    void queue_pair();
    void connect();
    void ask_state();
    void ask_async();
    void take_answers();
    void refused_by_firmware();
    void refused_by_kernel();
    void destroy_in_wrong_order();
    void destroy();
    void summary();

    demo::path path_to_self();
    template <const auto &Out, class In>
    mailbox<Out> command(const In &in);
    template <const auto &Out, class In>
    mailbox<Out> create(const char *doing, const In &in, object &made);
    template <const auto &Out, class In>
    void modify(const char *doing, const In &in);
    template <class Owner, class Destroy>
    std::string gone(const char *doing, Owner &owner, Destroy f);
};

void check(const char *doing, int result, const kdevx_failure &why) {
    if (result < 0) throw trouble(doing, why);
}

std::string errno_name(int error) {
    return fmt::format("{} (errno {})", std::strerror(error), error);
}

// "status 0x10 BAD_QP_STATE, syndrome 0x00de0301", and what is known about it.
std::string refusal(std::string_view command, const kdevx_failure &why) {
    std::string text = fmt::format("status {:#x} {}, syndrome {:#010x}", why.fw_status,
                                   kdevx_status_name(why.fw_status), why.fw_syndrome);
    decode::syndrome_list known = decode::syndrome_list::shipped();
    if (const decode::syndrome *s = known.find(why.fw_syndrome, command))
        text += fmt::format(": {} ({})", s->meaning, s->source);
    return text;
}

// ---- commands
// ------------------------------------------------------------------------------------

template <const auto &Out, class In>
mailbox<Out> play::command(const In &in) {
    mailbox<Out> out;
    kdevx_failure why{};
    if (!general_command(context_.get(), in.bytes(), out.bytes(), why))
        throw trouble(In::prm.name.data(), why);
    return out;
}

template <const auto &Out, class In>
mailbox<Out> play::create(const char *doing, const In &in, object &made) {
    mailbox<Out> out;
    kdevx_object *raw = nullptr;
    kdevx_failure why{};
    check(doing,
          kdevx_object_create(context_.get(), in.bytes().data(), in.bytes().size(),
                              out.bytes().data(), out.bytes().size(), &raw, &why),
          why);
    made.reset(raw);
    return out;
}

template <const auto &Out, class In>
void play::modify(const char *doing, const In &in) {
    mailbox<Out> out;
    kdevx_failure why{};
    check(doing,
          kdevx_object_modify(qp_.get(), in.bytes().data(), in.bytes().size(), out.bytes().data(),
                              out.bytes().size(), &why),
          why);
}

// ---- setting the stage
// -----------------------------------------------------------------------------

void play::open() {
    utsname system{};
    uname(&system);
    kdevx_open_options options{};
    options.size = sizeof options;
    context_ = open_context(s_, device_, options);
    kdevx_context_info info{};
    info.size = sizeof info;
    kdevx_failure why{};
    check("context", kdevx_context_get_info(context_.get(), &info, &why), why);
    n_.tell("context", fmt::format("{} ({}) on Linux {}: opened with a DEVX uid", device_.name(),
                                   device_.found.node, system.release));
    n_.detail(fmt::format("{} completion vectors, {} ports, CQE version {}", info.num_comp_vectors,
                          info.num_ports, info.cqe_version));
}

void play::capabilities() {
    mailbox<prm::query_hca_cap_in> in;
    in.set<"opcode", op<"QUERY_HCA_CAP">>();
    in.set<"op_mod", prm::cap<"GENERAL"> << 1 | 1>();
    auto out = command<prm::query_hca_cap_out>(in);
    prm::view<prm::cmd_hca_cap> cap(out.get_bytes<"capability">());
    n_.tell("QUERY_HCA_CAP",
            fmt::format("up to 2^{} QPs, 2^{} CQs, 2^{} user contexts; port is {}",
                        cap.get<"log_max_qp">(), cap.get<"log_max_cq">(), cap.get<"log_max_uctx">(),
                        cap.get<"port_type">() ? "Ethernet" : "InfiniBand"));
}

void play::domain() {
    mailbox<prm::alloc_pd_in> in;
    in.set<"opcode", op<"ALLOC_PD">>();
    ids_.pd = std::uint32_t(create<prm::alloc_pd_out>("ALLOC_PD", in, pd_).get<"pd">());
    n_.tell("ALLOC_PD", fmt::format("protection domain {:#x}", ids_.pd));
}

const char *uar_name(std::uint32_t type) {
    return type == KDEVX_UAR_BF   ? "write-combining"
           : type == KDEVX_UAR_NC ? "not cached"
                                  : "not cached, of its own";
}

void play::doorbell_page() {
    const std::uint32_t types[] = {KDEVX_UAR_BF, KDEVX_UAR_NC_DEDICATED, KDEVX_UAR_NC};
    kdevx_uar *raw = nullptr;
    kdevx_failure why{};
    check("UAR", kdevx_uar_alloc(context_.get(), types, std::size(types), &raw, &why), why);
    uar_.reset(raw);
    kdevx_uar_info info{};
    info.size = sizeof info;
    check("UAR", kdevx_uar_get_info(raw, &info, &why), why);
    ids_.uar_page = info.page_id;
    n_.tell("UAR",
            fmt::format("doorbell page {:#x}, {}, mapped", info.page_id, uar_name(info.type)));
}

void play::register_memory() {
    memory_.reset(static_cast<std::byte *>(std::aligned_alloc(1 << 12, demo::umem_size)));
    if (!memory_) throw std::bad_alloc();
    std::memset(memory_.get(), 0, demo::umem_size);
    kdevx_umem_options options{};
    options.size = sizeof options;
    options.access = KDEVX_ACCESS_LOCAL_WRITE;
    options.pgsz_bitmap = demo::page_size_bit;
    kdevx_umem *raw = nullptr;
    kdevx_failure why{};
    check("umem",
          kdevx_umem_reg(context_.get(), memory_.get(), demo::umem_size, &options, &raw, &why),
          why);
    umem_.reset(raw);
    kdevx_umem_info info{};
    info.size = sizeof info;
    check("umem", kdevx_umem_get_info(raw, &info, &why), why);
    ids_.umem = info.id;
    n_.tell("umem",
            fmt::format("{} KiB of this process pinned for the device, umem {:#x}, pages of "
                        "{} bytes",
                        demo::umem_size / 1024, info.id, info.page_size_bound));
}

void play::event_queue() {
    kdevx_failure why{};
    check("EQN", kdevx_eqn_query(context_.get(), 0, &ids_.eqn, &why), why);
    n_.tell("QUERY_EQN", fmt::format("completion vector 0 is event queue {}", ids_.eqn));
}

// ---- the queues
// ------------------------------------------------------------------------------------

void play::completion_queue() {
    auto out = create<prm::create_cq_out>("CREATE_CQ", demo::create_cq(ids_), cq_);
    ids_.cqn = std::uint32_t(out.get<"cqn">());
    n_.tell("CREATE_CQ",
            fmt::format("CQ {:#x}: {} entries in the umem", ids_.cqn, 1 << demo::log_cq_size));
}

void play::queue_pair() {
    auto out = create<prm::create_qp_out>("CREATE_QP", demo::create_qp(ids_), qp_);
    ids_.qpn = std::uint32_t(out.get<"qpn">());
    n_.tell("CREATE_QP", fmt::format("RC QP {:#x}: send and receive queue in the umem, both of "
                                     "CQ {:#x}",
                                     ids_.qpn, ids_.cqn));
}

// InfiniBand wants the port's LID, RoCE its first GID; an Ethernet port without RoCE has neither.
demo::path play::path_to_self() {
    demo::path p;
    try {
        mailbox<prm::query_hca_vport_context_in> in;
        in.set<"opcode", op<"QUERY_HCA_VPORT_CONTEXT">>().set<"port_num", 1>();
        p.lid = std::uint16_t(
            command<prm::query_hca_vport_context_out>(in).get<"hca_vport_context.lid">());
        return p;
    } catch (const trouble &t) {
        if (t.code != exit_code::refused) throw;
    }
    try {
        mailbox<prm::query_roce_address_in> in;
        in.set<"opcode", op<"QUERY_ROCE_ADDRESS">>().set<"vhca_port_num", 1>();
        auto out = command<prm::query_roce_address_out>(in);
        auto gid = out.get_bytes<"roce_address.source_l3_address">();
        std::memcpy(p.gid, gid.data(), sizeof p.gid);
        p.grh = true;
    } catch (const trouble &t) {
        if (t.code != exit_code::refused) throw;
    }
    return p;
}

void play::connect() {
    demo::path path = path_to_self();
    modify<prm::rst2init_qp_out>("RST2INIT_QP", demo::to_init(ids_));
    modify<prm::init2rtr_qp_out>("INIT2RTR_QP", demo::to_rtr(ids_, path));
    modify<prm::rtr2rts_qp_out>("RTR2RTS_QP", demo::to_rts(ids_));
    n_.tell("RST..RTS", "RST2INIT_QP, INIT2RTR_QP, RTR2RTS_QP: connected to itself");
}

void play::ask_state() {
    auto in = demo::query_qp(ids_);
    mailbox<prm::query_qp_out> out;
    kdevx_failure why{};
    check("QUERY_QP",
          kdevx_object_query(qp_.get(), in.bytes().data(), in.bytes().size(), out.bytes().data(),
                             out.bytes().size(), &why),
          why);
    auto state = std::uint32_t(out.get<"qpc.state">());
    std::string text = fmt::format("the device says: state {}, remote QP {:#x}",
                                   prm::qpc_states.name_of(state), out.get<"qpc.remote_qpn">());
    bool good =
        state == prm::value_of<prm::qpc_states, "RTS"> && out.get<"qpc.remote_qpn">() == ids_.qpn;
    good ? n_.tell("QUERY_QP", text) : n_.regret("QUERY_QP", text);
}

// ---- asynchronous queries
// --------------------------------------------------------------------------

void play::ask_async() {
    kdevx_cmd_comp *raw = nullptr;
    kdevx_failure why{};
    check("cmd_comp", kdevx_cmd_comp_create(context_.get(), &raw, &why), why);
    comp_.reset(raw);
    auto in = demo::query_qp(ids_);
    for (unsigned i = 1; i <= async_queries; ++i)
        check("async QUERY_QP",
              kdevx_object_query_async(qp_.get(), in.bytes().data(), in.bytes().size(),
                                       prm::query_qp_out.size, i, raw, &why),
              why);
    n_.tell("cmd_comp", fmt::format("{} QUERY_QP sent without waiting, wr_id 1 to {}",
                                    async_queries, async_queries));
}

void play::take_answers() {
    std::string order;
    unsigned good = 0;
    for (unsigned i = 0; i < async_queries; ++i) {
        mailbox<prm::query_qp_out> out;
        kdevx_completion c{};
        c.size = sizeof c;
        kdevx_failure why{};
        check("async answer",
              kdevx_cmd_comp_get(comp_.get(), out.bytes().data(), out.bytes().size(), patience_ms,
                                 &c, &why),
              why);
        order += fmt::format(" {}", c.wr_id);
        good += c.verdict == KDEVX_VERDICT_OK &&
                out.get<"qpc.state">() == prm::value_of<prm::qpc_states, "RTS">;
    }
    std::string text = fmt::format("{} of {} say RTS; wr_id in the order of arrival:{}", good,
                                   async_queries, order);
    good == async_queries ? n_.tell("answers", text) : n_.regret("answers", text);
}

// ---- refusals
// --------------------------------------------------------------------------------------

void play::refused_by_firmware() {
    auto in = demo::to_init(ids_);
    mailbox<prm::rst2init_qp_out> out;
    kdevx_failure why{};
    int r = kdevx_object_modify(qp_.get(), in.bytes().data(), in.bytes().size(), out.bytes().data(),
                                out.bytes().size(), &why);
    if (r < 0 && why.cause == KDEVX_CAUSE_FIRMWARE_REFUSED && why.outbox_valid)
        n_.tell("refused",
                "RST2INIT_QP on a QP in RTS: the firmware says no, " + refusal("RST2INIT_QP", why));
    else
        n_.regret("refused", r < 0 ? text_of(why) : "RST2INIT_QP on a QP in RTS was accepted");
}

void play::refused_by_kernel() {
    auto in = demo::query_cq(ids_);
    mailbox<prm::query_cq_out> out;
    kdevx_failure why{};
    int r = kdevx_object_query(pd_.get(), in.bytes().data(), in.bytes().size(), out.bytes().data(),
                               out.bytes().size(), &why);
    if (r == -EINVAL && !why.outbox_valid)
        n_.tell("wrong handle",
                fmt::format("QUERY_CQ with the handle of the PD: the kernel says {}, "
                            "the firmware was not asked",
                            errno_name(why.err)));
    else
        n_.regret("wrong handle",
                  r < 0 ? text_of(why) : "QUERY_CQ with a PD's handle was accepted");
}

void play::destroy_in_wrong_order() {
    kdevx_failure why{};
    if (kdevx_object_destroy(cq_.get(), &why) < 0) {
        n_.tell("too early", fmt::format("destroying CQ {:#x} while the QP uses it: {}, it stays",
                                         ids_.cqn, errno_name(why.err)));
        return;
    }
    cq_.release(); // it is gone
    n_.regret("too early", "the CQ could be destroyed although the QP uses it");
}

// ---- the end
// ---------------------------------------------------------------------------------------

template <class Owner, class Destroy>
std::string play::gone(const char *doing, Owner &owner, Destroy f) {
    if (!owner) return "";
    kdevx_failure why{};
    check(doing, f(owner.get(), &why), why);
    owner.release();
    return fmt::format(" {}", doing);
}

void play::destroy() {
    std::string order = gone("cmd_comp", comp_, kdevx_cmd_comp_destroy);
    order += gone("QP", qp_, kdevx_object_destroy);
    order += gone("CQ", cq_, kdevx_object_destroy);
    order += gone("umem", umem_, kdevx_umem_dereg);
    order += gone("UAR", uar_, kdevx_uar_free);
    order += gone("PD", pd_, kdevx_object_destroy);
    context_.reset();
    n_.tell("destroy", "in the right order:" + order + " context");
}

void play::summary() {
    json j{{"device", device_.name()}, {"failures", n_.failures()}, {"steps", n_.to_json()}};
    s_.show(j, [&](std::ostream &out) {
        if (n_.failures())
            out << fmt::format("\n{} of {} steps were not as expected.\n", n_.failures(),
                               n_.steps());
        else
            out << fmt::format("\nAll {} steps as expected: DEVX works on {}.\n", n_.steps(),
                               device_.name());
    });
    if (!n_.failures()) return;
    trouble t(exit_code::failed, "NOT_AS_EXPECTED",
              fmt::format("{} of {} steps were not as expected", n_.failures(), n_.steps()));
    t.shown = true;
    throw t;
}

void play::run() {
    open();
    capabilities();
    domain();
    doorbell_page();
    register_memory();
    event_queue();
    completion_queue();
    queue_pair();
    connect();
    ask_state();
    ask_async();
    take_answers();
    refused_by_firmware();
    refused_by_kernel();
    destroy_in_wrong_order();
    destroy();
    summary();
}

constexpr const char *demo_help =
    "Opens the device, creates protection domain, doorbell page, umem, CQ and QP by "
    "firmware commands alone,\nconnects the QP to itself, queries it synchronously and "
    "asynchronously, shows what a refusal by the firmware\nand one by the kernel look "
    "like, and destroys everything. Touches nothing of other programs.\nLines come as "
    "things happen, so there is output even if a step fails (status 1, or that of the "
    "failure).\n\n"
    "Examples:\n"
    "  kdevx demo\n"
    "  kdevx demo --device mlx5_1 --json | jq '.steps[] | select(.as_expected | not)'";

struct demo_cmd final : command {
    demo_cmd()
        : command("demo", "the life of a queue pair through DEVX, step by step", demo_help) {}
    void run(session &s) override { play(s).run(); }
};

} // namespace

std::unique_ptr<command> demo_command() {
    return std::make_unique<demo_cmd>();
}

} // namespace kdevx::tool
