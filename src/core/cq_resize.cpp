// SPDX-License-Identifier: MIT
// A verbs CQ goes over to a buffer of another size, and its ring with it.
#include <bit>
#include <utility>

#include "base/options.hpp"
#include "core/maybe.hpp"
#include "core/ring.hpp"
#include "core/write_command.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

result<kdevx_cq_resize_options> options_of(const kdevx_cq_resize_options *given) {
    result<kdevx_cq_resize_options> o = read_options(given, "options");
    if (!o) return o;
    if (!o->cqe || o->cqe > KDEVX_MAX_CQE) return invalid("cqe", o->cqe, KDEVX_MAX_CQE);
    // The command has no place for a dmabuf.
    if (o->buffer.kind > KDEVX_BUFFER_MEMORY)
        return invalid("buffer", o->buffer.kind, KDEVX_BUFFER_MEMORY);
    return o;
}

// Whoever reads the CQ must come along: a ring of ours by itself, a program by its own doing, which
// needs the old entries for that.
bool all_come_along(const pin<cq> &q, const maybe<cq_ring> &ring,
                    const kdevx_cq_resize_options &o) {
    const pin<cq_ring> *r = ring.get();
    const bool counted = r && (*r)->queue == &q.at();
    if (q->rings.load() != counted) return false;
    if (r) return (*r)->data->number() == q->cqn;
    return !q->memory.buffers[0].owned && o.buffer.kind == KDEVX_BUFFER_MEMORY;
}

// One resize of a CQ at a time, and no new ring of it meanwhile.
class [[nodiscard]] turn {
    const pin<cq> &q_;
    bool mine_ = false;

public:
    explicit turn(const pin<cq> &q) noexcept : q_(q) {}
    turn(const turn &) = delete;
    ~turn() {
        locked l(q_.context().task_lock);
        if (mine_) q_->resizing = false;
    }
    result<void> take(const maybe<cq_ring> &ring, const kdevx_cq_resize_options &o) noexcept {
        locked l(q_.context().task_lock);
        if (q_->resizing) return fail(KDEVX_CAUSE_BUSY, EBUSY, "cq");
        if (!all_come_along(q_, ring, o)) return invalid("ring");
        mine_ = q_->resizing = true;
        return {};
    }
    void never_again() noexcept { mine_ = false; }
};

result<void> ask_kernel(const pin<cq> &q, std::uint32_t cqe, const queue_buffer &to) {
    ib_uverbs_resize_cq in{};
    in.cq_handle = q.handle();
    in.cqe = cqe;
    mlx5_ib_resize_cq driver{};
    driver.buf_addr = address_of(to.address);
    driver.cqe_size = std::uint16_t(q->cqe_size);
    ib_uverbs_resize_cq_resp answer{};
    return write_command<"IB_USER_VERBS_CMD_RESIZE_CQ">(q.file(), in, answer, bytes_of(driver));
}

// The device writes to `fresh` afterwards; until then all is as it was.
result<void> move_device(const pin<cq> &q, const maybe<cq_ring> &ring, std::uint32_t cqe,
                         const queue_buffer &fresh) {
    const pin<cq_ring> *r = ring.get();
    if (r) {
        const std::span bytes(static_cast<std::byte *>(fresh.address), std::size_t(fresh.size));
        if (result<void> begun = begin_resize(*r, bytes, q->cqe_size); !begun) return begun;
    }
    result<void> asked = ask_kernel(q, cqe, fresh);
    if (!asked && r) abort_resize(*r);
    return asked;
}

void exchange(const pin<cq> &q, std::uint32_t cqe, queue_buffer &fresh) {
    locked l(q.context().task_lock);
    q->cqe = cqe;
    std::swap(q->memory.buffers[0], fresh);
}

} // namespace

result<void> resize(const pin<cq> &q, const kdevx_cq_resize_options *given) noexcept {
    const result<kdevx_cq_resize_options> o = options_of(given);
    if (!o) return o.failure();
    maybe<cq_ring> ring(o->ring, q.context(), "ring");
    if (const failure *f = ring.failed()) return *f;
    turn mine(q);
    if (result<void> r = mine.take(ring, *o); !r) return r;
    const std::uint32_t cqe = std::bit_ceil(o->cqe + 1);
    // The kernel does nothing then, and would not look at the buffer.
    if (cqe == q->cqe)
        return o->buffer.kind == KDEVX_BUFFER_OWNED ? result<void>() : invalid("cqe", o->cqe);
    queue_memory other{}; // the new buffer, later the old one; what is the library's goes with it
    queue_setup setup(q.context(), other);
    result<void> r = setup.buffer(o->buffer, std::uint64_t(cqe) * q->cqe_size);
    if (r) r = move_device(q, ring, o->cqe, other.buffers[0]);
    if (!r) return r;
    exchange(q, cqe, other.buffers[0]);
    if (ring) r = finish_resize(*ring.get());
    if (!r) {
        // The device left no mark, so the ring goes on reading where it is. That memory stays.
        abort_resize(*ring.get());
        q->memory.buffers[1] = std::exchange(other.buffers[0], {});
        mine.never_again();
    }
    return r;
}

} // namespace kdevx::core
