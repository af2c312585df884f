// SPDX-License-Identifier: MIT
#include "core/port.hpp"

#include <cstddef>

#include "capi/calls.hpp"

using namespace kdevx;
using namespace kdevx::capi;

int kdevx_port_query(kdevx_context *context, std::uint32_t port, kdevx_port_info *info,
                     kdevx_failure *why) noexcept {
    constexpr std::size_t least = offsetof(kdevx_port_info, vport);
    if (!info || info->size < least) return kdevx::deliver(invalid("info"), why);
    return in_context(context, why, [=](core::context &c) -> result<void> {
        result<kdevx_port_info> mine = core::query_port(c, port);
        return mine ? write_answer(*mine, info, least, "info") : mine.failure();
    });
}

int kdevx_gid_table_query(kdevx_context *context, kdevx_gid *gids, std::size_t capacity,
                          std::size_t *count, kdevx_failure *why) noexcept {
    return make_in(context, count, "count", why, [=](core::context &c) {
        return core::query_gid_table(c, {gids, capacity});
    });
}

int kdevx_gid_query(kdevx_context *context, std::uint32_t port, std::uint32_t index, kdevx_gid *gid,
                    kdevx_failure *why) noexcept {
    return make_in(context, gid, "gid", why,
                   [=](core::context &c) { return core::query_gid(c, port, index); });
}

int kdevx_handles_query(kdevx_context *context, std::uint16_t object, std::uint32_t *handles,
                        std::size_t capacity, std::size_t *count, kdevx_failure *why) noexcept {
    return make_in(context, count, "count", why, [=](core::context &c) {
        return core::query_handles(c, object, {handles, capacity});
    });
}

int kdevx_data_direct_path(kdevx_context *context, char *path, std::size_t size,
                           kdevx_failure *why) noexcept {
    return in_context(context, why, [=](core::context &c) {
        return core::query_data_direct_path(c, {path, size});
    });
}
