// SPDX-License-Identifier: MIT
// Where received packets go: TIR and RQT.
#include "firmware/queues.hpp"
#include "kdevx/prm/tir.hpp"
#include "kdevx/prm/wq.hpp"

#include <algorithm>

namespace kdevx::hca::firmware {
namespace {

template <prm::fixed_string Name>
constexpr auto disp_type = prm::value_of<prm::tirc_disp_types, Name>;

// Puts the objects that `fresh` uses in the place of those of kind k that `o` uses.
void use_instead(object &o, object &fresh, kind k) {
    const auto stays = [k](object *u) { return u->type->what != k; };
    const auto gone = std::stable_partition(o.uses.begin(), o.uses.end(), stays);
    for (auto u = gone; u != o.uses.end(); ++u)
        --(*u)->users;
    o.uses.erase(gone, o.uses.end());
    for (object *u : fresh.uses)
        ++u->users;
    o.uses.insert(o.uses.end(), fresh.uses.begin(), fresh.uses.end());
}

} // namespace

// ---- TIR
// ------------------------------------------------------------------------------------------

syndrome check_tir(state &s, command &c, object &o) {
    const auto in = c.inbox<prm::create_tir_in>();
    switch (in.get<"ctx.disp_type">()) {
    case disp_type<"DIRECT">:
        return use_object(s, c, o, kind::rq, std::uint32_t(in.get<"ctx.inline_rqn">()));
    case disp_type<"INDIRECT">:
        return use_object(s, c, o, kind::rqt, std::uint32_t(in.get<"ctx.indirect_table">()));
    }
    return c.refuse(syndrome::bad_parameter, "disp_type {}", in.get<"ctx.disp_type">());
}

syndrome change_tir(state &s, command &c, object &o) {
    constexpr std::uint64_t indirect_table = 1u << 1;
    const auto in = c.inbox<prm::modify_tir_in>();
    constexpr auto at = prm::place_of<prm::modify_tir_in, "bitmask">.row.offset;
    if (!(prm::load_be<std::uint64_t>(c.in.data() + at) & indirect_table)) return syndrome::none;
    object fresh{o.type};
    const auto table = std::uint32_t(in.get<"ctx.indirect_table">());
    syndrome why = use_object(s, c, fresh, kind::rqt, table);
    if (why == syndrome::none) use_instead(o, fresh, kind::rqt);
    return why;
}

// ---- RQT: a table of receive queues
// ---------------------------------------------------------------

namespace {

constexpr std::size_t list_in_context = prm::rqtc.size;

// Checks the list behind the context at byte `at` of the inbox and makes `o` use its queues. The
// list becomes part of the object's context.
syndrome take_list(state &s, command &c, object &o, std::size_t at) {
    const prm::view<prm::rqtc> in(std::span<const std::byte>(c.in).subspan(at));
    const auto n = in.get<"rqt_actual_size">(), most = in.get<"rqt_max_size">();
    if (in.get<"rq_vhca_id_format">())
        return c.refuse(syndrome::unsupported_type, "queues of other functions");
    if (most && n > most) return c.refuse(syndrome::index_out_of_range, "{} of {}", n, most);
    if (n > 1ull << s.caps.general("log_max_rqt_size"))
        return c.refuse(syndrome::above_capability, "{} queues", n);
    const std::size_t list = at + list_in_context, bytes = n * prm::rq_num.size;
    if (list + bytes > c.in.size()) return c.refuse(syndrome::list_too_short, "{} queues", n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto rqn = prm::load_be<std::uint32_t>(c.in.data() + list + i * 4) & 0xffffff;
        if (syndrome why = use_object(s, c, o, kind::rq, rqn); why != syndrome::none) return why;
    }
    o.context.resize(list_in_context);
    o.context.insert(o.context.end(), c.in.begin() + std::ptrdiff_t(list),
                     c.in.begin() + std::ptrdiff_t(list + bytes));
    return syndrome::none;
}

} // namespace

syndrome check_rqt(state &s, command &c, object &o) {
    return take_list(s, c, o, prm::place_of<prm::create_rqt_in, "rqt_context">.row.offset);
}

syndrome change_rqt(state &s, command &c, object &o) {
    if (!c.inbox<prm::modify_rqt_in>().get<"bitmask.rqn_list">()) return syndrome::none;
    object fresh{o.type};
    fresh.context = o.context;
    constexpr auto at = prm::place_of<prm::modify_rqt_in, "ctx">.row.offset;
    const auto n = c.inbox<prm::modify_rqt_in>().get<"ctx.rqt_actual_size">();
    const auto most = prm::view<prm::rqtc>(o.context).get<"rqt_max_size">();
    if (n > most) return c.refuse(syndrome::index_out_of_range, "{} of {}", n, most);
    syndrome why = take_list(s, c, fresh, at);
    if (why == syndrome::none) s.objects.replace(o, std::move(fresh));
    return why;
}

void query_rqt_list(state &, command &c, object &o) {
    constexpr auto at = prm::place_of<prm::query_rqt_out, "rqt_context">.row.offset;
    const std::size_t room = c.out.size() - (at + list_in_context);
    const std::size_t n = std::min(room, o.context.size() - list_in_context);
    std::copy_n(o.context.begin() + list_in_context, n,
                c.out.begin() + std::ptrdiff_t(at + list_in_context));
}

} // namespace kdevx::hca::firmware
