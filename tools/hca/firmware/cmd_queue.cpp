// SPDX-License-Identifier: MIT
#include "firmware/cmd_queue.hpp"

#include "kdevx/prm/cmdif.hpp"

#include <algorithm>
#include <atomic>

namespace kdevx::hca::firmware {
namespace {

using prm::cmd_if_box;
using prm::cmd_queue_entry;

constexpr std::size_t entry_size = cmd_queue_entry.size;
constexpr std::size_t inline_size = 16;
constexpr std::size_t block_data = 512;
constexpr std::uint64_t block_alignment = 512;
constexpr std::uint8_t pci_command_transport = 7;

template <prm::fixed_string High, prm::fixed_string Low, const auto &L>
std::uint64_t address(const prm::view<L> &v) {
    constexpr unsigned low_bit = prm::place_of<L, Low>.row.lo;
    return v.template get<High>() << 32 | v.template get<Low>() << low_bit;
}

} // namespace

void cmd_queue::doorbell(std::uint64_t queue, std::uint32_t slots) {
    for (unsigned n = 0; n < command_slots; ++n)
        if (slots >> n & 1) start(queue, n);
}

void cmd_queue::end_hung() {
    for (unsigned n = 0; n < command_slots; ++n)
        if (slots_[n].hangs) complete(n, delivery::firmware_error);
}

void cmd_queue::reset() {
    for (slot &s : slots_)
        s = {};
    ++generation_;
}

std::optional<cmd_queue::entry> cmd_queue::fetch(std::uint64_t at) const {
    std::array<std::byte, entry_size> raw;
    if (!memory_.read(at, raw)) return std::nullopt;
    prm::view<cmd_queue_entry> v{raw};
    entry e{};
    e.address = at;
    e.type = std::uint8_t(v.get<"type">());
    e.token = std::uint8_t(v.get<"token">());
    e.owned_by_hca = v.get<"ownership">();
    e.in_length = std::uint32_t(v.get<"input_length">());
    e.out_length = std::uint32_t(v.get<"output_length">());
    e.in_mailbox = address<"input_mailbox_pointer_63_32", "input_mailbox_pointer_31_9">(v);
    e.out_mailbox = address<"output_mailbox_pointer_63_32", "output_mailbox_pointer_31_9">(v);
    std::ranges::copy(v.bytes<"command_input_inline_data">(), e.inline_in.begin());
    return e;
}

delivery cmd_queue::check(const entry &e) {
    constexpr std::uint32_t shortest_in = 8, shortest_out = 8; // opcode, op_mod; status, syndrome
    if (e.type != pci_command_transport) return delivery::descriptor;
    if (e.in_length < shortest_in || e.in_length > max_command_length)
        return delivery::input_length;
    if (e.out_length < shortest_out || e.out_length > max_command_length)
        return delivery::output_length;
    if (e.in_mailbox % block_alignment) return delivery::input_pointer;
    if (e.out_mailbox % block_alignment) return delivery::output_pointer;
    return delivery::ok;
}

std::optional<std::uint64_t> cmd_queue::next_mailbox(std::uint64_t block) const {
    std::array<std::byte, cmd_if_box.size - block_data> tail;
    if (!memory_.read(block + block_data, tail)) return std::nullopt;
    const std::uint32_t at = prm::place_of<cmd_if_box, "next_pointer_63_32">.row.offset;
    return prm::load_be<std::uint64_t>(tail.data() + (at - block_data));
}

// Blocks are as many as the length says, however the pointers are chained: a loop ends too.
delivery cmd_queue::read_mailboxes(const entry &e, std::span<std::byte> to) const {
    std::uint64_t block = e.in_mailbox;
    for (std::uint32_t number = 0; !to.empty(); ++number) {
        std::array<std::byte, cmd_if_box.size> raw;
        if (!memory_.read(block, raw)) return delivery::firmware_error;
        prm::view<cmd_if_box> box{raw};
        if (box.get<"token">() != e.token) return delivery::token;
        if (box.get<"block_number">() != number) return delivery::block_number;
        const std::size_t n = std::min(to.size(), block_data);
        std::ranges::copy(box.bytes<"mailbox_data">().first(n), to.begin());
        to = to.subspan(n);
        block = address<"next_pointer_63_32", "next_pointer_31_10">(box);
    }
    return delivery::ok;
}

delivery cmd_queue::write_mailboxes(const entry &e, std::span<const std::byte> from) {
    std::uint64_t block = e.out_mailbox;
    while (!from.empty()) {
        const std::size_t n = std::min(from.size(), block_data);
        auto next = next_mailbox(block);
        if (!next || !memory_.write(block, from.first(n))) return delivery::firmware_error;
        from = from.subspan(n);
        block = *next;
    }
    return delivery::ok;
}

void cmd_queue::start(std::uint64_t queue, unsigned n) {
    slot &s = slots_[n];
    auto e = fetch(queue + n * entry_size);
    if (s.busy || !e || !e->owned_by_hca) {
        log_.line("command slot {}: doorbell, but {}", n,
                  s.busy ? "the last command is not answered yet"
                  : e    ? "the entry is the driver's"
                         : "the command queue is not in guest memory");
        return;
    }
    s.busy = true;
    s.e = *e;
    delivery d = check(*e);
    if (d != delivery::ok) return complete(n, d);
    command c;
    c.in.resize(e->in_length);
    const std::size_t in_entry = std::min<std::size_t>(e->in_length, inline_size);
    std::copy_n(e->inline_in.begin(), in_entry, c.in.begin());
    d = read_mailboxes(*e, std::span(c.in).subspan(in_entry));
    if (d != delivery::ok) return complete(n, d);
    c.out.resize(e->out_length);

    const std::uint64_t generation = generation_;
    const answer_time when = callbacks_.execute(c, n);
    if (generation != generation_) return; // it was a reset: the slot is forgotten
    s.c = std::move(c);
    s.by_event = when.by_event;
    s.hangs = when.never;
    if (s.hangs) return;
    if (when.delay.count() == 0) return finish(n);
    callbacks_.later(when.delay, [this, n, generation] {
        if (generation == generation_) finish(n);
    });
}

void cmd_queue::finish(unsigned n) {
    slot &s = slots_[n];
    const std::span<const std::byte> out = s.c.out;
    const std::size_t in_entry = std::min(out.size(), inline_size);
    delivery d = write_mailboxes(s.e, out.subspan(in_entry));
    constexpr auto at = prm::place_of<cmd_queue_entry, "command_output_inline_data">.row.offset;
    if (!memory_.write(s.e.address + at, out.first(in_entry))) d = delivery::firmware_error;
    complete(n, d);
}

// The last byte goes last: with it the entry becomes the driver's again.
void cmd_queue::complete(unsigned n, delivery d) {
    slot &s = slots_[n];
    if (d != delivery::ok) log_.line("command slot {}: delivery status {:#x}", n, unsigned(d));
    const std::byte status_and_ownership = std::byte(unsigned(d) << 1);
    std::atomic_thread_fence(std::memory_order_release);
    memory_.write(s.e.address + entry_size - 1, std::span(&status_and_ownership, 1));
    const bool by_event = s.by_event;
    s.busy = s.hangs = s.by_event = false;
    s.c = {};
    if (by_event) callbacks_.completed(1u << n);
}

} // namespace kdevx::hca::firmware
