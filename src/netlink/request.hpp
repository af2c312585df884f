// SPDX-License-Identifier: MIT
// One question to the kernel's nldev and its answers.
#pragma once

#include "kdevx/kdevx-nl.h"
#include "netlink/handles.hpp"

#include <cstdint>

namespace kdevx::nl {

class request {
    owned_message message_;
    const char *step_;
    bool names_a_device_ = false;
    bool good_;

public:
    // `command` is an RDMA_NLDEV_CMD_*; with `list` the kernel is asked for all there are of it.
    request(int command, const char *step, bool list) noexcept;

    request &device(std::uint32_t index) noexcept;
    request &chardev_type(const char *type) noexcept;

    // Sends it and hands every answer to `answer(message, stop)`, which returns false when the
    // message lacks what it must have, and sets `stop` to end early: the remaining answers are then
    // read and dropped, and that number is returned.
    template <class F>
    int run(nl_sock *socket, kdevx_nl_failure *why, F answer) noexcept {
        return run(
            socket, why,
            [](const nlmsghdr *m, int &stop, void *f) { return (*static_cast<F *>(f))(m, stop); },
            &answer);
    }

private:
    using answer_fn = bool (*)(const nlmsghdr *, int &stop, void *);
    int run(nl_sock *socket, kdevx_nl_failure *why, answer_fn answer, void *arg) noexcept;
};

} // namespace kdevx::nl
