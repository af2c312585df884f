// SPDX-License-Identifier: MIT
// Devices: which there are, and their contexts.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "compat/mlx5dv/uar.hpp"
#include "compat/verbs/ops.hpp"
#include "compat/verbs/waiting.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

namespace {

// Its address tells a device of ours.
void known_by(ibv_context *) {}

bool is_our_device(const ibv_device *d) {
    return d->_ops._dummy2 == known_by;
}

void drop(device *d) {
    if (d->users.fetch_sub(1) == 1) end(d);
}

void copy(char *to, std::size_t size, const char *prefix, const char *text) {
    std::snprintf(to, size, "%s%s", prefix, text);
}

device *describe(const kdevx_device &from) {
    owned<device> d = make<device>();
    if (!d) return nullptr;
    const char *slash = std::strrchr(from.node, '/');
    const char *node = slash ? slash + 1 : from.node;
    d->shown._ops._dummy2 = known_by;
    d->shown.node_type = from.node_type ? ibv_node_type(from.node_type) : IBV_NODE_CA;
    d->shown.transport_type = IBV_TRANSPORT_IB;
    copy(d->shown.name, sizeof d->shown.name, "", *from.name ? from.name : node);
    copy(d->shown.dev_name, sizeof d->shown.dev_name, "", node);
    copy(d->shown.dev_path, sizeof d->shown.dev_path, "/sys/class/infiniband_verbs/", node);
    copy(d->shown.ibdev_path, sizeof d->shown.ibdev_path, "/sys/class/infiniband/", from.name);
    copy(d->node, sizeof d->node, "", from.node);
    d->users = 1;
    return d.disown();
}

// One that this process may not open is listed, as by libibverbs: opening it tells why.
bool is_listed(const kdevx_device &d) {
    return *d.node && (d.missing == KDEVX_LAYER_NONE || d.missing == KDEVX_LAYER_PERMISSION);
}

int fill(ibv_device **list, const kdevx_device_list *from) {
    int n = 0;
    for (std::size_t i = 0; i < kdevx_device_list_count(from); ++i) {
        const kdevx_device &each = *kdevx_device_list_at(from, i);
        if (!is_listed(each)) continue;
        device *d = describe(each);
        if (!d) return -1;
        list[n++] = &d->shown;
    }
    return n;
}

kdevx_open_options options(std::uint32_t devx) {
    kdevx_open_options o = sized<kdevx_open_options>();
    o.devx = devx;
    return o;
}

void describe(context &c, device &d) {
    kdevx_context_info info = sized<kdevx_context_info>();
    kdevx_context_get_info(c.own, &info, nullptr);
    c.shown.device = &d.shown;
    c.shown.ops = operations();
    c.shown.cmd_fd = info.fd;
    c.shown.num_comp_vectors = int(info.num_comp_vectors);
    c.shown.async_fd = kdevx_async_fd_fd(c.async);
    let_user_decide(c.shown.async_fd);
    pthread_mutex_init(&c.shown.mutex, nullptr);
    c.shown.abi_compat = const_cast<char *>(&mark);
    d.users.fetch_add(1);
}

ibv_context *open(attempt &a, ibv_device *shown, const kdevx_open_options &o) {
    if (!is_our_device(shown)) {
        a.refused(EXDEV, KDEVX_CAUSE_INVALID, "device of another library");
        return nullptr;
    }
    owned<context> c = make<context>();
    if (!c) return a.no_memory(), nullptr;
    if (!a.good(kdevx_context_open_path(ours(shown)->node, &o, &c->own, a))) return nullptr;
    if (!a.good(kdevx_async_fd_create(c->own, &c->async, a))) {
        kdevx_context_close(c->own);
        return nullptr;
    }
    describe(*c, *ours(shown));
    return &c.disown()->shown;
}

bool is_known(const mlx5dv_context_attr &attr) {
    return !(attr.flags & ~std::uint32_t(MLX5DV_CONTEXT_FLAGS_DEVX)) &&
           !(attr.comp_mask & ~std::uint64_t(MLX5DV_CONTEXT_ATTR_MASK_FD_ARRAY));
}

} // namespace

ibv_device **ibv_get_device_list(int *num_devices) {
    attempt a;
    kdevx_device_list *found = nullptr;
    if (num_devices) *num_devices = 0;
    if (!a.good(kdevx_device_list_get(nullptr, &found, a))) return nullptr;
    const std::size_t most = kdevx_device_list_count(found) + 1;
    auto **list = static_cast<ibv_device **>(std::calloc(most, sizeof(ibv_device *)));
    const int n = list ? fill(list, found) : -1;
    kdevx_device_list_free(found);
    if (n < 0) {
        if (list) ibv_free_device_list(list);
        return a.no_memory(), nullptr;
    }
    if (num_devices) *num_devices = n;
    return list;
}

void ibv_free_device_list(ibv_device **list) {
    for (ibv_device **each = list; *each; ++each)
        drop(ours(*each));
    std::free(list);
}

const char *ibv_get_device_name(ibv_device *device) {
    return device->name;
}

ibv_context *ibv_open_device(ibv_device *device) {
    attempt a;
    return open(a, device, options(KDEVX_DEVX_TRY));
}

ibv_context *mlx5dv_open_device(ibv_device *device, mlx5dv_context_attr *attr) {
    attempt a;
    if (!attr) return ibv_open_device(device);
    if (!is_known(*attr)) return a.invalid("attr"), nullptr;
    kdevx_open_options o =
        options(attr->flags & MLX5DV_CONTEXT_FLAGS_DEVX ? KDEVX_DEVX_REQUIRE : KDEVX_DEVX_TRY);
    if (attr->comp_mask & MLX5DV_CONTEXT_ATTR_MASK_FD_ARRAY) {
        o.ucap_fds = attr->fds->arr;
        o.ucap_count = attr->fds->count;
    }
    return open(a, device, o);
}

bool mlx5dv_is_supported(ibv_device *device) {
    return is_our_device(device);
}

int ibv_close_device(ibv_context *context) {
    attempt a;
    if (!a.takes(context)) return -1;
    mlx5dv::drop_pages(context);
    verbs::context *c = ours(context);
    kdevx_context_close(c->own);
    pthread_mutex_destroy(&context->mutex);
    drop(ours(context->device));
    end(c);
    return 0;
}
