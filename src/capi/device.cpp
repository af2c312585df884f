// SPDX-License-Identifier: MIT
#include <kdevx/device.h>
#include <kdevx/kdevx.h>

#include "capi/convert.hpp"
#include "uverbs/discovery.hpp"

using namespace kdevx;
using namespace kdevx::capi;

namespace {

uverbs::device_list *from(kdevx_device_list *l) {
    return reinterpret_cast<uverbs::device_list *>(l);
}
const uverbs::device_list *from(const kdevx_device_list *l) {
    return reinterpret_cast<const uverbs::device_list *>(l);
}

struct layer_row {
    kdevx_layer layer;
    const char *name;
    const char *hint;
};
constexpr layer_row layers[] = {
    {KDEVX_LAYER_NONE, "NONE", ""},
    {KDEVX_LAYER_PCI, "PCI",
     "No Mellanox network adapter is on the PCI bus of this machine (or passed to this guest)."},
    {KDEVX_LAYER_MLX5_CORE, "MLX5_CORE",
     "Load the driver mlx5_core, or bind it to the adapter; the kernel log says why it did not."},
    {KDEVX_LAYER_MLX5_IB, "MLX5_IB",
     "Load the driver mlx5_ib; for an Ethernet adapter RDMA (roce) may be disabled for the "
     "device."},
    {KDEVX_LAYER_IB_UVERBS, "IB_UVERBS", "Load the module ib_uverbs."},
    {KDEVX_LAYER_NODE, "NODE", "Give this container or chroot the node /dev/infiniband/uverbsN."},
    {KDEVX_LAYER_PERMISSION, "PERMISSION",
     "Give this user read and write access to the node, and its cgroup access to the device."},
    {KDEVX_LAYER_SYSFS, "SYSFS",
     "Mount sysfs, or give this container nodes in /dev/infiniband; then open one by its path."},
};

const layer_row *layer_row_of(std::uint32_t layer) {
    for (const layer_row &r : layers)
        if (r.layer == layer) return &r;
    return nullptr;
}

} // namespace

int kdevx_device_list_get(const kdevx_device_list_options *options, kdevx_device_list **list,
                          kdevx_failure *why) noexcept {
    if (!list) return kdevx::deliver(invalid("list"), why);
    result<uverbs::device_list *> r = uverbs::list_devices(options);
    if (!r) return kdevx::deliver(r.failure(), why);
    *list = reinterpret_cast<kdevx_device_list *>(*r);
    return 0;
}

void kdevx_device_list_free(kdevx_device_list *list) noexcept {
    if (list) from(list)->free();
}

std::size_t kdevx_device_list_count(const kdevx_device_list *list) noexcept {
    return list ? from(list)->devices().size() : 0;
}

const kdevx_device *kdevx_device_list_at(const kdevx_device_list *list,
                                         std::size_t index) noexcept {
    return index < kdevx_device_list_count(list) ? &from(list)->devices()[index] : nullptr;
}

std::uint32_t kdevx_device_list_missing(const kdevx_device_list *list) noexcept {
    return list ? from(list)->missing() : std::uint32_t(KDEVX_LAYER_NONE);
}

const char *kdevx_layer_name(std::uint32_t layer) noexcept {
    const layer_row *r = layer_row_of(layer);
    return r ? r->name : "UNKNOWN";
}

const char *kdevx_layer_hint(std::uint32_t layer) noexcept {
    const layer_row *r = layer_row_of(layer);
    return r ? r->hint : "";
}

#define TEXT(x) #x
#define VERSION(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)
const char *kdevx_version() noexcept {
    return VERSION(KDEVX_VERSION_MAJOR, KDEVX_VERSION_MINOR, KDEVX_VERSION_PATCH);
}
