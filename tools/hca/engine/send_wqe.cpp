// SPDX-License-Identifier: MIT
#include "engine/send_wqe.hpp"

#include "engine/queue_pair.hpp"
#include "kdevx/prm/wqe.hpp"

#include <algorithm>

namespace kdevx::hca::engine {
namespace {

using prm::wqe_op;

constexpr unsigned of(std::uint8_t service_type) {
    return 1u << service_type;
}
constexpr unsigned any = ~0u;
constexpr unsigned reliable = of(service<"RC">) | of(service<"XRC">);
constexpr unsigned connected = reliable | of(service<"UC">);
constexpr unsigned messages = connected | of(service<"UD">);
constexpr unsigned memory_keys = connected | of(service<"UD">) | of(service<"REG_UMR">);

// clang-format off
constexpr operation operations[] = {
    {wqe_op<"NOP">,              action::none,           any},
    {wqe_op<"SEND">,             action::send,           messages},
    {wqe_op<"SEND_IMM">,         action::send,           messages, true},
    {wqe_op<"SEND_INVAL">,       action::send,           connected, false, true},
    {wqe_op<"RDMA_WRITE">,       action::write,          connected},
    {wqe_op<"RDMA_WRITE_IMM">,   action::write,          connected, true},
    {wqe_op<"RDMA_READ">,        action::read,           reliable},
    {wqe_op<"ATOMIC_CS">,        action::atomic,         reliable},
    {wqe_op<"ATOMIC_FA">,        action::atomic,         reliable},
    {wqe_op<"ATOMIC_MASKED_CS">, action::atomic,         reliable},
    {wqe_op<"ATOMIC_MASKED_FA">, action::atomic,         reliable},
    {wqe_op<"UMR">,              action::umr,            memory_keys},
    {wqe_op<"WAIT">,             action::wait,           any},
    {wqe_op<"SEND_EN">,          action::enable_send,    any},
    {wqe_op<"RECV_EN">,          action::enable_receive, any},
};

struct operand_row {
    std::uint8_t opcode, opc_mod, bytes, segment;
};
constexpr operand_row operand_rows[] = {
    {wqe_op<"ATOMIC_CS">,        0,                               8, prm::wqe_atomic.size},
    {wqe_op<"ATOMIC_FA">,        0,                               8, prm::wqe_atomic.size},
    {wqe_op<"ATOMIC_MASKED_CS">, prm::masked_atomic_opc_mod<"8">, 8, prm::wqe_masked_cas_8.size},
    {wqe_op<"ATOMIC_MASKED_CS">, prm::masked_atomic_opc_mod<"4">, 4, prm::wqe_masked_cas_4.size},
    {wqe_op<"ATOMIC_MASKED_FA">, prm::masked_atomic_opc_mod<"8">, 8, prm::wqe_masked_add_8.size},
    {wqe_op<"ATOMIC_MASKED_FA">, prm::masked_atomic_opc_mod<"4">, 4, prm::wqe_masked_add_4.size},
};
// clang-format on

// Takes segments off the front; all are empty once one did not fit.
struct cursor {
    std::span<const std::byte> rest;
    bool short_of = false;

    std::span<const std::byte> take(std::size_t n) {
        if (short_of || n > rest.size()) {
            short_of = true;
            return {};
        }
        auto taken = rest.first(n);
        rest = rest.subspan(n);
        return taken;
    }
};

void take_control(std::span<const std::byte> wqe, send_wqe &to) {
    const prm::view<prm::wqe_ctrl> v(wqe);
    to.opcode = std::uint8_t(v.get<"opcode">());
    to.opc_mod = std::uint8_t(v.get<"opc_mod">());
    to.completion = std::uint8_t(v.get<"ce">());
    to.solicited = v.get<"se">();
    to.general_id = std::uint32_t(v.get<"general_id">());
}

// The short form of the address vector has no GRH.
void take_datagram(cursor &c, send_wqe &to) {
    constexpr std::size_t short_form = prm::wqe_ud_av.size - prm::av_grh.size;
    std::array<std::byte, prm::wqe_ud_av.size> av{};
    std::ranges::copy(c.take(short_form), av.begin());
    const prm::view<prm::wqe_ud_av> v(av);
    if (v.get<"path.ext">()) std::ranges::copy(c.take(prm::av_grh.size), av.begin() + short_form);
    to.q_key = std::uint32_t(v.get<"q_key">());
    to.remote_qpn = std::uint32_t(v.get<"path.dqp_dct">());
    to.to = address_of_vector(v);
}

void take_transport(cursor &c, std::uint8_t type, send_wqe &to) {
    if (type == service<"UD">) take_datagram(c, to);
    if (type != service<"XRC">) return;
    if (auto s = c.take(prm::wqe_xrc.size); !s.empty())
        to.xrc_srq = std::uint32_t(prm::view<prm::wqe_xrc>(s).get<"xrc_srqn">());
}

void take_remote_address(cursor &c, send_wqe &to) {
    auto s = c.take(prm::wqe_raddr.size);
    if (s.empty()) return;
    const prm::view<prm::wqe_raddr> v(s);
    to.remote_address = v.get<"raddr">();
    to.remote_key = std::uint32_t(v.get<"rkey">());
}

const cqe_error *take_operands(cursor &c, send_wqe &to) {
    auto row = std::ranges::find_if(operand_rows, [&](const operand_row &r) {
        return r.opcode == to.opcode && r.opc_mod == to.opc_mod;
    });
    if (row == std::end(operand_rows)) return &errors::unknown_operation;
    to.operand_size = row->bytes;
    std::ranges::copy(c.take(row->segment), to.arguments.begin());
    return nullptr;
}

const cqe_error *take_data(cursor &c, send_wqe &to) {
    if (c.short_of) return &errors::malformed_wqe;
    auto data = data_list::of_send(c.rest);
    if (!data) return &errors::malformed_wqe;
    to.data = std::move(*data);
    const bool fits = to.op->does != action::atomic || to.data.length() >= to.operand_size;
    return fits ? nullptr : &errors::malformed_wqe;
}

} // namespace

const operation *find_operation(std::uint8_t opcode) {
    auto found = std::ranges::find(operations, opcode, &operation::opcode);
    return found == std::end(operations) ? nullptr : found;
}

const cqe_error *parse(std::span<const std::byte> wqe, std::uint8_t type, send_wqe &to) {
    take_control(wqe, to);
    to.op = find_operation(to.opcode);
    if (!to.op) return &errors::unknown_operation;
    if (!(to.op->services >> type & 1)) return &errors::not_on_this_queue;
    cursor c{wqe.subspan(prm::wqe_ctrl.size)};
    switch (to.op->does) {
    case action::write:
    case action::read:
    case action::atomic:
    case action::send:
        take_transport(c, type, to);
        if (to.op->does != action::send) take_remote_address(c, to);
        if (to.op->does == action::atomic)
            if (const cqe_error *wrong = take_operands(c, to)) return wrong;
        return take_data(c, to);
    default:
        to.body.assign(c.rest.begin(), c.rest.end());
        return nullptr;
    }
}

} // namespace kdevx::hca::engine
