// SPDX-License-Identifier: MIT
// Everything that commands create: one object each, with the context it was given, its owner, and
// the objects it cannot do without. What a kind of object is, is a row of object_types.
#pragma once

#include "firmware/command.hpp"
#include "kdevx/prm/command.hpp"
#include "memory/page_list.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kdevx::hca::firmware {

class state;

enum class kind : std::uint8_t {
    uctx,
    umem,
    uar,
    eq,
    pd,
    transport_domain,
    xrcd,
    mkey,
    psv,
    cq,
    qp,
    dct,
    srq,
    xrc_srq,
    rmp,
    xrq,
    sq,
    rq,
    tis,
    tir,
    rqt,
    q_counter,
    flow_counter,
    flow_table,
    flow_group,
    flow_entry,
    packet_reformat,
    modify_header,
    scheduling_element,
    general,
    multicast,
    vxlan_port,
    l2_entry,
    reserved_qpn,
};
inline constexpr std::size_t kind_count = std::size_t(kind::reserved_qpn) + 1;

struct object_type;

// The driver's second uid: what it makes with this one, everybody may use.
inline constexpr std::uint16_t shared_uid = 0xffff;
constexpr bool is_driver(std::uint16_t uid) {
    return uid == 0 || uid == shared_uid;
}

// The part of an object that only its own kind knows.
struct extension {
    virtual ~extension() = default;
};

struct object {
    const object_type *type;
    std::uint32_t id = 0;
    std::uint32_t range = 1; // how many ids it takes
    std::uint16_t uid = 0;
    std::uint16_t sub_type = 0; // obj_type of general objects
    std::vector<std::byte> context;
    std::vector<object *> uses;                     // they stay as long as this object does
    std::uint32_t users = 0;                        // how many objects use this one
    std::shared_ptr<const memory::page_list> pages; // of umems and queues
    std::unique_ptr<extension> own;
};

// An id in an inbox that names another object.
struct reference {
    std::string_view path; // in the create inbox
    kind what;
    enum { always, unless_zero } needed = always;
    bool (*when)(const command &c) = nullptr; // null: in every command
};

// A bit of a modify mask and a field of the context that it covers. A bit can have several rows.
struct modifiable {
    unsigned bit;
    std::string_view path; // in the context
};

// Which commands there are for it, with which layouts, says the registry (prm/commands.hpp): they
// are those of the group of `create`.
struct object_type {
    kind what;
    std::string_view noun;
    std::uint16_t create;            // opcode
    const prm::layout_base *context; // null: everything behind the header of the create command
    std::string_view limit{};        // capability that holds log2 of how many there may be
    unsigned log_most = 0;           // used where there is no such capability
    bool tail = false;     // the context goes on to the end of the inbox: a list of some length
    bool lendable = false; // may be named by any uid when it is the driver's own (uid 0)
    std::span<const reference> references{};
    std::string_view modify_mask{};
    std::span<const modifiable> modifiables{};

    // Hooks, all of them optional. `check` sees an object that has no id yet and may fill it;
    // `created` cannot fail any more; `modified` runs before the mask is applied and may refuse;
    // `queried` lays live values over the copied context; `destroying` may refuse.
    syndrome (*check)(state &s, command &c, object &o) = nullptr;
    void (*created)(state &s, command &c, object &o) = nullptr;
    syndrome (*modified)(state &s, command &c, object &o) = nullptr;
    void (*queried)(state &s, command &c, object &o) = nullptr;
    syndrome (*destroying)(state &s, command &c, object &o) = nullptr;
};

std::span<const object_type> object_types();
const object_type &type_of(kind k);
// Null: no type has this create opcode.
const object_type *find_type(std::uint16_t create_opcode);

// ---- the objects that there are
// ------------------------------------------------------------------

// However many ids the capabilities promise: a guest cannot make this process bigger than this.
inline constexpr std::size_t max_objects = 400'000;
// Entries of all page lists together: 64 GiB registered in pages of 4 KiB.
inline constexpr std::size_t max_pages_held = 16u << 20;
// Bytes of all contexts together.
inline constexpr std::size_t max_context_bytes = 256u << 20;

class object_table {
public:
    object *find(kind k, std::uint32_t id);
    // The object that has `id` in its range.
    object *find_covering(kind k, std::uint32_t id);
    // `o` gets the next free id of its kind's number space. Null: no id is free.
    object *insert(std::unique_ptr<object> o, std::uint32_t limit);
    void erase(object &o);
    // `o` keeps its id and its users, and takes context, extension and references of `fresh`.
    void replace(object &o, object &&fresh);
    void clear();
    std::size_t size() const { return size_; }
    std::size_t pages_held() const { return pages_held_; }
    std::size_t context_bytes() const { return context_bytes_; }
    // `o` lets go of the memory of its ring, which is `old`, and takes what `fresh` has found.
    void replace_memory(object &o, const object &fresh, const memory::page_list *old);
    std::size_t owned_by(std::uint16_t uid) const;
    const object *first_user_of(const object &o) const;

private:
    struct space {
        std::map<std::uint32_t, std::unique_ptr<object>> by_id;
        std::uint32_t next = 0;

        bool is_free(std::uint32_t id, std::uint32_t range, std::uint32_t &in_the_way) const;
    };
    std::array<space, kind_count> spaces_; // some kinds share one
    std::array<std::uint32_t, kind_count> count_{};
    std::unordered_map<std::uint16_t, std::size_t> owned_;
    std::size_t size_ = 0, pages_held_ = 0, context_bytes_ = 0;

    space &space_of(kind k);
    void count_in(object &o);
    void count_out(object &o);
    static std::size_t pages_of(const object &o) { return o.pages ? o.pages->page_count() : 0; }
};

// ---- what all kinds of objects have in common
// ----------------------------------------------------

// Finds the object that `id` names, for a command that wants to use it or (change) to alter it.
syndrome find_object(state &s, command &c, kind k, std::uint32_t id, bool change, object *&found);
// Makes `o` keep the object that `id` names alive.
syndrome use_object(state &s, command &c, object &o, kind k, std::uint32_t id);

// A command of the registry about the objects of a type.
syndrome create_object(state &s, command &c, const prm::command &row, const object_type &t);
syndrome modify_object(state &s, command &c, const prm::command &row, const object_type &t);
syndrome query_object(state &s, command &c, const prm::command &row, const object_type &t);
syndrome destroy_object(state &s, command &c, const prm::command &row, const object_type &t);

} // namespace kdevx::hca::firmware
