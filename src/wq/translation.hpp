// SPDX-License-Identifier: MIT
// Translation entries of indirect memory keys, for a UMR or for CREATE_MKEY: lists of pieces (KLM),
// pieces of one size (KSM), and blocks repeated at a stride. Each writes big-endian entries of 16
// bytes into `out` and says how long the memory is that they describe.
#pragma once

#include "wq/error.hpp"
#include "wq/work_request.hpp"

#include <span>

namespace kdevx::wq {

struct translation {
    error refused = error::none;
    std::uint32_t entries = 0;
    std::uint64_t length = 0;
};

// One entry for each piece. A piece without bytes is refused: its 0 would mean something else.
translation put_klms(std::span<const sge> pieces, std::span<std::byte> out) noexcept;

// Memory of `length` bytes at `addr`, seen at `iova`, in entries of `entry_size` bytes (a power of
// two), that the keys of `keys` cover one after the other from the entry_size boundary at or below
// addr on. Where addr and iova differ within an entry, one more entry is needed than the memory has
// pieces, for its tail: its key is the last one.
std::uint32_t ksm_entries(std::uint64_t iova, std::uint64_t length,
                          std::uint64_t entry_size) noexcept;
translation put_ksms(std::uint64_t addr, std::uint64_t iova, std::uint64_t length,
                     std::uint32_t entry_size, std::span<const std::uint32_t> keys,
                     std::span<std::byte> out) noexcept;

struct strided_block {
    std::uint64_t addr;
    std::uint16_t bytes;
    std::uint16_t skip; // between the end of one repetition and the beginning of the next
    std::uint32_t lkey;
};
// `repeat` rounds over all blocks. Takes one entry more than there are blocks.
translation put_interleaved(std::span<const strided_block> blocks, std::uint32_t repeat,
                            std::span<std::byte> out) noexcept;

} // namespace kdevx::wq
