// SPDX-License-Identifier: MIT
#include "netlink/failure.hpp"

#include <cerrno>

namespace kdevx::nl {
namespace {
struct cause_text {
    const char *name, *hint;
};
constexpr cause_text causes[] = {
    {"OK", "nothing to do"},
    {"INVALID", "an argument of the call is null or out of range: see kdevx-nl.h"},
    {"NO_RDMA", "the kernel has no RDMA netlink: load the driver of the device (modprobe mlx5_ib), "
                "which brings ib_core along"},
    {"NO_PERMISSION", "the kernel or a security module (SELinux, seccomp) forbids NETLINK_RDMA: "
                      "allow it, or look into /sys/class/infiniband instead"},
    {"NO_DEVICE", "the device is gone, or lives in another network namespace (rdma system show "
                  "tells whether namespaces are exclusive)"},
    {"NO_CHARDEV", "the device has no uverbs node: load the module (modprobe ib_uverbs)"},
    {"CHANGED", "objects came and went while the kernel listed them: ask again"},
    {"MALFORMED", "the kernel's answer lacks a field that kdevx-nl relies on: report it together "
                  "with the kernel version"},
    {"NO_MEMORY", "memory is short"},
    {"FAILED", "see the errno"},
};
static_assert(sizeof causes / sizeof causes[0] == KDEVX_NL_FAILED + 1);

const cause_text &text_of(kdevx_nl_cause cause) {
    return causes[unsigned(cause) <= KDEVX_NL_FAILED ? cause : KDEVX_NL_FAILED];
}
} // namespace

int fail(kdevx_nl_failure *why, kdevx_nl_cause cause, int error, const char *step) noexcept {
    if (why) *why = {error, cause, step};
    return -error;
}

kdevx_nl_cause cause_of(int error, bool names_a_device) noexcept {
    switch (error) {
    case EPERM:
    case EACCES:
        return KDEVX_NL_NO_PERMISSION;
    case EPROTONOSUPPORT:
    case EAFNOSUPPORT:
        return KDEVX_NL_NO_RDMA;
    case ENODEV:
        return KDEVX_NL_NO_DEVICE;
    // The kernel has no other word for an index that it does not know.
    case EINVAL:
        return names_a_device ? KDEVX_NL_NO_DEVICE : KDEVX_NL_FAILED;
    case ENOMEM:
    case ENOBUFS:
        return KDEVX_NL_NO_MEMORY;
    default:
        return KDEVX_NL_FAILED;
    }
}

} // namespace kdevx::nl

extern "C" const char *kdevx_nl_cause_name(enum kdevx_nl_cause cause) {
    return kdevx::nl::text_of(cause).name;
}
extern "C" const char *kdevx_nl_cause_hint(enum kdevx_nl_cause cause) {
    return kdevx::nl::text_of(cause).hint;
}
