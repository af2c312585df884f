// SPDX-License-Identifier: MIT
#include "core/av.hpp"

#include <cstring>

#include "wq/address.hpp"

namespace kdevx::core {

namespace {

// enum ib_rate as the device counts it; 0 is as fast as the port.
constexpr std::uint8_t slowest_rate = 2, rate_offset = 5, widest_rate = 15;

result<std::uint8_t> rate_of(std::uint8_t ib_rate) {
    if (!ib_rate) return std::uint8_t(0);
    if (ib_rate < slowest_rate || ib_rate + rate_offset > widest_rate)
        return invalid("static_rate", ib_rate, widest_rate - rate_offset);
    return std::uint8_t(ib_rate + rate_offset);
}

constexpr std::uint32_t widest_flow_label = 0xfffff;
constexpr std::uint8_t widest_sl = 15;
constexpr std::uint8_t widest_path_bits = 0x7f;

result<void> check_address(const kdevx_address &a) {
    if (a.sl > widest_sl) return invalid("sl", a.sl, widest_sl);
    if (a.flow_label > widest_flow_label)
        return invalid("flow_label", a.flow_label, widest_flow_label);
    if (a.src_path_bits > widest_path_bits)
        return invalid("src_path_bits", a.src_path_bits, widest_path_bits);
    return {};
}

kdevx::wq::address_info info_of(const kdevx_address &a, const std::uint8_t *dmac) {
    kdevx::wq::address_info i;
    i.lid_or_udp_port = a.dlid;
    i.sl = std::uint8_t(dmac ? a.sl << 1 & widest_sl : a.sl);
    i.path_bits = a.src_path_bits;
    i.grh = !dmac && a.is_global;
    if (a.is_global || dmac) {
        i.source_gid_index = a.sgid_index;
        i.flow_label = a.flow_label;
        i.traffic_class = a.traffic_class;
        i.hop_limit = a.hop_limit;
        std::memcpy(i.gid.data(), a.dgid, sizeof a.dgid);
    }
    if (dmac) std::memcpy(i.mac.data(), dmac, i.mac.size());
    return i;
}

} // namespace

result<kdevx_av> make_av(const kdevx_address &a, const std::uint8_t *dmac) noexcept {
    if (result<void> r = check_address(a); !r) return r.failure();
    result<std::uint8_t> rate = rate_of(a.static_rate);
    if (!rate) return rate.failure();
    kdevx::wq::address_info i = info_of(a, dmac);
    i.stat_rate = *rate;
    kdevx::wq::address made;
    if (!kdevx::wq::make_address(i, made)) return invalid("address");
    kdevx_av av;
    static_assert(sizeof av == sizeof made);
    std::memcpy(&av, &made, sizeof av);
    return av;
}

} // namespace kdevx::core
