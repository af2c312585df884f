// SPDX-License-Identifier: MIT
#include "core/cmd_comp.hpp"

#include "core/stream.hpp"
#include "core/verdict.hpp"
#include "kabi/async_fd.hpp"
#include "kabi/devx_obj.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

// Ends with its fd: close() waits for what is in flight.
result<void> end_fd(slot &) noexcept {
    return {};
}

void drop_cmd_comp(slot &s) noexcept {
    cmd_comp &c = s.body<cmd_comp>();
    s.context->sys().close(c.fd);
    c.flights.fini(s.context->sys().memory());
    c.lock().~mutex();
}

failure read_failed(const failure &f, const cmd_comp &comp, std::size_t out_size) {
    if (f.err != ENOSPC) return f;
    return fail(KDEVX_CAUSE_SHORT_BUFFER, f.err, "out_size", comp.flights.largest(), out_size);
}

kdevx_completion complete(const flight &f, const_bytes outbox) {
    kdevx_completion c{};
    c.size = sizeof c;
    c.wr_id = f.wr_id;
    c.opcode = f.opcode;
    c.out_size = std::uint32_t(outbox.size());
    c.verdict = judge(f.opcode, outbox);
    if (outbox.size() < 8) return c;
    c.status = status_of(outbox);
    c.syndrome = syndrome_of(outbox);
    return c;
}

result<kdevx_completion> read_one(const file &f, cmd_comp &comp, bytes out) {
    locked l(comp.lock());
    // Nothing was ever sent, so there is no buffer and nothing to read.
    bytes b = comp.flights.buffer(out.size());
    if (b.empty()) return fail(KDEVX_CAUSE_NOTHING_YET, EAGAIN, "read");
    result<std::size_t> n = read_record(f, comp.fd, b);
    if (!n) return read_failed(n.failure(), comp, out.size());
    std::uint64_t number;
    if (*n < sizeof number) return fail(KDEVX_CAUSE_OTHER, EBADMSG, "read", *n);
    std::memcpy(&number, b.data(), sizeof number);
    flight what{};
    if (!comp.flights.remove(number, what)) what.wr_id = number; // somebody else's, by the same fd
    const_bytes outbox = b.first(*n).subspan(sizeof number);
    std::memcpy(out.data(), outbox.data(), outbox.size());
    return complete(what, outbox);
}

} // namespace

const noun cmd_comp::noun{KDEVX_KIND_CMD_COMP, "comp", end_fd, drop_cmd_comp, nullptr};

result<kdevx_cmd_comp *> create_cmd_comp(context &c) noexcept {
    draft<cmd_comp> d(c);
    if (!d) return no_memory("comp");
    result<void> r = invoke<kabi::async_cmd_fd::alloc>(
        c.file(), make_fd<"MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE">(d->fd));
    if (r) r = make_non_blocking(c.sys(), d->fd);
    if (!r) return r.failure();
    d->flights.init();
    new (d->lock_space) mutex;
    return d.publish();
}

result<void> query_async(const file &f, std::uint32_t handle, const_bytes in_box,
                         std::size_t out_size, std::uint64_t wr_id, cmd_comp &comp) noexcept {
    if (out_size < 16) return invalid("out_size", out_size, 16);
    if (out_size > kabi::any_size)
        return fail(KDEVX_CAUSE_LIMIT, E2BIG, "out_size", out_size, kabi::any_size);
    flight what{};
    what.wr_id = wr_id;
    what.out_size = std::uint32_t(out_size);
    what.opcode = opcode_of(in_box);
    std::uint64_t number;
    {
        locked l(comp.lock());
        if (!comp.flights.add(f.sys->memory(), what, number)) return no_memory("comp");
    }
    result<void> r = invoke<kabi::devx_obj::async_query>(
        f, use<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE">(handle),
        in<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN">(in_box),
        use_fd<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD">(comp.fd),
        in_value<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID">(number),
        constant<"MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN">(out_size));
    if (r) return r;
    locked l(comp.lock());
    comp.flights.remove(number, what);
    return r;
}

result<kdevx_completion> get_completion(pin<cmd_comp> &comp, bytes out, int timeout_ms) noexcept {
    if (out.size() && !out.data()) return invalid("out");
    if (out.size() < 16) return invalid("out_size", out.size(), 16);
    return take_or_wait(comp, timeout_ms, [&] { return read_one(comp.file(), *comp, out); });
}

} // namespace kdevx::core
