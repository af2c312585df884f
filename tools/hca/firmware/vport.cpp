// SPDX-License-Identifier: MIT
#include "firmware/vport.hpp"

#include "kdevx/prm/mad.hpp"
#include "kdevx/prm/vport.hpp"

#include <algorithm>

namespace kdevx::hca::firmware {
namespace {

using prm::nic_vport_context;

constexpr std::uint64_t link_local_prefix = 0xfe80'0000'0000'0000;
constexpr std::uint16_t default_pkey = 0xffff;
// What QUERY_HCA_VPORT_GID and _PKEY take for "all of them".
constexpr std::uint16_t all_entries = 0xffff;
constexpr std::uint32_t gid_entries = 8, pkey_entries = 128;
// Trap, automatic migration, SL mapping, LED info, system image GUID, vendor class, capability
// mask notices, client reregistration: what the port of a real HCA has set.
constexpr std::uint32_t port_capabilities = 0x02510868;
constexpr std::uint8_t physically_up = 5, vport_up = 1;

// There is one vport, our own: number 0.
template <const auto &L>
syndrome check_vport(command &c) {
    const auto in = c.inbox<L>();
    if (in.template get<"other_vport">())
        return c.refuse(syndrome::no_such_vport, "{}", in.template get<"vport_number">());
    return syndrome::none;
}

// Port 0 in a command of the only port means port 1.
template <const auto &L>
syndrome find_port(state &s, command &c, port *&found) {
    if (syndrome why = check_vport<L>(c); why != syndrome::none) return why;
    std::uint64_t n = c.inbox<L>().template get<"port_num">();
    if (n == 0) n = 1;
    if (n > s.ports.size()) return c.refuse(syndrome::no_such_port, "{}", n);
    found = &s.ports[n - 1];
    return syndrome::none;
}

// A locally administered address made of the GUID.
std::uint64_t mac_of(const options &o) {
    return (o.guid & 0xffffffffff) | 0x020000000000;
}

} // namespace

// ---- NIC vport
// -----------------------------------------------------------------------------------

std::vector<std::byte> initial_nic_vport_context(const options &o) {
    constexpr std::uint16_t ethernet_mtu = 1500;
    std::vector<std::byte> context(nic_vport_context.size);
    prm::editor<nic_vport_context> e(context);
    e.set<"mtu", ethernet_mtu>()
        .set<"system_image_guid">(o.guid)
        .set<"node_guid">(o.guid)
        .set<"port_guid">(o.guid + 1)
        .set<"permanent_address.mac_addr_47_32">(mac_of(o) >> 32)
        .set<"permanent_address.mac_addr_31_0">(mac_of(o) & 0xffffffff);
    return context;
}

syndrome query_nic_vport_context(state &s, command &c) {
    using in = decltype(c.inbox<prm::query_nic_vport_context_in>());
    if (syndrome why = check_vport<prm::query_nic_vport_context_in>(c); why != syndrome::none)
        return why;
    const auto list = in(c.in).get<"allowed_list_type">();
    constexpr auto at = prm::place_of<prm::query_nic_vport_context_out, "nic_vport_context">;
    std::ranges::copy(s.nic_vport, c.out.begin() + at.row.offset);
    // The lists of addresses and VLANs are empty: the NIC receives nothing.
    c.outbox<prm::query_nic_vport_context_out>().set<"nic_vport_context.allowed_list_type">(list);
    return syndrome::none;
}

namespace {

struct nic_field {
    std::string_view select, field;
};
// clang-format off
constexpr nic_field nic_fields[] = {
    {"roce_en",             "roce_en"},
    {"mtu",                 "mtu"},
    {"min_inline",          "min_wqe_inline_mode"},
    {"node_guid",           "node_guid"},
    {"port_guid",           "port_guid"},
    {"disable_mc_local_lb", "disable_mc_local_lb"},
    {"disable_uc_local_lb", "disable_uc_local_lb"},
    {"change_event",        "arm_change_event"},
    {"change_event",        "event_on_mtu"},
    {"change_event",        "event_on_promisc_change"},
    {"change_event",        "event_on_vlan_change"},
    {"change_event",        "event_on_mc_address_change"},
    {"change_event",        "event_on_uc_address_change"},
    {"promisc",             "promisc_uc"},
    {"promisc",             "promisc_mc"},
    {"promisc",             "promisc_all"},
    {"permanent_address",   "permanent_address.mac_addr_47_32"},
    {"permanent_address",   "permanent_address.mac_addr_31_0"},
};
// clang-format on

} // namespace

syndrome modify_nic_vport_context(state &s, command &c) {
    if (syndrome why = check_vport<prm::modify_nic_vport_context_in>(c); why != syndrome::none)
        return why;
    constexpr auto select = prm::place_of<prm::modify_nic_vport_context_in, "field_select">;
    constexpr auto context = prm::place_of<prm::modify_nic_vport_context_in, "nic_vport_context">;
    const auto from = std::span<const std::byte>(c.in).subspan(context.row.offset);
    const auto chosen = std::span<const std::byte>(c.in).subspan(select.row.offset);
    for (const nic_field &f : nic_fields) {
        if (!prm::find_place(prm::modify_nic_vport_field_select, f.select).get(chosen)) continue;
        const prm::place p = prm::find_place(nic_vport_context, f.field);
        p.put(s.nic_vport, p.get(from));
    }
    return syndrome::none;
}

syndrome query_vport_state(state &s, command &c) {
    if (syndrome why = check_vport<prm::query_vport_state_in>(c); why != syndrome::none) return why;
    const bool up = s.ports[0].link == port_link::active;
    c.outbox<prm::query_vport_state_out>().set<"admin_state">(1).set<"state">(up ? vport_up : 0);
    return syndrome::none;
}

syndrome modify_vport_state(state &, command &c) {
    return check_vport<prm::modify_vport_state_in>(c);
}

// Nothing has passed and nothing went wrong: all counters are zero.
syndrome query_vport_counter(state &s, command &c) {
    port *p = nullptr;
    return find_port<prm::query_vport_counter_in>(s, c, p);
}

syndrome query_vnic_env(state &, command &c) {
    return check_vport<prm::query_vnic_env_in>(c);
}

// ---- InfiniBand vport
// ----------------------------------------------------------------------------

syndrome query_hca_vport_context(state &s, command &c) {
    port *p = nullptr;
    if (syndrome why = find_port<prm::query_hca_vport_context_in>(s, c, p); why != syndrome::none)
        return why;
    c.outbox<prm::query_hca_vport_context_out>()
        .set<"hca_vport_context.port_physical_state", physically_up>()
        .set<"hca_vport_context.port_state">(std::uint64_t(p->link))
        .set<"hca_vport_context.vport_state">(std::uint64_t(p->link))
        .set<"hca_vport_context.system_image_guid">(s.opt.guid)
        .set<"hca_vport_context.port_guid">(p->guid)
        .set<"hca_vport_context.node_guid">(s.opt.guid)
        .set<"hca_vport_context.cap_mask1", port_capabilities>()
        .set<"hca_vport_context.lid">(p->lid)
        .set<"hca_vport_context.sm_lid">(p->lid);
    return syndrome::none;
}

// GUIDs and link state are the subnet manager's to change; there is none, so nothing changes.
syndrome modify_hca_vport_context(state &s, command &c) {
    port *p = nullptr;
    return find_port<prm::modify_hca_vport_context_in>(s, c, p);
}

syndrome query_hca_vport_gid(state &s, command &c) {
    port *p = nullptr;
    if (syndrome why = find_port<prm::query_hca_vport_gid_in>(s, c, p); why != syndrome::none)
        return why;
    const auto index = c.inbox<prm::query_hca_vport_gid_in>().get<"gid_index">();
    if (index != all_entries && index >= gid_entries)
        return c.refuse(syndrome::index_out_of_range, "gid {}", index);
    constexpr std::size_t head = prm::query_hca_vport_gid_out.size, gid_size = 16;
    const std::size_t room = (c.out.size() - head) / gid_size;
    const std::size_t n = std::min<std::size_t>(room, index == all_entries ? gid_entries : 1);
    c.outbox<prm::query_hca_vport_gid_out>().set<"gids_num">(n);
    if (n && (index == 0 || index == all_entries)) {
        prm::store_be(c.out.data() + head, link_local_prefix);
        prm::store_be(c.out.data() + head + 8, p->guid);
    }
    return syndrome::none;
}

syndrome query_hca_vport_pkey(state &s, command &c) {
    port *p = nullptr;
    if (syndrome why = find_port<prm::query_hca_vport_pkey_in>(s, c, p); why != syndrome::none)
        return why;
    const auto index = c.inbox<prm::query_hca_vport_pkey_in>().get<"pkey_index">();
    if (index != all_entries && index >= pkey_entries)
        return c.refuse(syndrome::index_out_of_range, "pkey {}", index);
    constexpr std::size_t head = prm::query_hca_vport_pkey_out.size;
    const bool room = c.out.size() >= head + prm::pkey.size;
    if (room && (index == 0 || index == all_entries))
        prm::store_be(c.out.data() + head, std::uint32_t(default_pkey));
    return syndrome::none;
}

// ---- MAD_IFC ------------------------------------------------------------------------------------

// A datagram for the subnet management agent of the port itself. There is none behind it: it is
// answered as an agent answers that does not know the attribute.
syndrome mad_ifc(state &s, command &c) {
    constexpr std::size_t method = 3, status = 4;
    constexpr std::byte response{0x80};
    constexpr std::uint16_t unsupported_attribute = 0x000c;
    const auto port_number = c.inbox<prm::mad_ifc_in>().get<"port">();
    if (port_number == 0 || port_number > s.ports.size())
        return c.refuse(syndrome::no_such_port, "{}", port_number);
    auto mad = c.inbox<prm::mad_ifc_in>().bytes<"mad">();
    std::array<std::byte, 0x100> answer;
    std::ranges::copy(mad, answer.begin());
    answer[method] |= response;
    prm::store_be(answer.data() + status, unsupported_attribute);
    c.note("class {:#x} attribute {:#x}", std::uint8_t(mad[1]),
           prm::load_be<std::uint16_t>(mad.data() + 16));
    c.outbox<prm::mad_ifc_out>().set_bytes<"response_mad_packet">(answer);
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
