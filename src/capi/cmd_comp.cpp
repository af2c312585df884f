// SPDX-License-Identifier: MIT
#include "core/cmd_comp.hpp"

#include <cstddef>

#include "base/options.hpp"
#include "capi/convert.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_cmd_comp_create(kdevx_context *context, kdevx_cmd_comp **comp,
                          kdevx_failure *why) noexcept {
    if (!comp) return kdevx::deliver(invalid("comp"), why);
    result<core::entered> c = core::enter(from(context));
    if (!c) return kdevx::deliver(c.failure(), why);
    return capi::deliver(core::create_cmd_comp(**c), comp, why);
}

int kdevx_cmd_comp_destroy(kdevx_cmd_comp *comp, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::cmd_comp>(comp), why);
}

int kdevx_cmd_comp_fd(const kdevx_cmd_comp *comp) noexcept {
    result<core::pin<core::cmd_comp>> q = core::enter<core::cmd_comp>(comp);
    return q ? (*q)->fd : -EBADF;
}

std::uint32_t kdevx_cmd_comp_in_flight(const kdevx_cmd_comp *comp) noexcept {
    result<core::pin<core::cmd_comp>> q = core::enter<core::cmd_comp>(comp);
    if (!q) return 0;
    locked l((*q)->lock());
    return (*q)->flights.count();
}

int kdevx_cmd_comp_get(kdevx_cmd_comp *comp, void *out, std::size_t out_size, int timeout_ms,
                       kdevx_completion *completion, kdevx_failure *why) noexcept {
    constexpr std::size_t least = offsetof(kdevx_completion, verdict);
    if (!completion || completion->size < least) return kdevx::deliver(invalid("completion"), why);
    result<core::pin<core::cmd_comp>> q = core::enter<core::cmd_comp>(comp);
    if (!q) return kdevx::deliver(q.failure(), why);
    result<kdevx_completion> r = core::get_completion(*q, bytes(out, out_size), timeout_ms);
    if (!r) return kdevx::deliver(r.failure(), why);
    return kdevx::deliver(write_answer(*r, completion, least, "completion"), why);
}
