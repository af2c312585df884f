// SPDX-License-Identifier: MIT
#include "core/ah.hpp"

#include <cstddef>

#include "capi/calls.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_ah_create(kdevx_pd *pd, const kdevx_address *address, kdevx_ah **ah,
                    kdevx_failure *why) noexcept {
    if (!address) return kdevx::deliver(invalid("address"), why);
    return make_with<core::pd>(pd, ah, "ah", why,
                               [=](auto &domain) { return core::create_ah(domain, *address); });
}

int kdevx_ah_destroy(kdevx_ah *ah, kdevx_failure *why) noexcept {
    return kdevx::deliver(core::destroy<core::ah>(ah), why);
}

int kdevx_ah_get_info(const kdevx_ah *ah, kdevx_ah_info *info, kdevx_failure *why) noexcept {
    return answer<core::ah>(ah, info, offsetof(kdevx_ah_info, has_dmac), "info", why,
                            [](auto &a) -> result<kdevx_ah_info> {
                                kdevx_ah_info mine{sizeof mine, a.handle(), a->has_dmac, {}, 0};
                                std::memcpy(mine.dmac, a->dmac, sizeof mine.dmac);
                                return mine;
                            });
}
