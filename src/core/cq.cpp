// SPDX-License-Identifier: MIT
#include "core/cq.hpp"

#include <bit>

#include "base/options.hpp"
#include "core/ending.hpp"
#include "core/maybe.hpp"
#include "core/write_command.hpp"
#include "kabi/verbs.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

constexpr auto end_cq =
    unless_ringed<cq, end_with_events<kabi::cq::destroy, "UVERBS_ATTR_DESTROY_CQ_HANDLE",
                                      "UVERBS_ATTR_DESTROY_CQ_RESP", ib_uverbs_destroy_cq_resp>>;

void drop_cq(slot &s) noexcept {
    if (slot *channel = s.body<cq>().channel) --channel->body<comp_channel>().users;
    give_back(*s.context, s.body<cq>().memory);
}

bool cq_uses(const slot &holder, const slot &used) noexcept {
    const cq &q = holder.body<cq>();
    return q.channel == &used || q.memory.uar == &used;
}

constexpr std::uint32_t uverbs_flags = KDEVX_CQ_TIMESTAMP_COMPLETION | KDEVX_CQ_IGNORE_OVERRUN;
constexpr std::uint32_t cq_driver_flags = KDEVX_CQ_CQE_128B_PAD | KDEVX_CQ_REAL_TIME_TS;

result<kdevx_cq_options> options_of(context &c, const kdevx_cq_options *given) {
    result<kdevx_cq_options> o = read_options(given, "options");
    if (!o) return o;
    if (!o->cqe || o->cqe > KDEVX_MAX_CQE) return invalid("cqe", o->cqe, KDEVX_MAX_CQE);
    if (!o->cqe_size) o->cqe_size = 64;
    if (o->cqe_size != 64 && o->cqe_size != 128) return invalid("cqe_size", o->cqe_size, 128);
    if (o->comp_vector >= c.num_comp_vectors())
        return invalid("comp_vector", o->comp_vector, c.num_comp_vectors());
    if (o->flags & ~(uverbs_flags | cq_driver_flags))
        return invalid("flags", o->flags, uverbs_flags | cq_driver_flags);
    return o;
}

// Until the device has written an entry its owner byte must not look like a completion.
void mark_as_the_devices(const queue_buffer &b, std::uint32_t cqe_size) {
    constexpr std::byte invalid_opcode{0xf0};
    auto *entries = static_cast<std::byte *>(b.address);
    for (std::uint64_t end = cqe_size; end <= b.size; end += cqe_size)
        entries[end - 1] = invalid_opcode;
}

constexpr std::uint32_t widest_uhw_page_id = 0xffff;

mlx5_ib_create_cq driver_request(const cq &q, const kdevx_cq_options &o) {
    mlx5_ib_create_cq w{};
    w.buf_addr = address_of(q.memory.buffers[0].address);
    w.db_addr = address_of(q.memory.dbrec);
    w.cqe_size = q.cqe_size;
    w.cqe_comp_en = o.cqe_comp_en;
    w.cqe_comp_res_format = o.cqe_comp_res_format;
    w.flags = MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX;
    if (o.flags & KDEVX_CQ_CQE_128B_PAD) w.flags |= MLX5_IB_CREATE_CQ_FLAGS_CQE_128B_PAD;
    if (o.flags & KDEVX_CQ_REAL_TIME_TS) w.flags |= MLX5_IB_CREATE_CQ_FLAGS_REAL_TIME_TS;
    if (q.memory.uar_page_id <= widest_uhw_page_id)
        w.uar_page_index = std::uint16_t(q.memory.uar_page_id);
    return w;
}

result<void> create(context &c, draft<cq> &d, const kdevx_cq_options &o, const queue_setup &setup,
                    const maybe<comp_channel> &channel, const maybe<async_fd> &async) {
    std::uint32_t resp_cqe = 0;
    mlx5_ib_create_cq request = driver_request(*d, o);
    mlx5_ib_create_cq_resp response{};
    const buffer_desc &buffer = setup.buffer_dmabuf(), &dbrec = setup.dbrec_dmabuf();
    std::uint32_t page_id = d->memory.uar_page_id;
    result<void> r = invoke<kabi::cq::create>(
        c.file(), make<"UVERBS_ATTR_CREATE_CQ_HANDLE">(d.handle()),
        in_value<"UVERBS_ATTR_CREATE_CQ_CQE">(o.cqe),
        in_value<"UVERBS_ATTR_CREATE_CQ_USER_HANDLE">(o.user_handle),
        when(bool(channel), use_fd<"UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL">(fd_of(channel))),
        in_value<"UVERBS_ATTR_CREATE_CQ_COMP_VECTOR">(o.comp_vector),
        flags<"UVERBS_ATTR_CREATE_CQ_FLAGS">(o.flags & uverbs_flags),
        out_value<"UVERBS_ATTR_CREATE_CQ_RESP_CQE">(resp_cqe),
        when(bool(async), use_fd<"UVERBS_ATTR_CREATE_CQ_EVENT_FD">(fd_of(async))),
        when(buffer.length != 0, in_value<"UVERBS_ATTR_CREATE_CQ_BUF_UMEM">(buffer)),
        in_value<"UVERBS_ATTR_UHW_IN">(request), out_value<"UVERBS_ATTR_UHW_OUT">(response),
        when(page_id > widest_uhw_page_id, in_value<"MLX5_IB_ATTR_CREATE_CQ_UAR_INDEX">(page_id)),
        when(dbrec.length != 0, in_value<"MLX5_IB_ATTR_CREATE_CQ_DBR_BUF_UMEM">(dbrec)));
    d->cqn = response.cqn;
    return r;
}

} // namespace

const noun cq::noun{KDEVX_KIND_CQ, "cq", end_cq, drop_cq, cq_uses};

result<kdevx_cq *> create_cq(context &c, const kdevx_cq_options *given) noexcept {
    result<kdevx_cq_options> o = options_of(c, given);
    if (!o) return o.failure();
    maybe<comp_channel> channel(o->channel, c, "channel");
    maybe<async_fd> async(o->async, c, "async");
    maybe<uar> page(o->uar, c, "uar");
    if (const failure *f = first_failed(channel, async, page)) return *f;
    draft<cq> d(c);
    if (!d) return no_memory("cq");
    d->cqe_size = o->cqe_size;
    d->cqe = std::bit_ceil(o->cqe + 1);
    queue_setup setup(c, d->memory);
    result<void> r = setup.buffer(o->buffer, std::uint64_t(d->cqe) * d->cqe_size);
    if (r && d->memory.buffers[0].owned) mark_as_the_devices(d->memory.buffers[0], d->cqe_size);
    if (r) r = setup.dbrec(o->dbrec);
    if (r) r = setup.uar(page.get());
    if (r) r = create(c, d, *o, setup, channel, async);
    if (!r) return r.failure();
    d->channel = channel.at();
    if (channel) ++(*channel.get())->users;
    setup.keep();
    return d.publish();
}

kdevx_cq_info describe(const pin<cq> &q) noexcept {
    locked l(q.context().task_lock);
    return {sizeof(kdevx_cq_info), q.handle(), q->cqn, q->cqe, q->cqe_size, q->memory.describe()};
}

result<void> moderate(const pin<cq> &q, std::uint16_t count, std::uint16_t period) noexcept {
    constexpr std::uint32_t moderation = 1;
    ib_uverbs_ex_modify_cq in{};
    in.cq_handle = q.handle();
    in.attr_mask = moderation;
    in.attr = {count, period};
    return write_command<"IB_USER_VERBS_EX_CMD_MODIFY_CQ">(q.file(), in);
}

} // namespace kdevx::core
