// SPDX-License-Identifier: MIT
#include "uverbs/discovery.hpp"

#include <cstdlib>

#include <unistd.h>

#include "base/options.hpp"
#include "uverbs/directory.hpp"

namespace kdevx::uverbs {

bool device_list::add(const kdevx_device &d) noexcept {
    if (count_ == capacity_) {
        std::size_t capacity = capacity_ ? capacity_ * 2 : 4;
        void *block = from_.allocate(from_.arg, capacity * sizeof d);
        if (!block) return false;
        if (count_) std::memcpy(block, devices_, count_ * sizeof d);
        from_.release(from_.arg, devices_);
        devices_ = static_cast<kdevx_device *>(block);
        capacity_ = capacity;
    }
    devices_[count_++] = d;
    return true;
}

void device_list::free() noexcept {
    kdevx::memory m = from_;
    this->~device_list();
    m.release(m.arg, this);
}

namespace {

struct places {
    const char *sysfs, *dev;
    places(const char *s, const char *d) : sysfs(s ? s : "/sys"), dev(d ? d : "/dev/infiniband") {}
};

template <std::size_t N>
void set_text(char (&field)[N], const char *text) {
    std::snprintf(field, N, "%s", text);
}

bool is_uverbs(const char *name) {
    return std::strncmp(name, "uverbs", 6) == 0;
}

// The uverbsN of an ibdev, in a directory of them.
bool find_uverbs_in(const sys &s, const char *place, const char *ibdev, char (&uverbs)[64]) {
    directory d(s, place);
    while (const char *name = d.next()) {
        char of[64];
        set_text(uverbs, name);
        if (is_uverbs(name) && read_line(s, path("%s/%s/ibdev", place, name), of) &&
            std::strcmp(of, ibdev) == 0)
            return true;
    }
    return false;
}

// Its own function has one or a few; of the whole machine there may be many. A container may show
// the latter only.
bool find_uverbs(const sys &s, const places &at, const char *ibdev, char (&uverbs)[64]) {
    const path own("%s/class/infiniband/%s/device/infiniband_verbs", at.sysfs, ibdev);
    const path all("%s/class/infiniband_verbs", at.sysfs);
    return find_uverbs_in(s, own, ibdev, uverbs) || find_uverbs_in(s, all, ibdev, uverbs);
}

std::uint32_t missing_of_node(const sys &s, const char *node) {
    if (s.access(node, F_OK) < 0) return KDEVX_LAYER_NODE;
    return s.access(node, R_OK | W_OK) < 0 ? KDEVX_LAYER_PERMISSION : KDEVX_LAYER_NONE;
}

kdevx_device look_at(const sys &s, const places &at, const char *ibdev) {
    kdevx_device d{};
    char text[64];
    set_text(d.name, ibdev);
    read_link_name(s, path("%s/class/infiniband/%s/device/driver", at.sysfs, ibdev), d.driver);
    read_link_name(s, path("%s/class/infiniband/%s/device", at.sysfs, ibdev), d.bus_address);
    if (read_line(s, path("%s/class/infiniband/%s/node_type", at.sysfs, ibdev), text))
        d.node_type = std::uint32_t(std::atoi(text));
    d.is_mlx5 = std::strncmp(d.driver, "mlx5_core", 9) == 0;
    if (!find_uverbs(s, at, ibdev, text)) {
        d.missing = KDEVX_LAYER_IB_UVERBS;
        return d;
    }
    set_text(d.node, path("%s/%s", at.dev, text));
    d.missing = missing_of_node(s, d.node);
    return d;
}

bool add_from_sysfs(const sys &s, const places &at, bool all, device_list &list) {
    directory d(s, path("%s/class/infiniband", at.sysfs));
    while (const char *name = d.next()) {
        char ibdev[64]; // the directory's buffer is used on for nothing else, but may be refilled
        set_text(ibdev, name);
        kdevx_device found = look_at(s, at, ibdev);
        if ((found.is_mlx5 || all) && !list.add(found)) return false;
    }
    return true;
}

bool sysfs_knows(const sys &s, const places &at, const char *uverbs) {
    return s.access(path("%s/class/infiniband_verbs/%s", at.sysfs, uverbs), F_OK) == 0;
}

// Nodes that sysfs does not show: whose they are is seen only when one is opened.
bool add_from_nodes(const sys &s, const places &at, device_list &list) {
    directory d(s, at.dev);
    while (const char *name = d.next()) {
        if (!is_uverbs(name) || sysfs_knows(s, at, name)) continue;
        kdevx_device found{};
        set_text(found.node, path("%s/%s", at.dev, name));
        found.missing = missing_of_node(s, found.node);
        if (!list.add(found)) return false;
    }
    return true;
}

bool is_mellanox_network(const sys &s, const places &at, const char *function) {
    char vendor[16], type[16];
    return read_line(s, path("%s/bus/pci/devices/%s/vendor", at.sysfs, function), vendor) &&
           std::strcmp(vendor, "0x15b3") == 0 &&
           read_line(s, path("%s/bus/pci/devices/%s/class", at.sysfs, function), type) &&
           std::strncmp(type, "0x02", 4) == 0; // network controllers
}

// Why there is no InfiniBand device of mlx5 at all.
std::uint32_t missing_below(const sys &s, const places &at) {
    directory d(s, path("%s/bus/pci/devices", at.sysfs));
    if (!d && !directory(s, path("%s/class", at.sysfs))) return KDEVX_LAYER_SYSFS;
    std::uint32_t missing = KDEVX_LAYER_PCI;
    while (const char *name = d.next()) {
        char driver[32];
        if (!is_mellanox_network(s, at, name)) continue;
        read_link_name(s, path("%s/bus/pci/devices/%s/driver", at.sysfs, name), driver);
        if (std::strcmp(driver, "mlx5_core") == 0) return KDEVX_LAYER_MLX5_IB;
        missing = KDEVX_LAYER_MLX5_CORE;
    }
    return missing;
}

// The device that is nearest to being usable speaks for all.
std::uint32_t missing_of(const sys &s, const places &at, const device_list &list) {
    std::uint32_t nearest = 0;
    for (const kdevx_device &d : list.devices()) {
        if (d.missing == KDEVX_LAYER_NONE) return KDEVX_LAYER_NONE;
        nearest = d.missing > nearest ? d.missing : nearest;
    }
    return nearest ? nearest : missing_below(s, at);
}

} // namespace

result<device_list *> list_devices(const kdevx_device_list_options *given) noexcept {
    result<kdevx_device_list_options> options = read_options(given, "options");
    if (!options) return options.failure();
    result<sys> s = sys::make(options->sys);
    if (!s) return s.failure();
    places at(options->sysfs, options->dev);
    owned<device_list> list = make_owned<device_list>(s->memory(), s->memory());
    if (!list) return no_memory("list");
    if (!add_from_sysfs(*s, at, options->all_drivers, *list) || !add_from_nodes(*s, at, *list))
        return no_memory("list");
    list->set_missing(missing_of(*s, at, *list));
    return list.disown();
}

result<void> find_node(const sys &s, const char *sysfs, const char *dev, const char *ibdev,
                       char (&node)[sizeof(kdevx_device::node)]) noexcept {
    if (!ibdev || !*ibdev || std::strchr(ibdev, '/')) return invalid("ibdev");
    places at(sysfs, dev);
    char uverbs[64];
    if (!find_uverbs(s, at, ibdev, uverbs)) return fail(KDEVX_CAUSE_NO_DEVICE, ENOENT, "ibdev");
    set_text(node, path("%s/%s", at.dev, uverbs));
    return {};
}

} // namespace kdevx::uverbs
