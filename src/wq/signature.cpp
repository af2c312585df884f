// SPDX-License-Identifier: MIT
#include "wq/signature.hpp"

#include <cstring>

namespace kdevx::wq {

namespace {

using description = prm::mailbox<prm::bsf>;
using dif_description = prm::mailbox<prm::bsf_inline>;

bool is_t10dif(const signature_domain &d) noexcept {
    return d.type == signature_type::t10dif_crc || d.type == signature_type::t10dif_ipcs;
}
bool is_crc(const signature_domain &d) noexcept {
    return d.type != signature_type::none && !is_t10dif(d);
}

template <prm::fixed_string Name>
constexpr std::uint32_t block = prm::value_of<prm::bsf_block_sizes, Name>;

std::uint32_t block_selector(std::uint32_t size) noexcept {
    switch (size) {
    case 512:
        return block<"512">;
    case 520:
        return block<"520">;
    case 4048:
        return block<"4048">;
    case 4096:
        return block<"4096">;
    case 4160:
        return block<"4160">;
    case 1u << 30:
        return block<"1GB">;
    default:
        return 0;
    }
}

template <prm::fixed_string Name>
constexpr std::uint32_t format = prm::value_of<prm::bsf_crc_formats, Name>;

std::uint32_t block_format(const signature_domain &d) noexcept {
    if (!is_crc(d)) return 0;
    const std::uint32_t base = d.type == signature_type::crc32    ? format<"CRC32_BASE">
                               : d.type == signature_type::crc32c ? format<"CRC32C_BASE">
                                                                  : format<"CRC64_XP10_BASE">;
    return base | format<"CRC_REPEAT_BIT"> | (d.seed_ones ? 0 : format<"CRC_SEED_BIT">);
}

// Which bytes of the signature may be copied instead of computed anew: those that are alike on both
// sides. In T10-DIF: two of guard, two of application tag, four of reference tag.
std::uint32_t copy_mask(const signature_domain &m, const signature_domain &w) noexcept {
    if (is_crc(w)) return w.type == signature_type::crc64_xp10 ? 0xff : 0xf0;
    const bool guard = m.type == w.type && m.seed_ones == w.seed_ones;
    return (guard ? 0xc0u : 0u) | (m.app_tag == w.app_tag ? 0x30u : 0u) |
           (m.ref_tag == w.ref_tag ? 0x0fu : 0u);
}

bool same_structure(const signature_domain &m, const signature_domain &w) noexcept {
    if (m.block_size != w.block_size) return false;
    return (is_crc(w) && m.type == w.type) || (is_t10dif(m) && is_t10dif(w));
}

dif_description dif(const signature_domain &d) noexcept {
    dif_description b;
    if (!is_t10dif(d)) return b;
    const bool ipcs = d.type == signature_type::t10dif_ipcs;
    b.set<"valid", 1>().set<"refresh_dif", 1>().set<"repeat_block", 1>();
    b.set<"dif_apptag">(d.app_tag)
        .set<"dif_reftag">(d.ref_tag)
        .set<"sig_type">(ipcs ? prm::value_of<prm::bsf_dif_types, "IPCS">
                              : prm::value_of<prm::bsf_dif_types, "CRC">)
        .set<"seed_ones">(d.seed_ones)
        .set<"inc_reftag">(d.increment_ref_tag)
        .set<"escape_appref">(d.app_ref_escape)
        .set<"escape_apptag">(d.app_escape && !d.app_ref_escape)
        .set<"dif_app_bitmask">(0xffff);
    return b;
}

bool good(const signature_domain &d) noexcept {
    return d.type == signature_type::none || (block_selector(d.block_size) && d.psv <= 0xffffff);
}

} // namespace

bool put_bsf(const signature_attributes &a, std::byte *out) noexcept {
    const signature_domain &m = a.memory, &w = a.wire;
    if (!good(m) || !good(w)) return false;
    const bool memory = m.type != signature_type::none, wire = w.type != signature_type::none;
    description b;
    b.set<"size">(a.with_crypto ? prm::value_of<prm::bsf_sizes, "SIG_AND_CRYPTO">
                                : prm::value_of<prm::bsf_sizes, "WITH_INLINE">)
        .set<"raw_data_size">(0xffffffff);
    if (memory || wire) b.set<"check_byte_mask">(a.check_mask);
    if (memory)
        b.set<"mem_block">(block_selector(m.block_size))
            .set<"mem_format">(block_format(m))
            .set<"mem_psv">(m.psv)
            .set_bytes<"mem_inline">(dif(m).bytes());
    if (wire) {
        const bool same = same_structure(m, w);
        b.set<"same_block_structure">(same)
            .set<"wire_copy_mask_or_block">(same ? copy_mask(m, w) : block_selector(w.block_size))
            .set<"wire_format">(block_format(w))
            .set<"wire_psv">(w.psv)
            .set_bytes<"wire_inline">(dif(w).bytes());
    }
    std::memcpy(out, b.bytes().data(), prm::bsf.size);
    return b.valid();
}

} // namespace kdevx::wq
