// SPDX-License-Identifier: MIT
#include "kdevx/prm/mkey.hpp"
#include "firmware/queue_memory.hpp"
#include "firmware/queues.hpp"
#include "memory/mkey.hpp"

namespace kdevx::hca::firmware {
namespace {

using memory::translation;
using prm::create_mkey_in;

struct mkey_parts : extension {
    memory::mkey key;
};

template <prm::fixed_string Name>
constexpr auto access_mode = prm::value_of<prm::mkc_access_modes, Name>;

constexpr std::size_t octword = 16;

std::uint64_t access_mode_of(const prm::view<create_mkey_in> &in) {
    return in.get<"memory_key_mkey_entry.access_mode_4_2">() << 2 |
           in.get<"memory_key_mkey_entry.access_mode_1_0">();
}

memory::mkey parse(const prm::view<create_mkey_in> &in) {
    memory::mkey k;
    k.key = std::uint32_t(in.get<"memory_key_mkey_entry.mkey_7_0">()); // the index comes later
    k.pd = std::uint32_t(in.get<"memory_key_mkey_entry.pd">());
    k.qpn = std::uint32_t(in.get<"memory_key_mkey_entry.qpn">());
    k.free = in.get<"memory_key_mkey_entry.free">();
    k.can_change = in.get<"memory_key_mkey_entry.umr_en">();
    k.room = in.get<"memory_key_mkey_entry.translations_octword_size">();
    k.log_entry_size = unsigned(in.get<"memory_key_mkey_entry.log_page_size">());
    k.length64 = in.get<"memory_key_mkey_entry.length64">();
    k.start = in.get<"memory_key_mkey_entry.start_addr">();
    k.length = in.get<"memory_key_mkey_entry.len">();
    if (in.get<"memory_key_mkey_entry.lr">()) k.rights |= memory::local_read;
    if (in.get<"memory_key_mkey_entry.lw">()) k.rights |= memory::local_write;
    if (in.get<"memory_key_mkey_entry.rr">()) k.rights |= memory::remote_read;
    if (in.get<"memory_key_mkey_entry.rw">()) k.rights |= memory::remote_write;
    if (in.get<"memory_key_mkey_entry.a">()) k.rights |= memory::remote_atomic;
    return k;
}

// A key on a umem covers `length` bytes of it, from mkey_umem_offset on.
syndrome translate_umem(state &s, command &c, object &o, memory::mkey &k) {
    const auto in = c.inbox<create_mkey_in>();
    const auto id = std::uint32_t(in.get<"mkey_umem_id">());
    k.first_byte = in.get<"mkey_umem_offset">();
    if (syndrome why = find_umem(s, c, o, id, k.pages); why != syndrome::none) return why;
    const std::uint64_t size = k.pages->length();
    if (k.first_byte > size || k.length > size - k.first_byte)
        return c.refuse(syndrome::umem_bounds, "umem {:#x}: {} bytes at {} of {}", id, k.length,
                        k.first_byte, size);
    // A key's pages are the umem's: an address and its byte have the same place in their pages.
    constexpr std::uint64_t in_page = (1ull << least_page_shift) - 1;
    if ((k.pages->first_byte() + k.first_byte - k.start) & in_page)
        return c.refuse(syndrome::mkey_umem_offset, "start_addr {:#x}", k.start);
    constexpr unsigned writes = memory::local_write | memory::remote_write | memory::remote_atomic;
    if (k.rights & writes && !k.pages->writable())
        return c.refuse(syndrome::umem_read_only, "umem {:#x}", id);
    return syndrome::none;
}

syndrome translate_list(state &s, command &c, object &o, memory::mkey &k) {
    const auto in = c.inbox<create_mkey_in>();
    const auto shift = unsigned(in.get<"memory_key_mkey_entry.log_page_size">());
    if (k.length == 0 && !k.length64) return syndrome::none;
    if (shift < least_page_shift || shift > most_page_shift)
        return c.refuse(syndrome::page_size, "2^{}", shift);
    const std::uint64_t first = k.start & ((1ull << shift) - 1);
    if (k.length64 || first + k.length < k.length)
        return c.refuse(syndrome::mkey_translation, "a list of pages for all addresses");
    const std::uint64_t n = ((first + k.length - 1) >> shift) + 1;
    const std::uint64_t given = in.get<"translations_octword_actual_size">() * (octword / 8);
    if (n > given) return c.refuse(syndrome::mkey_translation, "{} pages of {}", given, n);
    syndrome why = list_pages(s, c, create_mkey_in.size, n, shift, first, o.pages);
    k.pages = o.pages;
    return why;
}

// KLM entries say how long each piece is; KSM entries are all of the key's entity size.
syndrome translate_keys(command &c, memory::mkey &k) {
    const auto in = c.inbox<create_mkey_in>();
    const std::uint64_t n = in.get<"translations_octword_actual_size">();
    const std::size_t room = (c.in.size() - create_mkey_in.size) / octword;
    if (n > room) return c.refuse(syndrome::list_too_short, "{} entries", n);
    if (k.kind == translation::ksms &&
        (k.log_entry_size < least_page_shift || k.log_entry_size > most_page_shift))
        return c.refuse(syndrome::page_size, "2^{}", k.log_entry_size);
    std::uint64_t covered = n << k.log_entry_size;
    if (k.kind == translation::klms) covered = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::byte *p = c.in.data() + create_mkey_in.size + i * octword;
        const memory::klm e{prm::load_be<std::uint32_t>(p), prm::load_be<std::uint32_t>(p + 4),
                            prm::load_be<std::uint64_t>(p + 8)};
        if (k.kind == translation::klms) covered += e.byte_count;
        k.entries.push_back(e);
    }
    if (n && !k.length64 && covered < k.length)
        return c.refuse(syndrome::mkey_translation, "{} bytes of {}", covered, k.length);
    return syndrome::none;
}

} // namespace

syndrome check_mkey(state &s, command &c, object &o) {
    const auto in = c.inbox<create_mkey_in>();
    auto parts = std::make_unique<mkey_parts>();
    memory::mkey &k = parts->key;
    o.own = std::move(parts);
    k = parse(in);
    if (!k.free && k.pd == 0) return c.refuse(syndrome::no_such_object, "PD 0x0");
    switch (access_mode_of(in)) {
    case access_mode<"PA">:
        // All of the guest's memory: not for programs, whatever the driver lets them ask.
        k.kind = translation::physical;
        return is_driver(c.uid) ? syndrome::none
                                : c.refuse(syndrome::privileged, "physical addresses");
    case access_mode<"MTT">:
        k.kind = translation::pages;
        if (in.get<"mkey_umem_valid">()) return translate_umem(s, c, o, k);
        return k.free ? syndrome::none : translate_list(s, c, o, k);
    case access_mode<"MEMIC">:
        if (!s.memic.is_taken(k.start, k.length))
            return c.refuse(syndrome::memic_bounds, "{} bytes at {:#x}", k.length, k.start);
        k.free = true; // queues do not get there (README.md): to them it is a key not filled yet
        return syndrome::none;
    case access_mode<"KLMS">:
        k.kind = translation::klms;
        return translate_keys(c, k);
    case access_mode<"KSM">:
        k.kind = translation::ksms;
        return translate_keys(c, k);
    }
    return c.refuse(syndrome::mkey_access_mode, "{}", access_mode_of(in));
}

void start_mkey(state &s, command &c, object &o) {
    memory::mkey &k = static_cast<mkey_parts &>(*o.own).key;
    k.key |= o.id << 8;
    c.note("MKEY {:#x} start {:#x} length {:#x}", k.key, k.start, k.length);
    s.engine.keys.put(o.id, std::move(k));
}

syndrome stop_mkey(state &s, command &, object &o) {
    s.engine.keys.remove(o.id);
    return syndrome::none;
}

} // namespace kdevx::hca::firmware
