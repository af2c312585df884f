// SPDX-License-Identifier: MIT
#include "firmware/capabilities.hpp"

#include "engine/events.hpp"
#include "firmware/device_memory.hpp"
#include "firmware/field_copy.hpp"
#include "firmware/general_object.hpp"
#include "firmware/init_segment.hpp"
#include "firmware/packet_pacing.hpp"
#include "kdevx/prm/caps.hpp"
#include "kdevx/prm/hca.hpp"
#include "options.hpp"

#include <algorithm>
#include <cstdlib>

namespace kdevx::hca::firmware {
namespace {

// A page that nothing below fills in is all zeroes: no such offload.
constexpr std::uint16_t general_device = prm::cap<"GENERAL">, device_event = prm::cap<"DEV_EVENT">;

struct general_row {
    std::string_view field;
    std::uint64_t value;
};

// clang-format off
constexpr general_row general_rows[] = {
    // How much there is of everything.
    {"vhca_id",                  1},
    {"log_max_srq_sz",           15},
    {"log_max_qp_sz",            15},
    {"log_max_qp",               18},
    {"log_max_srq",              18},
    {"log_max_cq_sz",            22},
    {"log_max_cq",               18},
    {"log_max_eq_sz",            22},
    {"log_max_mkey",             18},
    {"log_max_eq",               6},
    {"max_indirection",          4},
    {"fixed_buffer_size",        1},
    {"log_max_mrw_sz",           48},
    {"log_max_klm_list_size",    16},
    {"log_max_ra_req_qp",        4},
    {"log_max_ra_res_qp",        4},
    {"log_max_msg",              30},
    {"log_max_mcg",              10},
    {"max_qp_mcg",               16},
    {"log_max_transport_domain", 16},
    {"log_max_pd",               17},
    {"log_max_xrcd",             16},
    {"log_max_rq",               18},
    {"log_max_sq",               18},
    {"log_max_tir",              16},
    {"log_max_tis",              16},
    {"log_max_rmp",              16},
    {"log_max_rqt",              16},
    {"log_max_rqt_size",         11},
    {"log_max_tis_per_sq",       1},
    {"log_max_stride_sz_rq",     13},
    {"log_min_stride_sz_rq",     4},
    {"log_max_stride_sz_sq",     6},
    {"log_min_stride_sz_sq",     6},
    {"log_max_wq_sz",            15},
    {"max_wqe_sz_sq",            1024},
    {"max_wqe_sz_rq",            512},
    {"max_wqe_sz_sq_dc",         1024},
    {"max_sgl_for_optimized_performance", 4},
    {"log_max_xrq",              16},
    {"log_max_uctx",             10},
    {"log_max_umem",             17},

    // Pages, doorbells, clocks.
    {"log_pg_sz",                12},
    {"log_bf_reg_size",          9},
    {"num_of_uars_per_page",     1},
    {"device_frequency_khz",     init_segment::frequency_khz},
    {"device_frequency_mhz",     init_segment::frequency_khz / 1000},

    // What it can do.
    {"rc",                       1},
    {"uc",                       1},
    {"ud",                       1},
    {"xrc",                      1},
    {"atomic",                   1},
    {"cd",                       1},
    {"cq_oi",                    1},
    {"cq_resize",                1},
    {"cq_moderation",            1},
    {"cq_eq_remap",              1},
    {"block_lb_mc",              1},
    {"dct",                      1},
    {"tag_matching",             1},
    {"log_tag_matching_list_sz", 10},
    {"rndv_offload_rc",          1},
    {"cqe_version",              1},
    {"apm",                      0},
    {"event_cap",                1},
    {"uctx_cap",                 0xb},
    {"umem_uid_0",               1},
    {"hca_cap_2",                1},
    // Without this the driver makes thousands of mkeys at probe and needs UMR for every memory
    // registration.
    {"umr_modify_entity_size_disabled", 1},
    {"device_memory",            1},
    {"qos",                      1},
};

struct page_row {
    std::uint16_t page;
    std::string_view field;
    std::uint64_t value;
};
constexpr page_row page_rows[] = {
    {prm::cap<"DEV_MEM">, "memic",                         1},
    {prm::cap<"DEV_MEM">, "log_min_memic_alloc_size",      6},
    {prm::cap<"DEV_MEM">, "log_max_memic_addr_alignment",  6},
    {prm::cap<"DEV_MEM">, "memic_bar_start_addr",          device_memory::window},
    {prm::cap<"DEV_MEM">, "memic_bar_size",                device_memory::window_size},
    {prm::cap<"DEV_MEM">, "max_memic_size",                device_memory::window_size},
    {prm::cap<"DEV_MEM">, "memic_operations",              device_memory::operations},
    {prm::cap<"DEV_MEM">, "memic_atomic_increment",        device_memory::increment_sizes},
    {prm::cap<"DEV_MEM">, "memic_atomic_test_and_set",     device_memory::test_and_set_sizes},
    {prm::cap<"QOS">,     "packet_pacing",                 1},
    {prm::cap<"QOS">,     "packet_pacing_uid",             1},
    {prm::cap<"QOS">,     "packet_pacing_burst_bound",     1},
    {prm::cap<"QOS">,     "packet_pacing_typical_size",    1},
    {prm::cap<"QOS">,     "packet_pacing_max_rate",        most_rate},
    {prm::cap<"QOS">,     "packet_pacing_min_rate",        least_rate},
    {prm::cap<"QOS">,     "packet_pacing_rate_table_size", rate_table_size},
    {prm::cap<"VDPA_EMULATION">, "log_doorbell_stride",    12},
    {prm::cap<"VDPA_EMULATION">, "log_doorbell_bar_size",  log_virtio_doorbell_pages},
    {prm::cap<"VDPA_EMULATION">, "doorbell_bar_offset",    virtio_doorbells},
    {prm::cap<"VDPA_EMULATION">, "max_num_virtio_queues",  1u << log_virtio_doorbell_pages},
};

// Steering of an Ethernet port, in both directions alike, and of RDMA's packets as of the others:
// what the driver's own tables need, and what its users' flows can do.
constexpr general_row flow_rows[] = {
    {"ft_support",                    1},
    {"flow_counter",                  1},
    {"flow_modify_en",                1},
    {"modify_root",                   1},
    {"identified_miss_table_mode",    1},
    {"flow_table_modify",             1},
    {"reformat",                      1},
    {"decap",                         1},
    {"reformat_l3_tunnel_to_l2",      1},
    {"reformat_l2_to_l3_tunnel",      1},
    {"log_max_ft_size",               16},
    {"log_max_modify_header_context", 16},
    {"max_modify_header_actions",     16},
    {"max_ft_level",                  128},
    {"log_max_ft_num",                16},
    {"log_max_flow_counter",          16},
    {"log_max_destination",           8},
    {"log_max_flow",                  18},
};
// clang-format on

// Our own tables name fields that there are; a table that does not is a bug found by any start.
prm::place place_in(std::uint16_t type, std::string_view field) {
    const prm::layout_base *fields = prm::variant_of(prm::cap_pages, type);
    prm::place p = fields ? prm::find_place(*fields, field) : prm::place{};
    if (p.row.name.empty()) std::abort();
    return p;
}

// Visits every field of a page, nested ones too, until `visit` says stop.
template <class F>
bool each_field(const prm::layout_base &l, std::uint32_t base, F &&visit) {
    for (const prm::field &f : l.rows) {
        prm::place p;
        p.row = f;
        p.row.offset += base;
        bool go_on = f.nested ? each_field(*f.nested, p.row.offset, visit) : visit(p);
        if (!go_on) return false;
    }
    return true;
}

} // namespace

capabilities::capabilities(const options &o) {
    for (const prm::variant &v : prm::cap_pages)
        max_[std::uint16_t(v.number)] = {};
    put_general(o);
    for (const page_row &row : page_rows)
        put(row.page, row.field, row.value);
    if (!o.infiniband) put_steering();
    put_events();
    put_atomics();
    reset();
}

void capabilities::reset() {
    current_ = max_;
    // The order of the network, until the driver asks for the host's.
    constexpr std::uint16_t type = prm::cap<"ATOMIC">;
    place_in(type, "atomic_req_8B_endianness_mode").put(current_.at(type), 0);
}

void capabilities::put(std::uint16_t type, std::string_view field, std::uint64_t value,
                       std::uint32_t index) {
    if (!place_in(type, field).put(max_[type], value, index)) std::abort();
}

void capabilities::put_general(const options &o) {
    for (const general_row &row : general_rows)
        put(general_device, row.field, row.value);
    put(general_device, "num_ports", o.ports);
    put(general_device, "port_type", o.infiniband ? 0 : 1);
    put(general_device, "ib_virt", o.infiniband ? 1 : 0);
    put(general_device, "bf", o.blueflame);
    put(general_device, "general_obj_types", general_object_types(0));
    put(prm::cap<"GENERAL_2">, "general_obj_types_127_64", general_object_types(64));
    put(general_device, "dtor", o.command_timeout != 0);
    for (const auto &[field, value] : o.caps)
        put(general_device, field, value);
}

// Compare-and-swap and fetch-and-add, plain ones and masked ones, of 4 and of 8 bytes. The driver
// may ask for operands in the host's order.
void capabilities::put_atomics() {
    constexpr std::uint16_t type = prm::cap<"ATOMIC">;
    constexpr std::uint64_t all_operations = 0xf, sizes = 4 | 8, host_order = 1;
    put(type, "supported_atomic_req_8B_endianness_mode_1", 1);
    put(type, "atomic_req_8B_endianness_mode", host_order);
    put(type, "atomic_operations", all_operations);
    put(type, "atomic_size_qp", sizes);
}

void capabilities::put_steering() {
    constexpr std::uint16_t type = prm::cap<"FLOW_TABLE">;
    put(general_device, "nic_flow_table", 1);
    // The driver's tables may be lent to programs: the steering anchor.
    put(general_device, "shared_object_to_user_object_allowed", 1);
    put(type, "nic_rx_multi_path_tirs", 1); // a packet may go on to the next table as well
    put(type, "log_max_packet_reformat_context", 16);
    put(type, "max_encap_header_size", 128);
    for (const char *way : {"receive", "receive_rdma", "transmit", "transmit_rdma"})
        for (const general_row &row : flow_rows)
            put(type,
                "flow_table_properties_nic_" + std::string(way) + "." + std::string(row.field),
                row.value);
    // RDMA's packets that match nothing go on to the tables of all packets.
    put(type, "flow_table_properties_nic_receive_rdma.table_miss_action_domain", 1);
}

// The events that a DEVX context may subscribe to. Never those of the command queue and of page
// requests: the driver would route them to its user event queue.
void capabilities::put_events() {
    std::uint64_t affiliated = 0, unaffiliated = 0;
    for (auto e : engine::affiliated_events)
        affiliated |= 1ull << e;
    for (auto e : engine::unaffiliated_events)
        unaffiliated |= 1ull << e;
    put(device_event, "user_affiliated_events", affiliated);
    put(device_event, "user_unaffiliated_events", unaffiliated);
}

std::uint64_t capabilities::general(std::string_view field) const {
    return get(general_device, field);
}

std::uint64_t capabilities::get(std::uint16_t type, std::string_view field) const {
    return place_in(type, field).get(current_.at(type));
}

syndrome capabilities::query(command &c) const {
    const std::uint16_t type = c.op_mod >> 1;
    const bool want_current = c.op_mod & 1;
    const auto &from = want_current ? current_ : max_;
    auto found = from.find(type);
    if (found == from.end()) return c.refuse(syndrome::no_such_capability_page, "{:#x}", type);
    c.note("type {:#x} {}", type, want_current ? "current" : "max");
    c.outbox<prm::query_hca_cap_out>().set_bytes<"capability">(found->second);
    return syndrome::none;
}

syndrome capabilities::set(command &c) {
    const std::uint16_t type = c.op_mod >> 1;
    const prm::layout_base *fields = prm::variant_of(prm::cap_pages, type);
    if (!fields) return c.refuse(syndrome::no_such_capability_page, "{:#x}", type);
    const auto wanted = c.inbox<prm::set_hca_cap_in>().bytes<"capability">();
    const page &most = max_.at(type);
    std::string_view too_much;
    each_field(*fields, 0, [&](const prm::place &p) {
        if (p.row.is_bits() && p.get(wanted) > p.get(most)) too_much = p.row.name;
        return too_much.empty();
    });
    if (!too_much.empty()) return c.refuse(syndrome::above_capability, "{}", too_much);
    // Of this page the driver sets one field, and leaves the others zero.
    if (type == prm::cap<"ATOMIC">)
        copy_field(place_in(type, "atomic_req_8B_endianness_mode"), wanted, current_.at(type));
    else
        std::ranges::copy(wanted, current_.at(type).begin());
    c.note("type {:#x}", type);
    return syndrome::none;
}

std::string check_capability(std::string_view field, std::uint64_t value) {
    const prm::place p = prm::find_place(prm::cmd_hca_cap, field);
    if (p.row.name.empty() || !p.row.is_bits())
        return fmt::format("the general capability page has no field {}", field);
    if (!p.fits(value)) return fmt::format("{} does not fit capability {}", value, field);
    return {};
}

} // namespace kdevx::hca::firmware
