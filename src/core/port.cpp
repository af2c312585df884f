// SPDX-License-Identifier: MIT
#include "core/port.hpp"

#include <algorithm>

#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5_user_ioctl_verbs.h>

#include "kabi/device.hpp"
#include "uverbs/request.hpp"

namespace kdevx::core {

using namespace uverbs;

static_assert(sizeof(kdevx_gid) == sizeof(ib_uverbs_gid_entry));

result<kdevx_port_info> query_port(context &c, std::uint32_t port) noexcept {
    mlx5_ib_uapi_query_port p{};
    result<void> r = invoke<kabi::device::mlx5_query_port>(
        c.file(), in_value<"MLX5_IB_ATTR_QUERY_PORT_PORT_NUM">(port),
        out_value<"MLX5_IB_ATTR_QUERY_PORT">(p));
    if (!r) return r.failure();
    return kdevx_port_info{sizeof(kdevx_port_info),
                           p.flags,
                           p.vport,
                           p.vport_vhca_id,
                           p.esw_owner_vhca_id,
                           0,
                           p.vport_steering_icm_rx,
                           p.vport_steering_icm_tx,
                           p.reg_c0.value,
                           p.reg_c0.mask};
}

// An attribute has 65535 bytes at most.
result<std::size_t> query_gid_table(context &c, std::span<kdevx_gid> gids) noexcept {
    if (gids.empty()) return invalid("capacity");
    if (!gids.data()) return invalid("gids");
    gids = gids.first(std::min(gids.size(), kabi::any_size / sizeof(kdevx_gid)));
    std::uint64_t count = 0;
    result<void> r = invoke<kabi::device::query_gid_table>(
        c.file(), constant<"UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE">(sizeof(kdevx_gid)),
        flags<"UVERBS_ATTR_QUERY_GID_TABLE_FLAGS">(0),
        out<"UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES">(std::as_writable_bytes(gids)),
        out_value<"UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES">(count));
    if (!r) return r.failure();
    return std::size_t(count);
}

result<kdevx_gid> query_gid(context &c, std::uint32_t port, std::uint32_t index) noexcept {
    kdevx_gid gid{};
    result<void> r = invoke<kabi::device::query_gid_entry>(
        c.file(), constant<"UVERBS_ATTR_QUERY_GID_ENTRY_PORT">(port),
        constant<"UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX">(index),
        flags<"UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS">(0),
        out_value<"UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY">(gid));
    if (!r) return r.failure();
    return gid;
}

result<std::size_t> query_handles(context &c, std::uint16_t object,
                                  std::span<std::uint32_t> handles) noexcept {
    constexpr std::size_t most = kabi::any_size / sizeof(std::uint32_t);
    if (handles.empty() || handles.size() > most) return invalid("capacity", handles.size(), most);
    if (!handles.data()) return invalid("handles");
    std::uint32_t total = 0;
    result<void> r = invoke<kabi::device::info_handles>(
        c.file(), constant<"UVERBS_ATTR_INFO_OBJECT_ID">(object),
        out_value<"UVERBS_ATTR_INFO_TOTAL_HANDLES">(total),
        out<"UVERBS_ATTR_INFO_HANDLES_LIST">(std::as_writable_bytes(handles)));
    if (!r) return r.failure();
    return std::size_t(total);
}

result<void> query_data_direct_path(context &c, std::span<char> path) noexcept {
    if (path.empty()) return invalid("size");
    if (!path.data()) return invalid("path");
    constexpr std::size_t longest = 4096;
    path = path.first(std::min(path.size(), longest));
    result<void> r = invoke<kabi::device::get_data_direct_sysfs_path>(
        c.file(), out<"MLX5_IB_ATTR_GET_DATA_DIRECT_SYSFS_PATH">(std::as_writable_bytes(path)));
    if (r) return r;
    failure f = r.failure();
    if (f.err == ENODEV) f.cause = KDEVX_CAUSE_NOT_SUPPORTED;
    if (f.err == ENOSPC) f = fail(KDEVX_CAUSE_SHORT_BUFFER, ENOSPC, "size", longest, path.size());
    return f;
}

} // namespace kdevx::core
