// SPDX-License-Identifier: MIT
// A ring of WQEs in guest memory, with the word of a doorbell record that says how many were
// posted.
#pragma once

#include "memory/page_list.hpp"

#include <cstdint>

namespace kdevx::hca::engine {

struct work_queue {
    bool exists = false;
    memory::buffer ring;
    memory::buffer record;
    unsigned log_size = 0;      // log2 of the number of entries
    unsigned log_stride = 0;    // log2 of the bytes of an entry: a WQEBB, or a receive WQE
    bool has_signature = false; // receive WQEs begin with one
    std::uint32_t cq = 0;
    std::uint16_t next = 0; // counter of the next entry to take

    std::uint64_t offset_of(std::uint16_t counter) const {
        return std::uint64_t(counter & ((1u << log_size) - 1)) << log_stride;
    }
    std::uint64_t bytes() const { return 1ull << (log_size + log_stride); }
};

} // namespace kdevx::hca::engine
