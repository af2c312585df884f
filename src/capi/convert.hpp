// SPDX-License-Identifier: MIT
// Between the C interface's words and the library's.
#pragma once

#include <utility>

#include "base/failure.hpp"
#include "core/context.hpp"
#include "uverbs/request.hpp"

namespace kdevx::capi {

inline core::context *from(kdevx_context *c) {
    return reinterpret_cast<core::context *>(c);
}
inline const core::context *from(const kdevx_context *c) {
    return reinterpret_cast<const core::context *>(c);
}
inline kdevx_context *to(core::context *c) {
    return reinterpret_cast<kdevx_context *>(c);
}

inline uverbs::const_bytes bytes(const void *p, std::size_t size) {
    return {static_cast<const std::byte *>(p), size};
}
inline uverbs::bytes bytes(void *p, std::size_t size) {
    return {static_cast<std::byte *>(p), size};
}

// A value goes to the caller, a failure to `why`.
template <class T>
int deliver(result<T> r, T *value, kdevx_failure *why) {
    if (!r) return kdevx::deliver(r.failure(), why);
    *value = *std::move(r);
    return 0;
}

} // namespace kdevx::capi
