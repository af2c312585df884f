// SPDX-License-Identifier: MIT
// From functions of the C interface to results, for those that make something and those that tell.
#pragma once

#include <kdevx/handle.hpp>

namespace kdevx {

// make(&handle, &why) as the C interface has it.
template <class Owner, class Make>
result<Owner> owner_of(Make make) noexcept {
    decltype(std::declval<Owner>().get()) handle = nullptr;
    kdevx_failure why{};
    if (make(&handle, &why)) return why;
    return Owner(handle);
}

// A kdevx_*_get_info.
template <class Info, class T>
result<Info> info_of(const T *handle, int (*get)(const T *, Info *, kdevx_failure *) noexcept) {
    Info info{};
    kdevx_failure why{};
    info.size = sizeof info;
    if (get(handle, &info, &why)) return why;
    return info;
}

// Anything that only succeeds or fails: act(&why).
template <class Act>
result<void> done(Act act) noexcept {
    kdevx_failure why{};
    if (act(&why)) return why;
    return {};
}

} // namespace kdevx
