// SPDX-License-Identifier: MIT
#include "capi/verbs_devx.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_handle_query(kdevx_context *context, std::uint32_t handle, const void *in,
                       std::size_t in_size, void *out, std::size_t out_size,
                       kdevx_failure *why) noexcept {
    return in_context(context, why, [=](core::context &c) {
        return core::query(c.file(), handle, bytes(in, in_size), bytes(out, out_size));
    });
}

int kdevx_handle_modify(kdevx_context *context, std::uint32_t handle, const void *in,
                        std::size_t in_size, void *out, std::size_t out_size,
                        kdevx_failure *why) noexcept {
    return in_context(context, why, [=](core::context &c) {
        return core::modify(c.file(), handle, bytes(in, in_size), bytes(out, out_size));
    });
}
