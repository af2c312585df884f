// SPDX-License-Identifier: MIT
#include "firmware/keyed_object.hpp"

#include "kdevx/prm/l2.hpp"
#include "kdevx/prm/mad.hpp"

#include <algorithm>

namespace kdevx::hca::firmware {
namespace {

// The kind, and the bytes of the inbox that name the object.
std::string key_of(kind k, std::span<const std::byte> name) {
    std::string key(1, char(k));
    key.append(reinterpret_cast<const char *>(name.data()), name.size());
    return key;
}

template <const auto &L, prm::fixed_string Path>
std::span<const std::byte> name_in(const command &c) {
    return std::span<const std::byte>(c.in).subspan(prm::place_of<L, Path>.row.offset, 4);
}

syndrome find_keyed(state &s, command &c, const std::string &key, object *&o) {
    auto found = s.keyed.find(key);
    o = found == s.keyed.end() ? nullptr : found->second;
    const kind k = kind(key[0]);
    if (!o) return c.refuse(syndrome::no_such_object, "{}", type_of(k).noun);
    return find_object(s, c, k, o->id, true, o);
}

syndrome add_keyed(state &s, command &c, const std::string &key, std::unique_ptr<object> o) {
    if (s.keyed.contains(key)) return c.refuse(syndrome::exists_already, "{}", o->type->noun);
    object *made = s.objects.insert(std::move(o), max_objects);
    if (!made) return c.refuse(syndrome::too_many_objects, "");
    s.keyed[key] = made;
    return syndrome::none;
}

syndrome remove_keyed(state &s, command &c, const std::string &key) {
    object *o = nullptr;
    if (syndrome why = find_keyed(s, c, key, o); why != syndrome::none) return why;
    s.keyed.erase(key);
    s.objects.erase(*o);
    return syndrome::none;
}

std::unique_ptr<object> object_of(kind k, const command &c) {
    auto o = std::make_unique<object>();
    o->type = &type_of(k);
    o->uid = c.uid;
    o->context.assign(c.in.begin() + 0x10, c.in.begin() + std::ptrdiff_t(c.in.size()));
    return o;
}

// ---- multicast: QP and group together are the name

std::string mcg_key(const command &c) {
    constexpr auto at = prm::place_of<prm::attach_to_mcg_in, "qpn">.row.offset;
    return key_of(kind::multicast,
                  std::span<const std::byte>(c.in).subspan(at, prm::attach_to_mcg_in.size - at));
}

} // namespace

syndrome attach_to_mcg(state &s, command &c) {
    c.in.resize(prm::attach_to_mcg_in.size);
    const auto qpn = std::uint32_t(c.inbox<prm::attach_to_mcg_in>().get<"qpn">());
    auto o = object_of(kind::multicast, c);
    c.note("QP {:#x}", qpn);
    if (syndrome why = use_object(s, c, *o, kind::qp, qpn); why != syndrome::none) return why;
    return add_keyed(s, c, mcg_key(c), std::move(o));
}

syndrome detach_from_mcg(state &s, command &c) {
    return remove_keyed(s, c, mcg_key(c));
}

// ---- UDP ports that are taken for VXLAN

syndrome add_vxlan_udp_dport(state &s, command &c) {
    c.in.resize(prm::add_vxlan_udp_dport_in.size);
    const auto key =
        key_of(kind::vxlan_port, name_in<prm::add_vxlan_udp_dport_in, "vxlan_udp_port">(c));
    return add_keyed(s, c, key, object_of(kind::vxlan_port, c));
}

syndrome delete_vxlan_udp_dport(state &s, command &c) {
    return remove_keyed(
        s, c,
        key_of(kind::vxlan_port, name_in<prm::delete_vxlan_udp_dport_in, "vxlan_udp_port">(c)));
}

// ---- Ethernet addresses

namespace {

template <const auto &L>
std::string l2_key(const command &c) {
    return key_of(kind::l2_entry, name_in<L, "table_index">(c));
}

} // namespace

// Setting an entry that is there replaces it.
syndrome set_l2_table_entry(state &s, command &c) {
    c.in.resize(prm::set_l2_table_entry_in.size);
    const auto index = c.inbox<prm::set_l2_table_entry_in>().get<"table_index">();
    if (index >= 1ull << s.caps.general("log_max_l2_table"))
        return c.refuse(syndrome::index_out_of_range, "{}", index);
    const auto key = l2_key<prm::set_l2_table_entry_in>(c);
    if (!s.keyed.contains(key)) return add_keyed(s, c, key, object_of(kind::l2_entry, c));
    object *o = nullptr;
    if (syndrome why = find_keyed(s, c, key, o); why != syndrome::none) return why;
    s.objects.replace(*o, std::move(*object_of(kind::l2_entry, c)));
    return syndrome::none;
}

syndrome query_l2_table_entry(state &s, command &c) {
    object *o = nullptr;
    const auto key = l2_key<prm::query_l2_table_entry_in>(c);
    if (syndrome why = find_keyed(s, c, key, o); why != syndrome::none) return why;
    constexpr std::size_t head = 0x10;
    std::copy_n(o->context.begin(), std::min(o->context.size(), c.out.size() - head),
                c.out.begin() + head);
    return syndrome::none;
}

syndrome delete_l2_table_entry(state &s, command &c) {
    return remove_keyed(s, c, l2_key<prm::delete_l2_table_entry_in>(c));
}

} // namespace kdevx::hca::firmware
