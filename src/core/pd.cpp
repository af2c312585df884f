// SPDX-License-Identifier: MIT
#include "core/pd.hpp"

#include "core/ending.hpp"
#include "core/write_command.hpp"
#include "kabi/memory.hpp"

namespace kdevx::core {

using namespace uverbs;

const noun pd::noun{KDEVX_KIND_PD, "pd", end_by<kabi::pd::destroy, "UVERBS_ATTR_DESTROY_PD_HANDLE">,
                    nothing_to_drop, nullptr};
const noun xrcd::noun{KDEVX_KIND_XRCD, "xrcd",
                      end_by<kabi::xrcd::destroy, "UVERBS_ATTR_DESTROY_XRCD_HANDLE">,
                      nothing_to_drop, nullptr};

result<kdevx_pd *> alloc_pd(context &c) noexcept {
    draft<pd> d(c);
    if (!d) return no_memory("pd");
    ib_uverbs_alloc_pd in{};
    ib_uverbs_alloc_pd_resp out{};
    mlx5_ib_alloc_pd_resp driver_out{};
    result<void> r =
        write_command<"IB_USER_VERBS_CMD_ALLOC_PD">(c.file(), in, out, {}, bytes_of(driver_out));
    if (!r) return r.failure();
    d.handle() = out.pd_handle;
    d->pdn = driver_out.pdn;
    return d.publish();
}

// Without O_CREAT the kernel has this errno for a file whose domain nobody has opened.
static failure unopened(failure f) {
    if (f.err == EAGAIN) f.cause = KDEVX_CAUSE_INVALID;
    return f;
}

result<kdevx_xrcd *> open_xrcd(context &c, int fd, std::uint32_t oflags) noexcept {
    draft<xrcd> d(c);
    if (!d) return no_memory("xrcd");
    ib_uverbs_open_xrcd in{};
    in.fd = std::uint32_t(fd);
    in.oflags = oflags;
    ib_uverbs_open_xrcd_resp out{};
    result<void> r = write_command<"IB_USER_VERBS_CMD_OPEN_XRCD">(c.file(), in, out);
    if (!r) return unopened(r.failure());
    d.handle() = out.xrcd_handle;
    return d.publish();
}

} // namespace kdevx::core
