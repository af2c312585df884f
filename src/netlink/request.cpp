// SPDX-License-Identifier: MIT
#include "netlink/request.hpp"
#include "netlink/failure.hpp"

#include <cerrno>
#include <cstring>

#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>

namespace kdevx::nl {
namespace {

// What the callbacks of libnl leave behind.
struct progress {
    bool (*answer)(const nlmsghdr *, int &stop, void *);
    void *arg;
    int stop = 0;  // what `answer` ended the list with
    int error = 0; // errno of the kernel
    bool malformed = false;
    bool changed = false;
    bool done = false;
};

int on_valid(nl_msg *m, void *arg) {
    auto &p = *static_cast<progress *>(arg);
    if (nlmsg_hdr(m)->nlmsg_flags & NLM_F_DUMP_INTR) p.changed = true;
    if (p.stop == 0 && !p.malformed) p.malformed = !p.answer(nlmsg_hdr(m), p.stop, p.arg);
    return NL_OK;
}
int on_ack(nl_msg *, void *arg) {
    static_cast<progress *>(arg)->done = true;
    return NL_STOP;
}
// The end of a list carries an error when the kernel broke it off.
int on_finish(nl_msg *m, void *arg) {
    auto &p = *static_cast<progress *>(arg);
    int code = 0;
    if (nlmsg_datalen(nlmsg_hdr(m)) >= int(sizeof code))
        std::memcpy(&code, nlmsg_data(nlmsg_hdr(m)), sizeof code);
    if (code < 0) p.error = -code;
    p.done = true;
    return NL_STOP;
}
int on_error(sockaddr_nl *, nlmsgerr *e, void *arg) {
    auto &p = *static_cast<progress *>(arg);
    p.error = -e->error;
    p.done = true;
    return NL_STOP;
}

// libnl keeps only its own coarser codes of what a system call said.
int errno_of(int nl_error) {
    switch (-nl_error) {
    case NLE_NOMEM:
        return ENOMEM;
    case NLE_PERM:
        return EPERM;
    case NLE_NOACCESS:
        return EACCES;
    case NLE_PROTO_MISMATCH:
        return EPROTONOSUPPORT;
    case NLE_AF_NOSUPPORT:
        return EAFNOSUPPORT;
    case NLE_INTR:
        return EINTR;
    case NLE_AGAIN:
        return EAGAIN;
    case NLE_BAD_SOCK:
        return EBADF;
    case NLE_MSG_TRUNC:
    case NLE_MSG_TOOSHORT:
    case NLE_SEQ_MISMATCH:
        return EBADMSG;
    default:
        return EIO;
    }
}

int receive(nl_sock *socket, progress &p) {
    owned_callbacks own(nl_socket_get_cb(socket));
    owned_callbacks cb(nl_cb_clone(own.get()));
    if (!cb) return ENOMEM;
    nl_cb_set(cb.get(), NL_CB_VALID, NL_CB_CUSTOM, on_valid, &p);
    nl_cb_set(cb.get(), NL_CB_ACK, NL_CB_CUSTOM, on_ack, &p);
    nl_cb_set(cb.get(), NL_CB_FINISH, NL_CB_CUSTOM, on_finish, &p);
    nl_cb_err(cb.get(), NL_CB_CUSTOM, on_error, &p);
    while (!p.done) {
        int r = nl_recvmsgs(socket, cb.get());
        if (r == -NLE_DUMP_INTR)
            p.changed = p.done = true;
        else if (r < 0 && !p.done)
            return errno_of(r);
    }
    return p.error;
}

} // namespace

request::request(int command, const char *step, bool list) noexcept
    : message_(nlmsg_alloc_simple(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command),
                                  NLM_F_REQUEST | (list ? NLM_F_DUMP : 0))),
      step_(step), good_(bool(message_)) {}

request &request::device(std::uint32_t index) noexcept {
    names_a_device_ = true;
    good_ = good_ && nla_put_u32(message_.get(), RDMA_NLDEV_ATTR_DEV_INDEX, index) == 0;
    return *this;
}

request &request::chardev_type(const char *type) noexcept {
    good_ = good_ && nla_put_string(message_.get(), RDMA_NLDEV_ATTR_CHARDEV_TYPE, type) == 0;
    return *this;
}

int request::run(nl_sock *socket, kdevx_nl_failure *why, answer_fn answer, void *arg) noexcept {
    if (why) *why = {0, KDEVX_NL_OK, step_};
    if (!good_) return fail(why, KDEVX_NL_NO_MEMORY, ENOMEM, step_);
    int sent = nl_send_auto(socket, message_.get());
    if (sent < 0) return fail(why, cause_of(errno_of(sent), false), errno_of(sent), step_);
    progress p{answer, arg};
    if (int error = receive(socket, p))
        return fail(why, cause_of(error, names_a_device_), error, step_);
    if (p.malformed) return fail(why, KDEVX_NL_MALFORMED, EBADMSG, step_);
    if (p.changed && p.stop == 0) return fail(why, KDEVX_NL_CHANGED, EAGAIN, step_);
    return p.stop;
}

} // namespace kdevx::nl
