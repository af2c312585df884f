// SPDX-License-Identifier: MIT
// Dynamically connected targets. They live in the firmware alone: nothing arrives that would need
// them to run.
#include "kdevx/prm/dct.hpp"
#include "firmware/queues.hpp"
#include "firmware/wq.hpp"
#include "kdevx/prm/event.hpp"

namespace kdevx::hca::firmware {
namespace {

template <prm::fixed_string Name>
constexpr auto dct_state = prm::value_of<prm::dctc_states, Name>;

} // namespace

syndrome check_dct(state &s, command &c, object &o) {
    const auto srqn = c.inbox<prm::create_dct_in>().get<"dct_context_entry.srqn_xrqn">();
    return use_shared_receive_queue(s, c, o, std::uint32_t(srqn));
}

// Whoever destroys a DCT waits, without limit, for the event that says it is drained.
syndrome drain_dct(state &s, command &c) {
    object *dct = nullptr;
    const auto n = std::uint32_t(c.inbox<prm::drain_dct_in>().get<"dctn">());
    if (syndrome why = find_object(s, c, kind::dct, n, true, dct); why != syndrome::none)
        return why;
    c.note("DCT {:#x}", n);
    prm::editor<prm::dctc>(dct->context).set<"state", dct_state<"DRAINED">>();
    prm::mailbox<prm::dct_events> e;
    e.set<"dct_number">(n);
    s.engine.raise(engine::event<"DCT_DRAINED">, 0, e.bytes());
    return syndrome::none;
}

// An event at the next packet with a wrong access key: the DCT of an HCA without a wire gets none.
syndrome arm_dct(state &s, command &c) {
    object *dct = nullptr;
    const auto n = std::uint32_t(c.inbox<prm::arm_dct_in>().get<"dct_number">());
    c.note("DCT {:#x}", n);
    return find_object(s, c, kind::dct, n, true, dct);
}

} // namespace kdevx::hca::firmware
