// SPDX-License-Identifier: MIT
// Domains and keys.
#pragma once

#include <array>

#include <kdevx/typed/command.hpp>

namespace kdevx::typed {

inline auto alloc_pd() {
    return command<prm::alloc_pd_in, prm::alloc_pd_out>();
}
inline auto alloc_xrcd() {
    return command<prm::alloc_xrcd_in, prm::alloc_xrcd_out>();
}
inline auto alloc_transport_domain() {
    return command<prm::alloc_transport_domain_in, prm::alloc_transport_domain_out>();
}

// What a key allows. Local reads are always allowed.
struct key_access {
    bool local_write = false, remote_read = false, remote_write = false, atomic = false;
    bool relaxed_ordering_read = false, relaxed_ordering_write = false;
};

template <class Mkey>
void set_access(Mkey &in, const key_access &a) {
    in.template set<"memory_key_mkey_entry.lr", 1>();
    in.template set<"memory_key_mkey_entry.lw">(a.local_write);
    in.template set<"memory_key_mkey_entry.rr">(a.remote_read);
    in.template set<"memory_key_mkey_entry.rw">(a.remote_write);
    in.template set<"memory_key_mkey_entry.a">(a.atomic);
    in.template set<"memory_key_mkey_entry.relaxed_ordering_read">(a.relaxed_ordering_read);
    in.template set<"memory_key_mkey_entry.relaxed_ordering_write">(a.relaxed_ordering_write);
}

// The access mode is in two pieces.
template <class Mkey>
void set_access_mode(Mkey &in, std::uint32_t mode) {
    in.template set<"memory_key_mkey_entry.access_mode_1_0">(mode & 3);
    in.template set<"memory_key_mkey_entry.access_mode_4_2">(mode >> 2);
}

inline constexpr std::uint32_t no_qp = 0xffffff; // any QP may use the key

// Octwords of 16 bytes that `bytes` of translations take.
constexpr std::uint64_t octwords(std::uint64_t bytes) {
    return (bytes + 15) / 16;
}

// A key to part of a umem. In the firmware's eyes the offset of start_addr in a page is that of the
// umem's first byte, so both must agree (that is what syndrome 0x317175 says when they do not).
struct mkey_options {
    std::uint32_t pd = 0;
    std::uint8_t mkey_7_0 = 0; // the variant: the key's lowest byte
    std::uint64_t start_addr = 0, len = 0;
    key_access access;
    std::uint32_t umem_id = 0;
    std::uint64_t umem_offset = 0;
    std::uint32_t log_page_size = 12; // that the umem was registered with, see kdevx_umem_info
    std::uint32_t qpn = no_qp;
};
inline auto create_mkey(const mkey_options &o) {
    command<prm::create_mkey_in, prm::create_mkey_out> in;
    std::uint64_t page = std::uint64_t(1) << (o.log_page_size & 63);
    std::uint64_t pages = (o.len + (o.start_addr & (page - 1)) + page - 1) / page;
    set_access(in, o.access);
    set_access_mode(in, prm::value_of<prm::mkc_access_modes, "MTT">);
    in.set<"memory_key_mkey_entry.qpn">(o.qpn);
    in.set<"memory_key_mkey_entry.mkey_7_0">(o.mkey_7_0);
    in.set<"memory_key_mkey_entry.pd">(o.pd);
    in.set<"memory_key_mkey_entry.start_addr">(o.start_addr);
    in.set<"memory_key_mkey_entry.len">(o.len);
    in.set<"memory_key_mkey_entry.translations_octword_size">(octwords(pages * 8));
    in.set<"memory_key_mkey_entry.log_page_size">(o.log_page_size);
    in.set<"translations_octword_actual_size">(octwords(pages * 8));
    in.set<"mkey_umem_valid", 1>();
    in.set<"mkey_umem_id">(o.umem_id);
    in.set<"mkey_umem_offset">(o.umem_offset);
    return in;
}

// A key to pieces of other keys, one after the other. Each piece has its length (KLM), or all have
// the same (KSM, log_entry_size).
struct piece {
    std::uint32_t byte_count = 0; // KLM only
    std::uint32_t mkey = 0;
    std::uint64_t address = 0;
};
struct indirect_mkey_options {
    std::uint32_t pd = 0;
    std::uint8_t mkey_7_0 = 0;
    std::uint64_t start_addr = 0, len = 0;
    key_access access;
    bool ksm = false;
    std::uint32_t log_entry_size = 0; // KSM only
    bool umr_en = false;              // may be changed by UMR WQEs
    std::uint32_t qpn = no_qp;
};
template <std::size_t N>
auto create_indirect_mkey(const indirect_mkey_options &o, const std::array<piece, N> &pieces) {
    static_assert(N > 0, "a key to nothing");
    constexpr std::size_t entry = 16, in_fours = (N + 3) / 4 * 4;
    command<prm::create_mkey_in, prm::create_mkey_out, in_fours * entry> in;
    set_access(in, o.access);
    set_access_mode(in, o.ksm ? prm::value_of<prm::mkc_access_modes, "KSM">
                              : prm::value_of<prm::mkc_access_modes, "KLMS">);
    in.template set<"memory_key_mkey_entry.umr_en">(o.umr_en);
    in.template set<"memory_key_mkey_entry.qpn">(o.qpn);
    in.template set<"memory_key_mkey_entry.mkey_7_0">(o.mkey_7_0);
    in.template set<"memory_key_mkey_entry.pd">(o.pd);
    in.template set<"memory_key_mkey_entry.start_addr">(o.start_addr);
    in.template set<"memory_key_mkey_entry.len">(o.len);
    in.template set<"memory_key_mkey_entry.translations_octword_size">(in_fours);
    in.template set<"memory_key_mkey_entry.log_page_size">(o.log_entry_size);
    in.template set<"translations_octword_actual_size">(N);
    for (std::uint32_t i = 0; i < N; ++i) {
        in.template set_at<"klm_pas_mtt">(4 * i, o.ksm ? 0 : pieces[i].byte_count);
        in.template set_at<"klm_pas_mtt">(4 * i + 1, pieces[i].mkey);
        in.template set_at<"klm_pas_mtt">(4 * i + 2, pieces[i].address >> 32);
        in.template set_at<"klm_pas_mtt">(4 * i + 3, pieces[i].address & 0xffffffff);
    }
    return in;
}
inline auto query_mkey(std::uint32_t mkey_index) {
    command<prm::query_mkey_in, prm::query_mkey_out> in;
    in.set<"mkey_index">(mkey_index);
    return in;
}

// DEVX allows one at a time.
inline auto create_psv(std::uint32_t pd) {
    command<prm::create_psv_in, prm::create_psv_out> in;
    in.set<"num_psv", 1>();
    in.set<"pd">(pd);
    return in;
}

} // namespace kdevx::typed
