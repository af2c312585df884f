// SPDX-License-Identifier: MIT
// kdevx-nl.h: which message each call sends and what becomes of the answers.
#include "kdevx/kdevx-nl.h"
#include "netlink/failure.hpp"
#include "netlink/message.hpp"
#include "netlink/request.hpp"
#include "netlink/socket.hpp"

#include <cerrno>

#include <rdma/rdma_netlink.h>

using namespace kdevx::nl;

extern "C" int kdevx_nl_open(struct kdevx_nl **nl, struct kdevx_nl_failure *why) {
    if (why) *why = {0, KDEVX_NL_OK, "socket(NETLINK_RDMA)"};
    if (!nl) return fail(why, KDEVX_NL_INVALID, EINVAL, "kdevx_nl_open");
    *nl = nullptr;
    return open_socket(nl, why);
}

extern "C" void kdevx_nl_close(struct kdevx_nl *nl) {
    if (nl) nl_socket_free(socket_of(nl));
}

extern "C" int kdevx_nl_list_devices(struct kdevx_nl *nl, kdevx_nl_device_fn each, void *arg,
                                     struct kdevx_nl_failure *why) {
    if (!nl || !each) return fail(why, KDEVX_NL_INVALID, EINVAL, "kdevx_nl_list_devices");
    return request(RDMA_NLDEV_CMD_GET, "GET", true)
        .run(socket_of(nl), why, [&](const nlmsghdr *m, int &stop) {
            kdevx_nl_device device;
            if (!parse_device(m, device)) return false;
            stop = each(&device, arg);
            return true;
        });
}

extern "C" int kdevx_nl_get_uverbs(struct kdevx_nl *nl, uint32_t index,
                                   struct kdevx_nl_uverbs *uverbs, struct kdevx_nl_failure *why) {
    if (!nl || !uverbs) return fail(why, KDEVX_NL_INVALID, EINVAL, "kdevx_nl_get_uverbs");
    *uverbs = {};
    int r = request(RDMA_NLDEV_CMD_GET_CHARDEV, "GET_CHARDEV", false)
                .device(index)
                .chardev_type("uverbs")
                .run(socket_of(nl), why,
                     [&](const nlmsghdr *m, int &) { return parse_uverbs(m, *uverbs); });
    if (r == -EOPNOTSUPP) return fail(why, KDEVX_NL_NO_CHARDEV, EOPNOTSUPP, "GET_CHARDEV");
    return r;
}

extern "C" int kdevx_nl_get_summary(struct kdevx_nl *nl, uint32_t index, kdevx_nl_count_fn each,
                                    void *arg, struct kdevx_nl_failure *why) {
    if (!nl || !each) return fail(why, KDEVX_NL_INVALID, EINVAL, "kdevx_nl_get_summary");
    return request(RDMA_NLDEV_CMD_RES_GET, "RES_GET", false)
        .device(index)
        .run(socket_of(nl), why,
             [&](const nlmsghdr *m, int &stop) { return parse_summary(m, each, arg, stop); });
}

extern "C" int kdevx_nl_list_resources(struct kdevx_nl *nl, uint32_t index, enum kdevx_nl_kind kind,
                                       kdevx_nl_resource_fn each, void *arg,
                                       struct kdevx_nl_failure *why) {
    if (!nl || !each || unsigned(kind) >= KDEVX_NL_KINDS)
        return fail(why, KDEVX_NL_INVALID, EINVAL, "kdevx_nl_list_resources");
    return request(resource_kinds[kind].command, resource_kinds[kind].step, true)
        .device(index)
        .run(socket_of(nl), why, [&](const nlmsghdr *m, int &stop) {
            return parse_resources(m, kind, each, arg, stop);
        });
}
