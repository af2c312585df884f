// SPDX-License-Identifier: MIT
#include "engine/blueflame.hpp"

#include "engine/engine.hpp"
#include "kdevx/prm/doorbell.hpp"

#include <algorithm>
#include <utility>

namespace kdevx::hca::engine {
namespace {

// A plain doorbell is one after which nothing has come for this time: longer than a guest's
// processor that is in the middle of a burst has to wait for its turn on a busy machine. When it
// was too short after all, one WQE is taken from the ring that should have come with its doorbell;
// but all that are in the ring, when the processor does not wait for its writes (tools/lab/hca.py).
constexpr std::chrono::milliseconds blueflame_wait{20};
constexpr std::uint32_t buffer_size = 256; // half of a BlueFlame register

bool begins_buffer(std::uint32_t offset) {
    return (offset - prm::MLX5_BF_OFFSET) % buffer_size == 0;
}

} // namespace

void engine::blueflame(std::uint32_t page, std::uint32_t offset, std::span<const std::byte> data) {
    blueflame_write &g = gathered_;
    const bool goes_on = g.count && page == g.page && offset == g.next;
    if (!goes_on) {
        ring_gathered();
        if (!begins_buffer(offset)) return; // the rest of a WQE of which 64 bytes are enough
        g.page = page;
    }
    const std::size_t n = std::min(data.size(), blueflame_size - g.count);
    std::ranges::copy(data.first(n), g.bytes.begin() + std::ptrdiff_t(g.count));
    g.count += n;
    g.next = std::uint32_t(offset + data.size());
    if (g.count == blueflame_size) return ring_gathered();
    // Each write starts the time anew. When it is over one is looked for once more: it may have
    // come while this process had to wait for its turn.
    g.ticket = ++tickets_;
    const auto if_nothing_came = [this, ticket = g.ticket](auto then) {
        return [this, ticket, then] {
            if (gathered_.ticket == ticket) then();
        };
    };
    const auto ring = if_nothing_came([this] { ring_gathered(); });
    const auto look = [this, ring] { wires_.timers.after(std::chrono::milliseconds(1), ring); };
    wires_.timers.after(blueflame_wait, if_nothing_came(look));
}

// Rings for what has come in, as a whole WQE or as a plain doorbell.
void engine::ring_gathered() {
    const blueflame_write g = std::exchange(gathered_, {});
    queue_pair *qp = send_doorbell(g.page, std::span(g.bytes).first(g.count));
    if (!qp || g.count != blueflame_size) return;
    // The processor may be ahead by many of them: the oldest that is still to be executed counts,
    // the others are in the ring as well.
    const prm::view<prm::wqe_ctrl> v(g.bytes);
    const std::uint16_t at = std::uint16_t(v.get<"wqe_index">());
    const bool is_executed = std::int16_t(at - qp->send.next) < 0;
    if (is_executed || qp->sending.blueflame_at) return;
    qp->sending.blueflame_at = at;
    qp->sending.blueflame = g.bytes;
}

} // namespace kdevx::hca::engine
