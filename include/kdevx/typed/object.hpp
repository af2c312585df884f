// SPDX-License-Identifier: MIT
// General objects, and elements of the scheduling tree.
#pragma once

#include <kdevx/prm/objects.hpp>
#include <kdevx/typed/command.hpp>

namespace kdevx::typed {

// ---- general objects
// -----------------------------------------------------------------------------

// A header, and behind it the object's own layout:
//
//     auto in = typed::create_general<prm::virtio_q_counters>(
//         prm::object_type<"VIRTIO_Q_COUNTERS">);
//     in.set_object<"received_desc">(1);
template <const auto &Object, prm::command_class Class, std::size_t InTail = Object.size,
          std::size_t OutTail = 0>
class general_command : public command<prm::general_obj_in_cmd_hdr, prm::general_obj_out_cmd_hdr,
                                       InTail, OutTail, int(Class)> {
    std::string_view object_misfit_{};

    prm::editor<Object> object() {
        return prm::editor<Object>(this->bytes().subspan(prm::object_offset));
    }
    general_command &note(std::string_view misfit) {
        if (object_misfit_.empty()) object_misfit_ = misfit;
        return *this;
    }
    using base = prm::mailbox<prm::general_obj_in_cmd_hdr, InTail>;

public:
    explicit general_command(std::uint32_t type, std::uint32_t id = 0) {
        this->template set<"obj_type">(type);
        this->template set<"obj_id">(id);
    }
    template <prm::fixed_string Path>
    general_command &set_object(std::uint64_t v) {
        prm::editor<Object> o = object();
        o.template set<Path>(v);
        return note(o.misfit());
    }
    template <prm::fixed_string Path>
    general_command &set_object_bytes(std::span<const std::byte> v) {
        prm::editor<Object> o = object();
        o.template set_bytes<Path>(v);
        return note(o.misfit());
    }
    bool valid() const { return base::valid() && object_misfit_.empty(); }
    std::string_view misfit() const { return base::valid() ? object_misfit_ : base::misfit(); }
};

template <const auto &Object>
auto create_general(std::uint32_t type) {
    return general_command<Object, prm::create>(type);
}
template <const auto &Object>
auto modify_general(std::uint32_t type, std::uint32_t id) {
    return general_command<Object, prm::modify>(type, id);
}
template <const auto &Object>
auto query_general(std::uint32_t type, std::uint32_t id) {
    return general_command<Object, prm::query, 0, Object.size>(type, id);
}
// What a query brought.
template <const auto &Object, class Answer>
prm::view<Object> object_of(const Answer &answer) {
    return prm::view<Object>(std::as_const(answer).bytes().subspan(prm::object_offset));
}

// Numbers that no QP will be given: a block of 2^log of them from obj_id on, for connections that
// are not QPs of this host (hca_cap.general_obj_types, hca_cap_2.log_reserved_qpn_granularity).
inline auto reserve_qpns(std::uint32_t log) {
    command<prm::general_obj_in_cmd_hdr, prm::general_obj_out_cmd_hdr, 0, 0, int(prm::create)> in;
    in.set<"obj_type", prm::object_type<"RESERVED_QPN">>();
    in.set<"op_param">(std::uint64_t(log) << 24);
    return in;
}

// ---- scheduling elements
// -------------------------------------------------------------------------

struct scheduling_options {
    std::uint32_t hierarchy = prm::value_of<prm::scheduling_hierarchies, "NIC">;
    std::uint32_t element_type = prm::value_of<prm::scheduling_element_types, "TSAR">;
    std::uint32_t element_attributes = 0; // PRM tsar_element and the like, as one word
    std::uint32_t parent = 0;
    std::uint32_t bw_share = 0, max_average_bw = 0; // 0: no limit
};
inline auto create_scheduling_element(const scheduling_options &o) {
    command<prm::create_scheduling_element_in, prm::create_scheduling_element_out> in;
    in.set<"scheduling_hierarchy">(o.hierarchy);
    in.set<"scheduling_context.element_type">(o.element_type);
    in.set<"scheduling_context.element_attributes">(o.element_attributes);
    in.set<"scheduling_context.parent_element_id">(o.parent);
    in.set<"scheduling_context.bw_share">(o.bw_share);
    in.set<"scheduling_context.max_average_bw">(o.max_average_bw);
    return in;
}

} // namespace kdevx::typed
