// SPDX-License-Identifier: MIT
#include <cstdarg>
#include <cstdio>
#include <iterator>

#include <kdevx/failure.h>
#include <kdevx/prm/status.hpp>

#include "wq/error.hpp"

namespace kdevx {

namespace {

struct cause_row {
    kdevx_cause cause;
    const char *name;
    const char *hint;
};

constexpr cause_row causes[] = {
    {KDEVX_CAUSE_NONE, "NONE", ""},
    {KDEVX_CAUSE_INVALID, "INVALID", "Correct the argument or attribute that is named."},
    {KDEVX_CAUSE_NO_DEVICE, "NO_DEVICE",
     "List the devices; if there are none, see which layer is missing."},
    {KDEVX_CAUSE_NOT_MLX5, "NOT_MLX5", "Use the uverbs device of an mlx5 adapter."},
    {KDEVX_CAUSE_KERNEL_TOO_OLD, "KERNEL_TOO_OLD",
     "Use a newer kernel, or do without this method or attribute."},
    {KDEVX_CAUSE_FIRMWARE_NO_UCTX, "FIRMWARE_NO_UCTX",
     "Set UCTX_EN in the adapter's firmware configuration and reset it."},
    {KDEVX_CAUSE_NO_DEVX_UID, "NO_DEVX_UID",
     "Open the context with DEVX; a context without it cannot get it later."},
    {KDEVX_CAUSE_NO_PERMISSION, "NO_PERMISSION",
     "Check the mode of the device node and the process's capabilities (CAP_NET_RAW, "
     "CAP_SYS_RAWIO, "
     "CAP_IPC_LOCK)."},
    {KDEVX_CAUSE_FIRMWARE_REFUSED, "FIRMWARE_REFUSED",
     "Look up status and syndrome; the inbox is at fault, or the state of an object."},
    {KDEVX_CAUSE_COMMAND_NOT_EXECUTED, "COMMAND_NOT_EXECUTED",
     "See the kernel log for the health of the device; whether the command took effect is not "
     "known."},
    {KDEVX_CAUSE_DEVICE_GONE, "DEVICE_GONE",
     "Close the context and open the device again when it is back."},
    {KDEVX_CAUSE_LIMIT, "LIMIT",
     "Raise the limit that is named (RLIMIT_MEMLOCK, RLIMIT_NOFILE, memory), ask for less, or take "
     "pending answers first."},
    {KDEVX_CAUSE_BUSY, "BUSY",
     "Let calls in progress return and destroy what uses the object first."},
    {KDEVX_CAUSE_NOT_SUPPORTED, "NOT_SUPPORTED",
     "This device or platform does not have it; use another way."},
    {KDEVX_CAUSE_NOTHING_YET, "NOTHING_YET", "Wait until the fd is readable."},
    {KDEVX_CAUSE_SHORT_BUFFER, "SHORT_BUFFER",
     "Call again with a bigger buffer; the answer is kept."},
    {KDEVX_CAUSE_CLOSED, "CLOSED", "The program uses something it has destroyed or closed."},
    {KDEVX_CAUSE_OTHER, "OTHER", ""},
};

const cause_row *cause_row_of(std::uint32_t cause) {
    for (const cause_row &r : causes)
        if (r.cause == cause) return &r;
    return nullptr;
}

// What the data path refuses has advice of its own; its step is the very text of the table.
const char *hint_of_data_path(const char *step) {
    for (unsigned e = 1; step && e < unsigned(wq::error::count_); ++e)
        if (wq::name(wq::error(e)).data() == step) return wq::hint(wq::error(e)).data();
    return nullptr;
}

// Text of any length into a buffer of some length, as snprintf counts.
struct text {
    char *buffer;
    std::size_t size, length = 0;

    [[gnu::format(printf, 2, 3)]] void add(const char *format, ...) {
        std::size_t at = length < size ? length : size;
        va_list args;
        va_start(args, format);
        int n = std::vsnprintf(buffer ? buffer + at : nullptr, size - at, format, args);
        va_end(args);
        length += n > 0 ? std::size_t(n) : 0;
    }
};

const char *state_name(std::uint8_t qp_state) {
    constexpr const char *names[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
    return qp_state < std::size(names) ? names[qp_state] : "in an unknown state";
}

} // namespace

} // namespace kdevx

using namespace kdevx;

const char *kdevx_cause_name(std::uint32_t cause) noexcept {
    const cause_row *r = cause_row_of(cause);
    return r ? r->name : "UNKNOWN";
}

const char *kdevx_failure_hint(const kdevx_failure *why) noexcept {
    if (!why) return "";
    if (const char *hint = hint_of_data_path(why->step)) return hint;
    const cause_row *r = cause_row_of(why->cause);
    return r ? r->hint : "";
}

const char *kdevx_status_name(std::uint8_t status) noexcept {
    const prm::value *v = prm::statuses.find(status);
    return v ? v->name.data() : "UNKNOWN";
}

std::size_t kdevx_failure_text(const kdevx_failure *why, char *buffer, std::size_t size) noexcept {
    text t{buffer, buffer ? size : 0};
    if (!why) {
        t.add("no failure");
        return t.length;
    }
    t.add("%s: %s", why->step ? why->step : "?", kdevx_cause_name(why->cause));
    if (why->outbox_valid)
        t.add(", status 0x%x %s, syndrome 0x%08x", why->fw_status,
              kdevx_status_name(why->fw_status), why->fw_syndrome);
    else if (why->err)
        t.add(", errno %d", why->err);
    if (why->qp_state_known) t.add("; the QP was believed to be %s", state_name(why->qp_state));
    return t.length;
}
