// SPDX-License-Identifier: MIT
// Numbers in the messages that have names.
#include "netlink/message.hpp"

#include <cstddef>
#include <cstdint>

namespace {
struct value_name {
    std::uint8_t value;
    const char *name;
};
// enum ib_qp_type of the kernel; DRIVER is what mlx5 calls DCT and DCI.
constexpr value_name qp_types[] = {
    {0, "SMI"},        {1, "GSI"},     {2, "RC"},       {3, "UC"},        {4, "UD"},
    {8, "RAW_PACKET"}, {9, "XRC_INI"}, {10, "XRC_TGT"}, {0xff, "DRIVER"},
};
// enum ib_qp_state
constexpr value_name qp_states[] = {
    {0, "RESET"}, {1, "INIT"}, {2, "RTR"}, {3, "RTS"}, {4, "SQD"}, {5, "SQE"}, {6, "ERR"},
};

template <std::size_t N>
const char *name_of(const value_name (&names)[N], std::uint8_t value) {
    for (const value_name &n : names)
        if (n.value == value) return n.name;
    return nullptr;
}
} // namespace

extern "C" const char *kdevx_nl_qp_type_name(uint8_t type) {
    return name_of(qp_types, type);
}
extern "C" const char *kdevx_nl_qp_state_name(uint8_t state) {
    return name_of(qp_states, state);
}
extern "C" const char *kdevx_nl_kind_name(enum kdevx_nl_kind kind) {
    return unsigned(kind) < KDEVX_NL_KINDS ? kdevx::nl::resource_kinds[kind].name : nullptr;
}
