// SPDX-License-Identifier: MIT
// Memory keys: what an address means, who may use it, and for what.
#pragma once

#include "memory/page_list.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace kdevx::hca::memory {

// The low bits are those of the mkey context, so that rights are copied and not translated.
enum access : unsigned {
    local_read = 1,
    local_write = 2,
    remote_read = 4,
    remote_write = 8,
    remote_atomic = 16,
};

// One element of an indirect key: that many bytes of another key, from that address.
struct klm {
    std::uint32_t byte_count;
    std::uint32_t key;
    std::uint64_t address;
};

enum class translation : std::uint8_t {
    physical, // addresses are guest-physical ones
    pages,    // MTT: a page list
    klms,     // a list of pieces of other keys, each with a length of its own
    ksms,     // the same, all of one length (a power of two)
    null,     // reads as zeroes, swallows writes
};

struct mkey {
    std::uint32_t key = 0; // index << 8 | variant byte
    std::uint32_t pd = 0;
    bool any_pd = false;   // one of the device's own keys
    bool reserved = false; // for queues that were created with rlky only
    std::uint32_t qpn = any_qp;
    unsigned rights = 0;
    bool free = false;       // made, but not usable before a UMR fills it
    bool can_change = false; // UMRs and invalidations may change it
    std::size_t room = 0;    // octowords of translation that a UMR can give it
    bool length64 = false;   // the whole address space: `length` does not count
    std::uint64_t start = 0; // the address of the first byte
    std::uint64_t length = 0;
    translation kind = translation::pages;
    std::shared_ptr<const page_list> pages; // kind pages
    std::uint64_t first_byte = 0;           // of `pages`, where the key begins
    std::vector<page> listed;               // kind pages: what UMRs have listed
    std::vector<klm> entries;               // kind klms and ksms
    unsigned log_entry_size = 0;            // kind ksms, and of listed pages

    static constexpr std::uint32_t any_qp = 0xffffff;
};

// The keys of one HCA, by index.
class mkey_table {
public:
    mkey *find(std::uint32_t index) {
        auto found = keys_.find(index);
        return found == keys_.end() ? nullptr : &found->second;
    }
    const mkey *find(std::uint32_t index) const {
        return const_cast<mkey_table *>(this)->find(index);
    }
    void put(std::uint32_t index, mkey k) { keys_[index] = std::move(k); }
    void remove(std::uint32_t index) { keys_.erase(index); }
    void clear() { keys_.clear(); }

private:
    std::unordered_map<std::uint32_t, mkey> keys_;
};

} // namespace kdevx::hca::memory
