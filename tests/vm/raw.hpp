// SPDX-License-Identifier: MIT
// An ioctl of the uverbs file built by hand, for what the library never sends: the kernel's own rules.
// Shares nothing with the library.
#pragma once

#include <cstdint>
#include <cstring>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <vector>

namespace kdevx::vm {

class raw {
public:
    // The headers count their attributes by what follows them in memory.
    std::uint16_t object, method;
    std::uint32_t driver = RDMA_DRIVER_MLX5, reserved2 = 0;
    std::uint64_t reserved1 = 0;
    int extra_length = 0; // how much the length field is off
    std::vector<ib_uverbs_attr> attrs;

    raw(unsigned of, unsigned which) : object(std::uint16_t(of)), method(std::uint16_t(which)) {}

    // Bytes as PTR_IN takes them: 8 or less are in the attribute itself.
    raw &in(unsigned id, const void *p, std::size_t size);
    raw &out(unsigned id, void *p, std::size_t size);
    // A constant, flags, a handle, an fd: what `length` says.
    raw &value(unsigned id, std::uint64_t v, unsigned length = 0);
    raw &handle(unsigned id, std::uint64_t h = 0) { return value(id, h); }
    // The next attributes are not UVERBS_ATTR_F_MANDATORY.
    raw &optional(bool yes = true) {
        optional_ = yes;
        return *this;
    }

    // 0 or more, or -errno. The attributes hold what the kernel wrote into them.
    int send(int fd);
    int send(int fd, unsigned long request);
    std::uint64_t data(unsigned id) const;
    std::uint16_t flags(unsigned id) const;

private:
    bool optional_ = false;
    ib_uverbs_attr &add(unsigned id, std::size_t length);
};

// GET_CONTEXT on a uverbs file: 0 or -errno.
int raw_get_context(int fd, bool devx);

} // namespace kdevx::vm
