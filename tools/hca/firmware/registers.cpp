// SPDX-License-Identifier: MIT
#include "firmware/registers.hpp"

#include "kdevx/prm/port.hpp"

#include <algorithm>

namespace kdevx::hca::firmware {
namespace {

using prm::reg;
using data = std::span<std::byte>;
using const_data = std::span<const std::byte>;

// A port's link: 4X EDR for InfiniBand, 100GBASE-CR4 for Ethernet.
constexpr std::uint32_t ib_width_4x = 2, ib_speed_edr = 0x20, eth_100g = 1u << 20;

void read_ptys(state &s, const_data, data to) {
    prm::editor<prm::ptys_reg> e(to);
    if (s.opt.infiniband)
        e.set<"ib_link_width_capability", ib_width_4x>()
            .set<"ib_proto_capability", ib_speed_edr>()
            .set<"ib_link_width_admin", ib_width_4x>()
            .set<"ib_proto_admin", ib_speed_edr>()
            .set<"ib_link_width_oper", ib_width_4x>()
            .set<"ib_proto_oper", ib_speed_edr>();
    else
        e.set<"eth_proto_capability", eth_100g>()
            .set<"eth_proto_admin", eth_100g>()
            .set<"eth_proto_oper", eth_100g>();
}

void read_pmtu(state &s, const_data, data to) {
    const std::uint16_t mtu = s.opt.infiniband ? 4096 : 1522;
    prm::editor<prm::pmtu_reg>(to).set<"max_mtu">(mtu).set<"admin_mtu">(mtu).set<"oper_mtu">(mtu);
}

void read_pvlc(state &, const_data, data to) {
    constexpr std::uint8_t vl0_to_vl7 = 4;
    prm::editor<prm::pvlc_reg>(to)
        .set<"vl_hw_cap", vl0_to_vl7>()
        .set<"vl_admin", vl0_to_vl7>()
        .set<"vl_operational", vl0_to_vl7>();
}

void read_paos(state &, const_data, data to) {
    constexpr std::uint8_t up = 1;
    prm::editor<prm::paos_reg>(to).set<"admin_status", up>().set<"oper_status", up>();
}

void read_node_description(state &s, const_data, data to) {
    std::copy_n(s.node_description.begin(), std::min(to.size(), s.node_description.size()),
                to.begin());
}

void write_node_description(state &s, const_data from) {
    std::copy_n(from.begin(), std::min(from.size(), s.node_description.size()),
                s.node_description.begin());
}

// The driver's own defaults, so that asking changes nothing but the command timeout.
void read_dtor(state &, const_data, data to) {
    constexpr std::uint64_t seconds = 1;
    struct row {
        std::string_view field;
        std::uint64_t value;
    };
    constexpr row rows[] = {
        {"pcie_toggle_to", 2},         {"health_poll_to", 2},    {"full_crdump_to", 60},
        {"fw_reset_to", 60},           {"flush_on_err_to", 2},   {"pci_sync_update_to", 5},
        {"tear_down_to", 3},           {"fsm_reactivate_to", 5}, {"reclaim_pages_to", 5},
        {"reclaim_vfs_pages_to", 120}, {"reset_unload_to", 300},
    };
    for (const row &r : rows) {
        const std::string path(r.field);
        prm::find_place(prm::dtor_reg, path + ".to_multiplier").put(to, seconds);
        prm::find_place(prm::dtor_reg, path + ".to_value").put(to, r.value);
    }
}

void read_as_zero(state &, const_data, data) {}

// The driver says which byte order the host has. It makes no difference here.
void write_ignored(state &, const_data) {}

struct register_row {
    std::uint16_t id;
    std::size_t size;
    void (*read)(state &s, const_data asked, data to);
    void (*write)(state &s, const_data from); // null: read only
};

// clang-format off
constexpr register_row registers[] = {
    {reg<"PMLP">,             prm::pmlp_reg.size,                 read_as_zero,          nullptr},
    {reg<"PMTU">,             prm::pmtu_reg.size,                 read_pmtu,             write_ignored},
    {reg<"PTYS">,             prm::ptys_reg.size,                 read_ptys,             write_ignored},
    {reg<"PAOS">,             prm::paos_reg.size,                 read_paos,             write_ignored},
    {reg<"PPCNT">,            0x100,                              read_as_zero,          nullptr},
    {reg<"PVLC">,             prm::pvlc_reg.size,                 read_pvlc,             write_ignored},
    {reg<"NODE_DESC">,        prm::set_node_in.size,              read_node_description, write_node_description},
    {reg<"HOST_ENDIANNESS">,  prm::register_host_endianness.size, read_as_zero,          write_ignored},
    {reg<"DTOR">,             prm::dtor_reg.size,                 read_dtor,             nullptr},
};
// clang-format on

} // namespace

syndrome access_reg(state &s, command &c) {
    enum : std::uint16_t { write = 0, read = 1 };
    const auto in = c.inbox<prm::access_register_in>();
    const auto id = in.get<"register_id">();
    auto row = std::ranges::find(registers, id, &register_row::id);
    if (row == std::end(registers)) return c.refuse(syndrome::no_such_register, "{:#x}", id);
    const std::string_view name = prm::registers.name_of(std::uint32_t(id));
    constexpr std::size_t in_head = prm::access_register_in.size;
    constexpr std::size_t out_head = prm::access_register_out.size;
    const auto asked = std::span<const std::byte>(c.in).subspan(in_head);
    const auto to = std::span(c.out).subspan(out_head);
    const char *verb = c.op_mod == read ? "read" : "write";
    if (c.op_mod > read) return c.refuse(syndrome::unknown_op_mod, "{:#x}", c.op_mod);
    if (to.size() < row->size) return c.refuse(syndrome::outbox_too_short, "{}", name);
    if (asked.size() < row->size) return c.refuse(syndrome::inbox_too_short, "{}", name);
    if (c.op_mod == write && !row->write) return c.refuse(syndrome::read_only_register, "{}", name);
    c.note("{} {}", verb, name);
    // The answer begins as what was asked, which has the port number and other indices in it.
    std::copy_n(asked.begin(), std::min(asked.size(), to.size()), to.begin());
    if (c.op_mod == read)
        row->read(s, asked, to);
    else
        row->write(s, asked);
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
