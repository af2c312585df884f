// SPDX-License-Identifier: MIT
#include "netlink/socket.hpp"
#include "netlink/failure.hpp"

#include <cerrno>

#include <linux/netlink.h>
#include <netlink/netlink.h>

namespace kdevx::nl {

int open_socket(struct kdevx_nl **nl, kdevx_nl_failure *why) noexcept {
    owned_socket s(nl_socket_alloc());
    if (!s) return fail(why, KDEVX_NL_NO_MEMORY, ENOMEM, "socket(NETLINK_RDMA)");
    errno = 0;
    if (nl_connect(s.get(), NETLINK_RDMA) < 0) {
        // libnl returns a code of its own, but leaves errno as socket() or bind() set it.
        int error = errno ? errno : EIO;
        return fail(why, cause_of(error, false), error, "socket(NETLINK_RDMA)");
    }
    *nl = handle_of(s.release());
    return 0;
}

} // namespace kdevx::nl
