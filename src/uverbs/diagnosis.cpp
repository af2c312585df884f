// SPDX-License-Identifier: MIT
#include "uverbs/diagnosis.hpp"

#include <rdma/ib_user_ioctl_verbs.h>

#include "kabi/device.hpp"
#include "kabi/devx.hpp"
#include "kabi/devx_obj.hpp"
#include "kabi/pages.hpp"
#include "kabi/umem.hpp"

namespace kdevx::uverbs {

namespace {

// A method that no kernel has: the answer shows how far the checks before it go.
constexpr std::uint16_t no_method = 0x0fff;

struct probe_request {
    alignas(8) std::byte bytes[sizeof(ib_uverbs_ioctl_hdr) + sizeof(ib_uverbs_attr)]{};

    ib_uverbs_ioctl_hdr *header(std::uint16_t object_id, std::uint16_t method_id, unsigned attrs) {
        auto *h = reinterpret_cast<ib_uverbs_ioctl_hdr *>(bytes);
        h->length = std::uint16_t(sizeof *h + attrs * sizeof(ib_uverbs_attr));
        h->object_id = object_id;
        h->method_id = method_id;
        h->num_attrs = std::uint16_t(attrs);
        h->driver_id = RDMA_DRIVER_MLX5;
        return h;
    }
};

kdevx_cause unknown_to_the_kernel(const file &f, const kabi::method_base &m) {
    switch (m.object->when) {
    case kabi::presence::log_max_uctx:
        return has_devx_objects(f) ? KDEVX_CAUSE_KERNEL_TOO_OLD : KDEVX_CAUSE_FIRMWARE_NO_UCTX;
    case kabi::presence::always:
        return KDEVX_CAUSE_KERNEL_TOO_OLD;
    default: // a capability of the device decides whether the object is there
        return ask(f, m.object->id, m.id) == EPROTONOSUPPORT ? KDEVX_CAUSE_NOT_SUPPORTED
                                                             : KDEVX_CAUSE_KERNEL_TOO_OLD;
    }
}

// These want a uid before they look at anything else.
bool needs_uid(const kabi::method_base &m) {
    return m.object == &kabi::devx_obj::object || &m == &kabi::devx::other ||
           &m == &kabi::devx::subscribe_event || &m == &kabi::umem::reg;
}

kdevx_cause cause_of(const file &f, const kabi::method_base &m, int err) {
    switch (err) {
    case EPROTONOSUPPORT:
        return unknown_to_the_kernel(f, m);
    case EREMOTEIO:
        return KDEVX_CAUSE_FIRMWARE_REFUSED;
    case EIO:
        return is_gone(f) ? KDEVX_CAUSE_DEVICE_GONE : KDEVX_CAUSE_COMMAND_NOT_EXECUTED;
    case ETIMEDOUT:
    case ECANCELED:
    case ENXIO:
        return KDEVX_CAUSE_COMMAND_NOT_EXECUTED;
    case ENODEV:
        return KDEVX_CAUSE_DEVICE_GONE;
    case ENOTTY:
        return KDEVX_CAUSE_NOT_MLX5;
    case EPERM:
    case EACCES:
        return KDEVX_CAUSE_NO_PERMISSION;
    case EBUSY:
        return KDEVX_CAUSE_BUSY;
    case ENOMEM:
    case EMFILE:
    case ENFILE:
    case EAGAIN:
    case ENOSPC:
        return KDEVX_CAUSE_LIMIT;
    case EOPNOTSUPP:
        return f.uid == devx_uid::absent && needs_uid(m) ? KDEVX_CAUSE_NO_DEVX_UID
                                                         : KDEVX_CAUSE_NOT_SUPPORTED;
    case ENOSYS: // modifying and querying RSS queue pairs
        return KDEVX_CAUSE_NOT_SUPPORTED;
    case EINVAL:
        return f.uid == devx_uid::absent && needs_uid(m) ? KDEVX_CAUSE_NO_DEVX_UID
                                                         : KDEVX_CAUSE_INVALID;
    case EFAULT:
    case EBADF:
    case ENOENT:
        return KDEVX_CAUSE_INVALID;
    default:
        return KDEVX_CAUSE_OTHER;
    }
}

} // namespace

failure diagnose(const file &f, const kabi::method_base &m, int err) noexcept {
    return fail(cause_of(f, m, err), err, m.name);
}

int ask(const file &f, std::uint16_t object_id, std::uint16_t method_id) noexcept {
    probe_request r;
    return f.ioctl(r.header(object_id, method_id, 0), nullptr);
}

int ask(const file &f, std::uint16_t object_id, std::uint16_t method_id,
        const kabi::attr &attr) noexcept {
    probe_request r;
    ib_uverbs_ioctl_hdr *h = r.header(object_id, method_id, 1);
    h->attrs[0].attr_id = attr.id;
    h->attrs[0].flags = UVERBS_ATTR_F_MANDATORY;
    // A handle or an fd with a length is refused before it is looked up.
    h->attrs[0].len = attr.bytes == kabi::none;
    return f.ioctl(h, nullptr);
}

int not_mlx5(const file &f) noexcept {
    int err = ask(f, kabi::device::object.id, no_method);
    return err == EPROTONOSUPPORT ? 0 : err;
}

bool has_devx_objects(const file &f) noexcept {
    return ask(f, kabi::devx::object.id, kabi::devx::other.id) != EPROTONOSUPPORT;
}

// Only the driver's own methods lose their handlers when the device goes; UAR is always there.
bool is_gone(const file &f) noexcept {
    return ask(f, kabi::uar::object.id, kabi::uar::alloc.id) == EIO;
}

} // namespace kdevx::uverbs
