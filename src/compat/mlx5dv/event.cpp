// SPDX-License-Identifier: MIT
// Events of the device and of firmware objects.
#include "core/event_channel.hpp"

#include "compat/mlx5dv/call.hpp"
#include "compat/mlx5dv/layout.hpp"
#include "kabi/async_fd.hpp"

using namespace kdevx;
using namespace kdevx::mlx5dv;
using namespace kdevx::uverbs;

namespace {

using channel = kdevx::mlx5dv::event_channel;

result<void> subscribe(const channel &ch, const mlx5dv_devx_obj *obj, const core::subscription &s) {
    return core::subscribe(file_of(ch.context), ch.shown.fd, obj ? &obj->handle : nullptr, s);
}

} // namespace

mlx5dv_devx_event_channel *
mlx5dv_devx_create_event_channel(ibv_context *context,
                                 mlx5dv_devx_create_event_channel_flags flags) {
    call c(function<"mlx5dv_devx_create_event_channel">);
    if (is_elsewhere(context)) return c.pass_on(mlx5dv_devx_create_event_channel, context, flags);
    owned<channel> ch = make_object<channel>();
    if (!ch) return c.none(ENOMEM);
    ch->context = context;
    result<void> r = invoke<kabi::async_event_fd::alloc>(
        file_of(context), make_fd<"MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE">(ch->shown.fd),
        kdevx::uverbs::flags<"MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS">(std::uint32_t(flags)));
    if (!r) return c.none(r);
    return c.made(&ch.disown()->shown);
}

void mlx5dv_devx_destroy_event_channel(mlx5dv_devx_event_channel *event_channel) {
    call c(function<"mlx5dv_devx_destroy_event_channel">);
    c.ended(-sys::make(nullptr)->close(event_channel->fd));
    end_object(whole<channel>(event_channel));
}

int mlx5dv_devx_subscribe_devx_event(mlx5dv_devx_event_channel *event_channel, mlx5dv_devx_obj *obj,
                                     std::uint16_t events_sz, std::uint16_t events_num[],
                                     std::uint64_t cookie) {
    call c(function<"mlx5dv_devx_subscribe_devx_event">);
    core::subscription s;
    s.types = {events_num, events_sz / sizeof *events_num};
    s.cookie = cookie;
    return c.ended(subscribe(*whole<channel>(event_channel), obj, s));
}

int mlx5dv_devx_subscribe_devx_event_fd(mlx5dv_devx_event_channel *event_channel, int fd,
                                        mlx5dv_devx_obj *obj, std::uint16_t event_num) {
    call c(function<"mlx5dv_devx_subscribe_devx_event_fd">);
    if (fd < 0) return c.ended(EBADF);
    core::subscription s;
    s.types = {&event_num, 1};
    s.eventfd = fd;
    return c.ended(subscribe(*whole<channel>(event_channel), obj, s));
}

ssize_t mlx5dv_devx_get_event(mlx5dv_devx_event_channel *event_channel,
                              mlx5dv_devx_async_event_hdr *event_data, std::size_t event_resp_len) {
    call c(function<"mlx5dv_devx_get_event">);
    std::int64_t n = sys::make(nullptr)->read(event_channel->fd, event_data, event_resp_len);
    if (n < 0) return c.ended(int(-n)), -1;
    c.ended(0);
    return ssize_t(n);
}
