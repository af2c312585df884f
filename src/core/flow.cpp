// SPDX-License-Identifier: MIT
#include "core/flow.hpp"

#include "base/bytes.hpp"
#include "base/options.hpp"
#include "core/ending.hpp"
#include "core/maybe.hpp"
#include "kabi/flow.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

bool flow_uses(const slot &holder, const slot &used) noexcept {
    const flow &f = holder.body<flow>();
    for (const slot *s :
         {f.matcher, f.dest_qp, f.dest_object, f.counter, f.actions[0], f.actions[1]})
        if (s == &used) return true;
    return false;
}

const_bytes given_bytes(const void *p, std::size_t size) {
    return {static_cast<const std::byte *>(p), size};
}

// ---- matcher -----------------------------------------------------------------------------------

result<kdevx_flow_matcher_options> options_of(const kdevx_flow_matcher_options *given) {
    result<kdevx_flow_matcher_options> o = read_options(given, "options");
    if (!o) return o;
    if (o->type > KDEVX_FLOW_MC_DEFAULT) return invalid("type", o->type, KDEVX_FLOW_MC_DEFAULT);
    if (o->type != KDEVX_FLOW_NORMAL && o->priority) return invalid("priority", o->priority, 0);
    if (o->has_ft_type > 1) return invalid("has_ft_type", o->has_ft_type, 1);
    if (o->has_ft_type && o->ft_type > KDEVX_FT_RDMA_TRANSPORT_TX)
        return invalid("ft_type", o->ft_type, KDEVX_FT_RDMA_TRANSPORT_TX);
    return o;
}

// ---- flow --------------------------------------------------------------------------------------

result<kdevx_flow_options> options_of(const kdevx_flow_options *given) {
    constexpr std::uint32_t both = KDEVX_FLOW_DEFAULT_MISS | KDEVX_FLOW_DROP;
    result<kdevx_flow_options> o = read_options(given, "options");
    if (!o) return o;
    if (o->flags & ~both || o->flags == both) return invalid("flags", o->flags, both);
    if (o->dest_qp && o->dest_object) return invalid("dest_object");
    if (o->has_tag > 1) return invalid("has_tag", o->has_tag, 1);
    if (o->tag > KDEVX_MAX_FLOW_TAG) return invalid("tag", o->tag, KDEVX_MAX_FLOW_TAG);
    if (o->action_count > KDEVX_MAX_FLOW_ACTIONS)
        return invalid("action_count", o->action_count, KDEVX_MAX_FLOW_ACTIONS);
    for (std::size_t i = 0; i < o->action_count; ++i)
        if (!o->actions[i]) return invalid("actions", i);
    if (!o->counter && o->counter_offset) return invalid("counter_offset", o->counter_offset);
    return o;
}

struct flow_company {
    maybe<qp> dest_qp;
    maybe<object> dest_object, counter;
    maybe<flow_action> first, second;

    flow_company(context &c, const kdevx_flow_options &o)
        : dest_qp(o.dest_qp, c, "dest_qp"), dest_object(o.dest_object, c, "dest_object"),
          counter(o.counter, c, "counter"),
          first(o.action_count > 0 ? o.actions[0] : nullptr, c, "actions"),
          second(o.action_count > 1 ? o.actions[1] : nullptr, c, "actions") {}
    const failure *failed() const {
        return first_failed(dest_qp, dest_object, counter, first, second);
    }
};

result<void> create(const pin<flow_matcher> &matcher, draft<flow> &d, const kdevx_flow_options &o,
                    const flow_company &with) {
    const std::uint32_t actions[] = {with.first.handle(), with.second.handle()},
                        counter[] = {with.counter.handle()};
    std::span<const std::uint32_t> used(actions, o.action_count);
    return invoke<kabi::flow::create>(
        matcher.file(), make<"MLX5_IB_ATTR_CREATE_FLOW_HANDLE">(d.handle()),
        in<"MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE">(given_bytes(o.match_value, o.match_value_size)),
        when(bool(with.dest_qp), use<"MLX5_IB_ATTR_CREATE_FLOW_DEST_QP">(with.dest_qp.handle())),
        when(bool(with.dest_object),
             use<"MLX5_IB_ATTR_CREATE_FLOW_DEST_DEVX">(with.dest_object.handle())),
        use<"MLX5_IB_ATTR_CREATE_FLOW_MATCHER">(matcher.handle()),
        when(!used.empty(), use_all<"MLX5_IB_ATTR_CREATE_FLOW_ARR_FLOW_ACTIONS">(used)),
        when(o.has_tag, in_value<"MLX5_IB_ATTR_CREATE_FLOW_TAG">(o.tag)),
        when(bool(with.counter), use_all<"MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX">(counter)),
        when(o.counter_offset != 0,
             in_value<"MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX_OFFSET">(o.counter_offset)),
        when(o.flags != 0, flags<"MLX5_IB_ATTR_CREATE_FLOW_FLAGS">(o.flags)));
}

result<void> check_ft_type(std::uint32_t ft_type) {
    if (ft_type <= KDEVX_FT_RDMA_TRANSPORT_TX) return {};
    return invalid("ft_type", ft_type, KDEVX_FT_RDMA_TRANSPORT_TX);
}

} // namespace

const noun flow_matcher::noun{
    KDEVX_KIND_FLOW_MATCHER, "matcher",
    end_by<kabi::flow_matcher::destroy, "MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE">,
    nothing_to_drop, nullptr};
const noun flow::noun{KDEVX_KIND_FLOW, "flow",
                      end_by<kabi::flow::destroy, "MLX5_IB_ATTR_DESTROY_FLOW_HANDLE">,
                      nothing_to_drop, flow_uses};
const noun flow_action::noun{
    KDEVX_KIND_FLOW_ACTION, "action",
    end_by<kabi::flow_action::destroy, "UVERBS_ATTR_DESTROY_FLOW_ACTION_HANDLE">, nothing_to_drop,
    nullptr};
const noun steering_anchor::noun{
    KDEVX_KIND_STEERING_ANCHOR, "anchor",
    end_by<kabi::steering_anchor::destroy, "MLX5_IB_ATTR_STEERING_ANCHOR_DESTROY_HANDLE">,
    nothing_to_drop, nullptr};

result<kdevx_flow_matcher *> create_matcher(context &c,
                                            const kdevx_flow_matcher_options *given) noexcept {
    result<kdevx_flow_matcher_options> o = options_of(given);
    if (!o) return o.failure();
    draft<flow_matcher> d(c);
    if (!d) return no_memory("matcher");
    bool normal = o->type == KDEVX_FLOW_NORMAL;
    result<void> r = invoke<kabi::flow_matcher::create>(
        c.file(), make<"MLX5_IB_ATTR_FLOW_MATCHER_CREATE_HANDLE">(d.handle()),
        in<"MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK">(given_bytes(o->mask, o->mask_size)),
        choose<"MLX5_IB_ATTR_FLOW_MATCHER_FLOW_TYPE">(
            std::uint8_t(o->type), normal ? bytes_of(o->priority) : const_bytes{}),
        in_value<"MLX5_IB_ATTR_FLOW_MATCHER_MATCH_CRITERIA">(o->criteria),
        when(o->flags != 0, flags<"MLX5_IB_ATTR_FLOW_MATCHER_FLOW_FLAGS">(o->flags)),
        when(o->has_ft_type != 0, constant<"MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE">(o->ft_type)),
        when(o->ib_port != 0, in_value<"MLX5_IB_ATTR_FLOW_MATCHER_IB_PORT">(o->ib_port)));
    if (!r) return r.failure();
    return d.publish();
}

result<kdevx_flow *> create_flow(const pin<flow_matcher> &matcher,
                                 const kdevx_flow_options *given) noexcept {
    context &c = matcher.context();
    result<kdevx_flow_options> o = options_of(given);
    if (!o) return o.failure();
    flow_company with(c, *o);
    if (const failure *f = with.failed()) return *f;
    draft<flow> d(c);
    if (!d) return no_memory("flow");
    if (result<void> r = create(matcher, d, *o, with); !r) return r.failure();
    d->matcher = &matcher.at();
    d->dest_qp = with.dest_qp.at();
    d->dest_object = with.dest_object.at();
    d->counter = with.counter.at();
    d->actions[0] = with.first.at();
    d->actions[1] = with.second.at();
    return d.publish();
}

result<kdevx_flow_action *> create_modify_header(context &c, const_bytes actions,
                                                 std::uint32_t ft_type) noexcept {
    if (result<void> r = check_ft_type(ft_type); !r) return r.failure();
    if (actions.size() % 8) return invalid("size", actions.size(), 8);
    draft<flow_action> d(c);
    if (!d) return no_memory("action");
    result<void> r = invoke<kabi::flow_action::create_modify_header>(
        c.file(), make<"MLX5_IB_ATTR_CREATE_MODIFY_HEADER_HANDLE">(d.handle()),
        in<"MLX5_IB_ATTR_CREATE_MODIFY_HEADER_ACTIONS_PRM">(actions),
        constant<"MLX5_IB_ATTR_CREATE_MODIFY_HEADER_FT_TYPE">(ft_type));
    if (!r) return r.failure();
    return d.publish();
}

result<kdevx_flow_action *> create_packet_reformat(context &c, std::uint32_t type,
                                                   std::uint32_t ft_type,
                                                   const_bytes data) noexcept {
    if (type > KDEVX_REFORMAT_L2_TO_L3_TUNNEL)
        return invalid("type", type, KDEVX_REFORMAT_L2_TO_L3_TUNNEL);
    if (result<void> r = check_ft_type(ft_type); !r) return r.failure();
    bool takes_data = type != KDEVX_REFORMAT_L2_TUNNEL_TO_L2;
    if (takes_data == data.empty()) return invalid("size", data.size());
    draft<flow_action> d(c);
    if (!d) return no_memory("action");
    result<void> r = invoke<kabi::flow_action::create_packet_reformat>(
        c.file(), make<"MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_HANDLE">(d.handle()),
        constant<"MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_TYPE">(type),
        constant<"MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_FT_TYPE">(ft_type),
        when(takes_data, in<"MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_DATA_BUF">(data)));
    if (!r) return r.failure();
    return d.publish();
}

result<kdevx_steering_anchor *> create_anchor(context &c, std::uint32_t ft_type,
                                              std::uint16_t priority) noexcept {
    if (result<void> r = check_ft_type(ft_type); !r) return r.failure();
    draft<steering_anchor> d(c);
    if (!d) return no_memory("anchor");
    result<void> r = invoke<kabi::steering_anchor::create>(
        c.file(), make<"MLX5_IB_ATTR_STEERING_ANCHOR_CREATE_HANDLE">(d.handle()),
        constant<"MLX5_IB_ATTR_STEERING_ANCHOR_FT_TYPE">(ft_type),
        in_value<"MLX5_IB_ATTR_STEERING_ANCHOR_PRIORITY">(priority),
        out_value<"MLX5_IB_ATTR_STEERING_ANCHOR_FT_ID">(d->table));
    if (!r) return r.failure();
    return d.publish();
}

} // namespace kdevx::core
