// SPDX-License-Identifier: MIT
// Numbers as text, and the questions about fork.
#include <cstddef>
#include <iterator>

#include "compat/verbs/api.hpp"

namespace {

constexpr const char *node_types[] = {"unknown node type", "InfiniBand channel adapter",
                                      "InfiniBand switch", "InfiniBand router",
                                      "iWARP NIC",         "usNIC",
                                      "usNIC UDP",         "unspecified"};
constexpr const char *port_states[] = {"no state change", "down",   "init",
                                       "armed",           "active", "active defer"};
constexpr const char *events[] = {"CQ error",
                                  "QP fatal error",
                                  "QP request error",
                                  "QP access error",
                                  "communication established",
                                  "send queue drained",
                                  "path migration succeeded",
                                  "path migration failed",
                                  "device fatal error",
                                  "port active",
                                  "port error",
                                  "LID change",
                                  "P_Key change",
                                  "SM change",
                                  "SRQ error",
                                  "SRQ limit reached",
                                  "last WQE reached",
                                  "client reregistration",
                                  "GID table change",
                                  "WQ fatal error",
                                  "device speed change"};
constexpr const char *statuses[] = {"success",
                                    "local length error",
                                    "local QP operation error",
                                    "local EE context operation error",
                                    "local protection error",
                                    "work request flushed",
                                    "memory window bind error",
                                    "bad response",
                                    "local access error",
                                    "remote invalid request",
                                    "remote access error",
                                    "remote operation error",
                                    "transport retry count exceeded",
                                    "receiver-not-ready retry count exceeded",
                                    "local RDD violation",
                                    "remote invalid read request",
                                    "remote aborted",
                                    "invalid EE context number",
                                    "invalid EE context state",
                                    "fatal error",
                                    "response timeout",
                                    "general error",
                                    "tag matching error",
                                    "tag matching rendezvous incomplete"};

template <std::size_t N>
const char *text(const char *const (&table)[N], int number) {
    return number >= 0 && std::size_t(number) < N ? table[number] : "unknown";
}

} // namespace

const char *ibv_node_type_str(ibv_node_type node_type) {
    return text(node_types, node_type == IBV_NODE_UNKNOWN ? 0 : int(node_type));
}
const char *ibv_port_state_str(ibv_port_state port_state) {
    return text(port_states, port_state);
}
const char *ibv_event_type_str(ibv_event_type event) {
    return text(events, event);
}
const char *ibv_wc_status_str(ibv_wc_status status) {
    return text(statuses, status);
}

int ibv_fork_init() {
    return 0;
}
ibv_fork_status ibv_is_fork_initialized() {
    return IBV_FORK_UNNEEDED;
}
