// SPDX-License-Identifier: MIT
#include "firmware/bring_up.hpp"

#include "inject.hpp"
#include "kdevx/prm/hca.hpp"

#include <algorithm>

namespace kdevx::hca::firmware {
namespace {

constexpr std::uint32_t supported_issi = 0b11; // 0 and 1
constexpr std::uint32_t mellanox_oui = 0x2c9;

enum pages_op_mod : std::uint16_t { cannot_give = 0, give = 1, take = 2 };
enum query_pages_op_mod : std::uint16_t { boot = 1, init = 2, regular = 3 };

} // namespace

syndrome enable_hca(state &s, command &) {
    s.at = std::max(s.at, phase::enabled);
    return syndrome::none;
}

syndrome disable_hca(state &s, command &c) {
    if (s.at == phase::initialized) return c.refuse(syndrome::already_initialized, "");
    s.at = phase::off;
    return syndrome::none;
}

syndrome init_hca(state &s, command &c) {
    if (s.at == phase::initialized) return c.refuse(syndrome::already_initialized, "");
    s.at = phase::initialized;
    return syndrome::none;
}

// What the driver left behind goes with it, as on any device; the log tells, it is a leak.
syndrome teardown_hca(state &s, command &c) {
    c.note("{} objects left", s.objects.size());
    s.objects.clear();
    s.keyed.clear();
    s.engine.reset();
    s.at = phase::enabled;
    return syndrome::none;
}

syndrome query_issi(state &s, command &c) {
    c.outbox<prm::query_issi_out>()
        .set<"current_issi">(s.issi)
        .set<"supported_issi_dw0", supported_issi>();
    return syndrome::none;
}

syndrome set_issi(state &s, command &c) {
    const auto issi = c.inbox<prm::set_issi_in>().get<"current_issi">();
    if (issi > 31 || !(supported_issi >> issi & 1))
        return c.refuse(syndrome::unsupported_issi, "{}", issi);
    s.issi = std::uint16_t(issi);
    return syndrome::none;
}

syndrome query_pages(state &, command &c) {
    std::uint32_t n = 0;
    switch (c.op_mod) {
    case boot:
        n = page_pool::boot_pages;
        break;
    case init:
        n = page_pool::init_pages;
        break;
    case regular:
        break;
    default:
        return c.refuse(syndrome::unknown_op_mod, "{:#x}", c.op_mod);
    }
    c.note("{} pages wanted", n);
    c.outbox<prm::query_pages_out>().set<"num_pages">(n);
    return syndrome::none;
}

namespace {

syndrome give_pages(state &s, command &c, std::uint32_t n) {
    const auto in = c.inbox<prm::manage_pages_in>();
    auto &given = s.pages.given;
    if ((c.in.size() - prm::manage_pages_in.size) / 8 < n)
        return c.refuse(syndrome::list_too_short, "{} pages", n);
    if (given.size() + n > page_pool::most) return c.refuse(syndrome::out_of_memory, "");
    for (std::uint32_t i = 0; i < n; ++i)
        if (in.get<"pas">(i) & 0xfff)
            return c.refuse(syndrome::page_not_aligned, "pas[{}] {:#x}", i, in.get<"pas">(i));
    for (std::uint32_t i = 0; i < n; ++i)
        given.push_back(in.get<"pas">(i));
    c.note("{} pages given", n);
    return syndrome::none;
}

syndrome take_pages(state &s, command &c, std::uint32_t n) {
    auto out = c.outbox<prm::manage_pages_out>();
    auto &given = s.pages.given;
    const std::size_t room = (c.out.size() - prm::manage_pages_out.size) / 8;
    n = std::uint32_t(std::min({std::size_t(n), room, given.size()}));
    for (std::uint32_t i = 0; i < n; ++i, given.pop_back())
        out.set_at<"pas">(i, given.back());
    out.set<"output_num_entries">(n);
    c.note("{} pages back", n);
    return syndrome::none;
}

} // namespace

syndrome manage_pages(state &s, command &c) {
    const auto n = std::uint32_t(c.inbox<prm::manage_pages_in>().get<"input_num_entries">());
    switch (c.op_mod) {
    case cannot_give:
        c.note("the driver has no pages");
        return syndrome::none;
    case give:
        return give_pages(s, c, n);
    case take:
        return take_pages(s, c, n);
    }
    return c.refuse(syndrome::unknown_op_mod, "{:#x}", c.op_mod);
}

syndrome query_hca_cap(state &s, command &c) {
    return s.caps.query(c);
}

syndrome set_hca_cap(state &s, command &c) {
    if (s.at == phase::initialized) return c.refuse(syndrome::already_initialized, "");
    return s.caps.set(c);
}

syndrome query_adapter(state &, command &c) {
    c.outbox<prm::query_adapter_out>()
        .set<"query_adapter_struct.ieee_vendor_id", mellanox_oui>()
        .set_bytes<"query_adapter_struct.vsd_contd_psid">(std::as_bytes(std::span(psid)));
    return syndrome::none;
}

syndrome query_special_contexts(state &, command &c) {
    c.outbox<prm::query_special_contexts_out>()
        .set<"dump_fill_mkey", engine::reserved_key(engine::dump_fill_index)>()
        .set<"resd_lkey", engine::reserved_key(engine::reserved_lkey_index)>()
        .set<"null_mkey", engine::reserved_key(engine::null_index)>()
        .set<"terminate_scatter_list_mkey",
             engine::reserved_key(engine::terminate_scatter_list_index)>()
        .set<"repeated_mkey", engine::reserved_key(engine::repeated_index)>();
    return syndrome::none;
}

syndrome set_driver_version(state &, command &c) {
    const auto bytes = c.inbox<prm::set_driver_version_in>().bytes<"driver_version">();
    std::string version;
    for (std::byte b : bytes)
        if (char ch = char(b); ch >= ' ' && ch <= '~') version += ch;
    c.note("{}", version);
    return syndrome::none;
}

syndrome nop(state &, command &) {
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
