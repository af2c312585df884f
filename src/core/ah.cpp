// SPDX-License-Identifier: MIT
#include "core/ah.hpp"

#include "core/address.hpp"
#include "core/ending.hpp"
#include "core/write_command.hpp"
#include "kabi/memory.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

bool ah_uses(const slot &holder, const slot &used) noexcept {
    return holder.body<ah>().pd == &used;
}

ib_uverbs_ah_attr attributes(const kdevx_address &a) {
    ib_uverbs_ah_attr w{};
    put_route(a, w.grh);
    put_path(a, w);
    return w;
}

} // namespace

const noun ah::noun{KDEVX_KIND_AH, "ah", end_by<kabi::ah::destroy, "UVERBS_ATTR_DESTROY_AH_HANDLE">,
                    nothing_to_drop, ah_uses};

result<kdevx_ah *> create_ah(const pin<pd> &domain, const kdevx_address &a) noexcept {
    draft<ah> d(domain.context());
    if (!d) return no_memory("ah");
    ib_uverbs_create_ah in{};
    in.pd_handle = domain.handle();
    in.attr = attributes(a);
    ib_uverbs_create_ah_resp out{};
    mlx5_ib_create_ah_resp driver_out{};
    // A kernel that does not fill it leaves its response_length 0.
    result<void> r = write_command<"IB_USER_VERBS_CMD_CREATE_AH">(domain.file(), in, out, {},
                                                                  bytes_of(driver_out));
    if (!r) return r.failure();
    d.handle() = out.ah_handle;
    d->pd = &domain.at();
    d->has_dmac = driver_out.response_length >= offsetof(mlx5_ib_create_ah_resp, reserved);
    std::memcpy(d->dmac, driver_out.dmac, sizeof d->dmac);
    return d.publish();
}

} // namespace kdevx::core
