// SPDX-License-Identifier: MIT
// Memory keys that work requests change: UMR, and invalidation.
#include "engine/engine.hpp"
#include "kdevx/prm/mkey.hpp"
#include "kdevx/prm/wqe.hpp"

#include <algorithm>

namespace kdevx::hca::engine {
namespace {

using memory::mkey;
using memory::translation;
using prm::mkey_mask;

constexpr std::size_t octword = 16, pages_of_octword = 2, context_at = prm::umr_ctrl.size,
                      entries_at = context_at + prm::mkc.size;
constexpr std::size_t most_octwords = 1u << 18; // of translation, whatever the key has room for
constexpr unsigned least_entry_shift = 12, most_entry_shift = 31; // of KSM keys, and of pages

struct right_row {
    std::uint64_t bit;
    unsigned right;
};
constexpr right_row right_rows[] = {
    {mkey_mask<"LR">, memory::local_read},   {mkey_mask<"LW">, memory::local_write},
    {mkey_mask<"RR">, memory::remote_read},  {mkey_mask<"RW">, memory::remote_write},
    {mkey_mask<"A">, memory::remote_atomic},
};

unsigned rights_in(const prm::view<prm::mkc> &v) {
    return (v.get<"lr">() ? memory::local_read : 0u) | (v.get<"lw">() ? memory::local_write : 0u) |
           (v.get<"rr">() ? memory::remote_read : 0u) |
           (v.get<"rw">() ? memory::remote_write : 0u) |
           (v.get<"a">() ? memory::remote_atomic : 0u);
}

void take_fields(mkey &k, const prm::view<prm::mkc> &v, std::uint64_t mask) {
    if (mask & mkey_mask<"LEN">) k.length = v.get<"len">();
    if (mask & mkey_mask<"START_ADDR">) k.start = v.get<"start_addr">();
    if (mask & mkey_mask<"PD">) k.pd = std::uint32_t(v.get<"pd">());
    if (mask & mkey_mask<"QPN">) k.qpn = std::uint32_t(v.get<"qpn">());
    if (mask & mkey_mask<"KEY">) k.key = (k.key & ~0xffu) | std::uint32_t(v.get<"mkey_7_0">());
    if (mask & mkey_mask<"FREE">) k.free = v.get<"free">();
    if (mask & mkey_mask<"PAGE_SIZE">) k.log_entry_size = unsigned(v.get<"log_page_size">());
    for (const right_row &row : right_rows)
        if (mask & row.bit) k.rights = (k.rights & ~row.right) | (rights_in(v) & row.right);
}

memory::klm entry_at(std::span<const std::byte> list, std::size_t n) {
    const prm::view<prm::umr_klm> v(list.subspan(n * octword, octword));
    return {std::uint32_t(v.get<"byte_count">()), std::uint32_t(v.get<"mkey">()), v.get<"va">()};
}

// The queue pair by which the driver fills its users' keys. Programs get none with the reserved
// key.
bool is_drivers(const queue_pair &qp) {
    return qp.type == service<"REG_UMR"> && qp.reserved_lkey;
}

bool may_change(const mkey &k, const queue_pair &qp) {
    return k.can_change && (k.pd == qp.pd || is_drivers(qp)) &&
           (k.qpn == mkey::any_qp || k.qpn == qp.number);
}

// They are named for what is refused.
bool passes(std::uint64_t check, const mkey &k) {
    if (check == prm::value_of<prm::umr_checks, "FREE">) return !k.free;
    if (check == prm::value_of<prm::umr_checks, "NOT_FREE">) return k.free;
    return true;
}

// The translation entries: behind the context in the WQE, or where a data segment points. The
// driver's queue pair is of no protection domain, its memory is of one.
bool read_entries(accessor who, const send_wqe &w, bool is_inline, std::span<std::byte> list) {
    const std::span<const std::byte> rest = std::span(w.body).subspan(entries_at);
    if (is_inline) {
        if (rest.size() < list.size()) return false;
        std::ranges::copy(rest.first(list.size()), list.begin());
        return true;
    }
    if (rest.size() < prm::wqe_data.size) return false;
    const auto segment = rest.first(prm::wqe_data.size);
    const mkey *key =
        who.keys.find(std::uint32_t(prm::view<prm::wqe_data>(segment).get<"lkey">()) >> 8);
    if (key && who.reserved_lkey) who.pd = key->pd;
    const auto data = data_list::of_send(segment);
    return data && data->gather(who, 0, list) == memory::fault::none;
}

void put_keys(mkey &k, std::size_t first, std::span<const std::byte> list, bool in_part) {
    const std::size_t n = list.size() / octword;
    if (!in_part) k.entries.clear();
    k.entries.resize(std::max(k.entries.size(), first + n));
    for (std::size_t i = 0; i < n; ++i)
        k.entries[first + i] = entry_at(list, i);
}

// A page that may not even be read is none: it lies where no guest has memory.
memory::page page_at(std::span<const std::byte> list, std::size_t n) {
    const auto mtt = prm::load_be<std::uint64_t>(list.data() + n * sizeof(std::uint64_t));
    return memory::page(mtt & memory::page::read_enable ? mtt : memory::page::address_mask);
}

// Pages are written four octwords at a time, by whoever needs less of them too.
constexpr std::size_t whole_blocks(std::size_t octwords) {
    return (octwords + 3) / 4 * 4;
}

void put_pages(mkey &k, std::size_t first, std::span<const std::byte> list, bool in_part) {
    const std::size_t n = list.size() / sizeof(std::uint64_t);
    if (!in_part) k.listed.clear();
    first *= pages_of_octword;
    k.listed.resize(std::max(k.listed.size(), first + n), memory::page(memory::page::address_mask));
    for (std::size_t i = 0; i < n; ++i)
        k.listed[first + i] = page_at(list, i);
}

// Lists of other keys; and of pages from the driver alone: of a program they would be addresses of
// the guest's memory that nobody has checked.
bool take_entries(const accessor &who, const send_wqe &w, const queue_pair &qp, mkey &k) {
    const prm::view<prm::umr_ctrl> control(w.body);
    const std::size_t n = control.get<"xlt_octowords">();
    if (n == 0) return true;
    const bool lists_keys = k.kind == translation::klms || k.kind == translation::ksms,
               lists_pages = k.kind == translation::pages && is_drivers(qp),
               in_part = control.get<"translation_offset_en">();
    const std::size_t first = in_part ? control.get<"xlt_offset_47_16">() << 16 |
                                            control.get<"xlt_offset_or_bsf_octowords">()
                                      : 0;
    const std::size_t room = std::min(lists_pages ? whole_blocks(k.room) : k.room, most_octwords);
    if (!(lists_keys || lists_pages) || first > room || n > room - first) return false;
    std::vector<std::byte> list(n * octword);
    if (!read_entries(who, w, control.get<"inline">(), list)) return false;
    (lists_keys ? put_keys : put_pages)(k, first, list, in_part);
    return true;
}

bool has_entry_size(const mkey &k) {
    return k.log_entry_size >= least_entry_shift && k.log_entry_size <= most_entry_shift;
}

// The pages that were listed become the key's as soon as it is in use. False: they do not cover it.
bool settle_pages(mkey &k) {
    if (k.listed.empty() || k.free) return true;
    const std::uint64_t first = k.start & ((std::uint64_t(1) << k.log_entry_size) - 1);
    if (!has_entry_size(k) || k.length64 || k.length == 0 || first + k.length < k.length)
        return false;
    const std::uint64_t n = ((first + k.length - 1) >> k.log_entry_size) + 1;
    if (n > k.listed.size()) return false;
    k.pages = std::make_shared<memory::page_list>(
        std::vector(k.listed.begin(), k.listed.begin() + std::ptrdiff_t(n)), k.log_entry_size,
        first);
    k.first_byte = 0;
    return true;
}

} // namespace

const cqe_error *engine::change_key(queue_pair &qp) {
    const send_wqe &w = *qp.sending.wqe;
    if (w.body.size() < entries_at) return &errors::malformed_wqe;
    const prm::view<prm::umr_ctrl> control(w.body);
    const prm::view<prm::mkc> context(std::span(w.body).subspan(context_at, prm::mkc.size));
    mkey *old = keys.find(w.general_id >> 8);
    if (!old || !may_change(*old, qp) || !passes(control.get<"check_free">(), *old))
        return &errors::umr_refused;
    mkey k = *old;
    take_fields(k, context, control.get<"mkey_mask">());
    const bool other_pd = k.pd != old->pd && !is_drivers(qp);
    const bool wrong_entries = k.kind == translation::ksms && !has_entry_size(k);
    if (other_pd || wrong_entries || !take_entries(memory_of(qp), w, qp, k) || !settle_pages(k))
        return &errors::umr_refused;
    *old = std::move(k);
    return nullptr;
}

bool engine::invalidate_key(const queue_pair &qp, std::uint32_t key) {
    mkey *k = keys.find(key >> 8);
    if (!k || k->key != key || k->free || !may_change(*k, qp)) return false;
    k->free = true;
    return true;
}

} // namespace kdevx::hca::engine
