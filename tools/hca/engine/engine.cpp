// SPDX-License-Identifier: MIT
#include "engine/engine.hpp"

#include <algorithm>

#include "kdevx/prm/doorbell.hpp"

namespace kdevx::hca::engine {

void engine::reset() {
    eqs_.clear();
    cqs_.clear();
    qps_.clear();
    srqs_.clear();
    waiting_.clear();
    gathered_ = {};
    halves_.clear();
    dropped_.clear();
    run_queue_.clear();
    keys.clear();
    keys.put(reserved_lkey_index, {.key = reserved_key(reserved_lkey_index),
                                   .any_pd = true,
                                   .reserved = true,
                                   .rights = memory::local_read | memory::local_write,
                                   .length64 = true,
                                   .kind = memory::translation::physical});
    for (auto index : {null_index, dump_fill_index, terminate_scatter_list_index, repeated_index})
        keys.put(index, {.key = reserved_key(index),
                         .any_pd = true,
                         .rights = memory::local_read | memory::local_write,
                         .length64 = true,
                         .kind = memory::translation::null});
}

// As CPUs of 32 bits write it: the second half rings.
void engine::take_half(std::uint32_t page, std::uint32_t offset, std::span<const std::byte> data) {
    if (offset % 8 == 0) {
        half_doorbell &h = halves_[page];
        h.offset = offset;
        std::ranges::copy(data, h.bytes.begin());
        return;
    }
    auto first = halves_.find(page);
    if (first == halves_.end() || first->second.offset + 4 != offset) return;
    std::array<std::byte, 8> word;
    std::ranges::copy(data, std::ranges::copy(first->second.bytes, word.begin()).out);
    halves_.erase(first);
    doorbell(page, offset - 4, word);
}

void engine::doorbell(std::uint32_t page, std::uint32_t offset, std::span<const std::byte> data) {
    const bool is_cq = (offset & ~7u) == prm::MLX5_CQ_DOORBELL;
    const bool is_send = offset >= prm::MLX5_BF_OFFSET && !has_blueflame_;
    if (data.size() == 4 && (is_cq || is_send)) return take_half(page, offset, data);
    if (offset >= prm::MLX5_BF_OFFSET && has_blueflame_) return blueflame(page, offset, data);
    if (offset >= prm::MLX5_BF_OFFSET) return void(send_doorbell(page, data));
    switch (offset) {
    case prm::MLX5_CQ_DOORBELL:
        return cq_doorbell(page, data);
    case prm::MLX5_EQ_DOORBELL_ARM:
    case prm::MLX5_EQ_DOORBELL_NOARM:
        return eq_doorbell(page, data);
    }
}

void engine::create_eq(event_queue::config c) {
    const auto number = c.number;
    eqs_.insert_or_assign(number, event_queue(std::move(c)));
}

const event_queue *engine::find_eq(std::uint8_t number) const {
    auto found = eqs_.find(number);
    return found == eqs_.end() ? nullptr : &found->second;
}

bool engine::takes(std::uint8_t type) const {
    for (const auto &[number, eq] : eqs_)
        if (eq.takes(type)) return true;
    return false;
}

bool engine::raise(std::uint8_t type, std::uint8_t subtype, std::span<const std::byte> data) {
    for (auto &[number, eq] : eqs_)
        if (eq.takes(type)) return post(eq, type, subtype, data);
    return false;
}

bool engine::post(event_queue &eq, std::uint8_t type, std::uint8_t subtype,
                  std::span<const std::byte> data) {
    if (!eq.post(wires_.memory, type, subtype, data)) {
        wires_.log.line("EQ {}: event {:#x} lost, producer {} consumer {}", eq.number(), type,
                        eq.producer(), eq.consumer());
        return false;
    }
    wires_.interrupt(eq.vector());
    return true;
}

void engine::raise_qp_event(const queue_pair &qp, std::uint8_t type) {
    wires_.log.line("QP {:#x}: event {:#x}", qp.number, type);
    prm::mailbox<prm::qp_events> e;
    e.set<"type">(qp.event_queue_type).set<"qpn_rqn_sqn">(qp.number);
    raise(type, 0, e.bytes());
}

void engine::eq_doorbell(std::uint32_t page, std::span<const std::byte> data) {
    prm::view<prm::eq_doorbell> v(data);
    auto found = eqs_.find(std::uint8_t(v.get<"eqn">()));
    // Programs have pages too, but may not move other people's queues from there.
    if (found == eqs_.end() || found->second.uar() != page) return;
    found->second.consumed(std::uint32_t(v.get<"ci">()));
}

} // namespace kdevx::hca::engine
