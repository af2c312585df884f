// SPDX-License-Identifier: MIT
#include "wq/translation.hpp"

#include "kdevx/prm/wqe.hpp"
#include "wq/ring_size.hpp"
#include "wq/words.hpp"

namespace kdevx::wq {

namespace {

constexpr std::uint32_t entry_bytes = prm::umr_klm.size;

translation refuse_translation(error e) noexcept {
    return {.refused = e};
}
bool has_room(std::span<std::byte> out, std::size_t entries) noexcept {
    return out.size() / entry_bytes >= entries;
}

void put_klm(std::byte *entry, std::uint32_t bytes, std::uint32_t key, std::uint64_t va) noexcept {
    put<prm::umr_klm, "byte_count">(entry, bytes);
    put<prm::umr_klm, "mkey">(entry, key);
    put<prm::umr_klm, "va">(entry, va);
}

} // namespace

translation put_klms(std::span<const sge> pieces, std::span<std::byte> out) noexcept {
    if (!has_room(out, pieces.size())) return refuse_translation(error::wqe_too_long);
    translation t;
    for (const sge &p : pieces) {
        if (p.length == 0) return refuse_translation(error::bad_translation);
        put_klm(out.data() + std::size_t(t.entries++) * entry_bytes, p.length, p.lkey, p.addr);
        t.length += p.length;
    }
    return t;
}

std::uint32_t ksm_entries(std::uint64_t iova, std::uint64_t length,
                          std::uint64_t entry_size) noexcept {
    const std::uint64_t first = iova & (entry_size - 1);
    return std::uint32_t((first + length + entry_size - 1) / entry_size);
}

translation put_ksms(std::uint64_t addr, std::uint64_t iova, std::uint64_t length,
                     std::uint32_t entry_size, std::span<const std::uint32_t> keys,
                     std::span<std::byte> out) noexcept {
    if (!power_of_two(entry_size) || length == 0 || keys.empty())
        return refuse_translation(error::bad_translation);
    const std::uint32_t pieces = ksm_entries(addr, length, entry_size);
    const std::uint32_t entries = ksm_entries(iova, length, entry_size);
    if (keys.size() != pieces) return refuse_translation(error::bad_translation);
    if (!has_room(out, entries)) return refuse_translation(error::wqe_too_long);
    const std::uint64_t start = addr - (iova & (entry_size - 1)); // what entry 0 begins at
    for (std::uint32_t i = 0; i < entries; ++i) {
        const std::uint64_t va = start + std::uint64_t(i) * entry_size;
        put_klm(out.data() + std::size_t(i) * entry_bytes, entry_size,
                keys[i < pieces ? i : pieces - 1], va);
    }
    return {.entries = entries, .length = length};
}

translation put_interleaved(std::span<const strided_block> blocks, std::uint32_t repeat,
                            std::span<std::byte> out) noexcept {
    if (blocks.empty() || blocks.size() > 0xffff || repeat == 0)
        return refuse_translation(error::bad_translation);
    if (!has_room(out, blocks.size() + 1)) return refuse_translation(error::wqe_too_long);
    std::uint32_t cycle = 0, n = 1;
    for (const strided_block &b : blocks) {
        const std::uint32_t stride = std::uint32_t(b.bytes) + b.skip;
        if (b.bytes == 0 || stride > 0xffff) return refuse_translation(error::bad_translation);
        std::byte *e = out.data() + std::size_t(n++) * entry_bytes;
        put<prm::umr_stride_block_entry, "stride", "byte_count">(e, stride, b.bytes);
        put<prm::umr_stride_block_entry, "mkey">(e, b.lkey);
        put<prm::umr_stride_block_entry, "va">(e, b.addr);
        cycle += b.bytes;
    }
    put<prm::umr_stride_block_ctrl, "bcount_per_cycle">(out.data(), cycle);
    put<prm::umr_stride_block_ctrl, "op">(out.data(), prm::MLX5_STRIDE_BLOCK_OP);
    put<prm::umr_stride_block_ctrl, "repeat_count">(out.data(), repeat);
    put<prm::umr_stride_block_ctrl, "num_entries">(out.data(), std::uint32_t(blocks.size()));
    return {.entries = n, .length = std::uint64_t(cycle) * repeat};
}

} // namespace kdevx::wq
