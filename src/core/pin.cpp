// SPDX-License-Identifier: MIT
#include "core/pin.hpp"

namespace kdevx::core {

namespace {

failure refused(gate::answer a, const noun &n) {
    return a == gate::answer::busy ? fail(KDEVX_CAUSE_BUSY, EBUSY, n.name) : closed(n.name);
}

void bury(slot &s, std::size_t body_size) {
    context &c = *s.context;
    c.slots.unlist(s);
    s.noun->drop(s);
    s.gate.retire();
    c.slots.give_back(s, body_size);
    c.release();
}

// Nobody else gets at it from here on.
result<slot *> claim_slot(void *p, const noun &n) {
    if (!p) return invalid(n.name);
    slot *s = slot_of(p);
    if (gate::answer a = s->gate.claim(generation_of(p)); a != gate::answer::in)
        return refused(a, n);
    if (s->noun == &n) return s;
    s->gate.unclaim();
    return invalid(n.name);
}

failure with_holder(failure f, const slot &s) {
    if (f.cause != KDEVX_CAUSE_BUSY) return f;
    if (const slot *h = s.context->slots.holder_of(s)) {
        f.detail[0] = h->noun->kind;
        f.detail[1] = h->handle;
    }
    return f;
}

} // namespace

result<slot *> enter_slot(const void *p, const noun &n) noexcept {
    if (!p) return invalid(n.name);
    slot *s = slot_of(p);
    if (gate::answer a = s->gate.enter(generation_of(p)); a != gate::answer::in)
        return refused(a, n);
    if (s->noun == &n && s->context->enter()) return s;
    failure why = s->noun == &n ? closed("context") : invalid(n.name);
    s->gate.leave();
    return why;
}

void leave_slot(slot &s) noexcept {
    context &c = *s.context;
    s.gate.leave();
    c.leave();
}

result<void> end_slot(void *p, const noun &n, std::size_t body_size) noexcept {
    result<slot *> claimed = claim_slot(p, n);
    if (!claimed) return claimed.failure();
    slot &s = **claimed;
    context &c = *s.context;
    if (!c.enter()) return bury(s, body_size), result<void>{};
    const bool kept = n.in_use && n.in_use(s);
    result<void> r = kept ? result<void>(fail(KDEVX_CAUSE_BUSY, EBUSY, n.name)) : n.end(s);
    if (!r && r.failure().cause != KDEVX_CAUSE_DEVICE_GONE) {
        s.gate.unclaim();
        r = with_holder(r.failure(), s);
        c.leave();
        return r;
    }
    bury(s, body_size);
    c.leave();
    return {};
}

result<void> forget_slot(void *p, const noun &n, std::size_t body_size) noexcept {
    result<slot *> s = claim_slot(p, n);
    if (!s) return s.failure();
    bury(**s, body_size);
    return {};
}

} // namespace kdevx::core
