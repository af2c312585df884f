// SPDX-License-Identifier: MIT
// RDMA netlink messages: bytes of the kernel -> the structures of kdevx-nl.h. Knows no socket.
#pragma once

#include "kdevx/kdevx-nl.h"

#include <linux/netlink.h>

namespace kdevx::nl {

// What one kind of resource is called in the messages.
struct resource_names {
    const char *name; // as the summary has it
    const char *step; // the command's name, for failures
    int command;      // RDMA_NLDEV_CMD_RES_*_GET
    int table;        // RDMA_NLDEV_ATTR_RES_*: holds
    int entry;        //   RDMA_NLDEV_ATTR_RES_*_ENTRY, each with
    int id;           //     an RDMA_NLDEV_ATTR_RES_*N
};
extern const resource_names resource_kinds[KDEVX_NL_KINDS];

// False: the message lacks what such a message must have.
bool parse_device(const nlmsghdr *message, kdevx_nl_device &device);
bool parse_uverbs(const nlmsghdr *message, kdevx_nl_uverbs &uverbs);

// Call `each` for every entry of the message. `stop` receives what `each` returned, if not zero.
bool parse_summary(const nlmsghdr *message, kdevx_nl_count_fn each, void *arg, int &stop);
bool parse_resources(const nlmsghdr *message, kdevx_nl_kind kind, kdevx_nl_resource_fn each,
                     void *arg, int &stop);

} // namespace kdevx::nl
