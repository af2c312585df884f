// SPDX-License-Identifier: MIT
// Discovery over made-up trees of sysfs and of device nodes.
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "../catch.hpp"

#include <kdevx/kdevx.h>

namespace fs = std::filesystem;

namespace {

struct machine {
    fs::path root = fs::temp_directory_path() / ("kdevx-discovery-" + std::to_string(::getpid()));
    std::string sysfs = root / "sys", dev = root / "dev";
    kdevx_device_list *list = nullptr;

    machine() {
        fs::remove_all(root);
        fs::create_directories(root / "dev");
        fs::create_directories(root / "sys/class/infiniband");
        fs::create_directories(root / "sys/class/infiniband_verbs");
        fs::create_directories(root / "sys/bus/pci/devices");
    }
    ~machine() {
        kdevx_device_list_free(list);
        fs::remove_all(root);
    }
    void write(const fs::path &path, const std::string &text) {
        fs::create_directories((root / path).parent_path());
        std::ofstream(root / path) << text << "\n";
    }
    void link(const fs::path &path, const fs::path &target) {
        fs::create_directories((root / path).parent_path());
        fs::create_symlink(target, root / path);
    }
    void pci(const std::string &address, const std::string &vendor, const std::string &type,
             const std::string &driver) {
        fs::path d = "sys/bus/pci/devices/" + address;
        write(d / "vendor", vendor);
        write(d / "class", type);
        if (!driver.empty()) link(d / "driver", "../../drivers/" + driver);
    }
    void ibdev(const std::string &name, const std::string &driver, const std::string &bus) {
        fs::path d = "sys/class/infiniband/" + name;
        write(d / "node_type", "1: CA");
        fs::create_directories(root / "sys/devices" / bus);
        link(d / "device", root / "sys/devices" / bus);
        link(fs::path("sys/devices") / bus / "driver", "/x/drivers/" + driver);
    }
    void uverbs(const std::string &node, const std::string &ibdev_name) {
        write("sys/class/infiniband_verbs/" + node + "/ibdev", ibdev_name);
    }
    std::size_t find(bool all = false) {
        kdevx_device_list_options o{};
        o.size = sizeof o;
        o.sysfs = sysfs.c_str();
        o.dev = dev.c_str();
        o.all_drivers = all;
        kdevx_device_list_free(list);
        list = nullptr;
        REQUIRE(kdevx_device_list_get(&o, &list, nullptr) == 0);
        return kdevx_device_list_count(list);
    }
    const kdevx_device &at(std::size_t i) { return *kdevx_device_list_at(list, i); }
    std::string missing() { return kdevx_layer_name(kdevx_device_list_missing(list)); }
};

} // namespace

TEST_CASE("an empty list has its reason, layer by layer") {
    machine m;
    CHECK(m.find() == 0);
    CHECK(m.missing() == "PCI");
    m.pci("0000:01:00.0", "0x8086", "0x020000", "e1000e");
    m.pci("0000:02:00.0", "0x15b3", "0x060400", "pcieport"); // its bridge is no adapter
    CHECK(m.find() == 0);
    CHECK(m.missing() == "PCI");
    m.pci("0000:03:00.0", "0x15b3", "0x020000", "");
    CHECK(m.find() == 0);
    CHECK(m.missing() == "MLX5_CORE");
    m.link("sys/bus/pci/devices/0000:03:00.0/driver", "../../drivers/mlx5_core");
    CHECK(m.find() == 0);
    CHECK(m.missing() == "MLX5_IB");
    m.ibdev("mlx5_0", "mlx5_core", "0000:03:00.0");
    CHECK(m.find() == 1);
    CHECK(m.missing() == "IB_UVERBS");
    CHECK(std::string(m.at(0).node) == "");
    m.uverbs("uverbs0", "mlx5_0");
    CHECK(m.find() == 1);
    CHECK(m.missing() == "NODE");
    m.write("dev/uverbs0", "");
    CHECK(m.find() == 1);
    CHECK(m.missing() == "NONE");
    CHECK(std::string(m.at(0).name) == "mlx5_0");
    CHECK(std::string(m.at(0).node) == m.dev + "/uverbs0");
    CHECK(std::string(m.at(0).driver) == "mlx5_core");
    CHECK(std::string(m.at(0).bus_address) == "0000:03:00.0");
    CHECK(m.at(0).node_type == 1);
    CHECK(m.at(0).is_mlx5 == 1);
    CHECK(m.at(0).missing == KDEVX_LAYER_NONE);
    CHECK(kdevx_device_list_at(m.list, 1) == nullptr);
    fs::remove_all(m.root);
    CHECK(m.find() == 0);
    CHECK(m.missing() == "SYSFS");
}

TEST_CASE("a node that may not be opened is told apart from one that is not there") {
    machine m;
    m.ibdev("mlx5_0", "mlx5_core", "0000:03:00.0");
    m.uverbs("uverbs0", "mlx5_0");
    m.write("dev/uverbs0", "");
    kdevx_sys s{};
    s.size = sizeof s;
    s.access = [](void *, const char *, int mode) { return mode == F_OK ? 0 : -EACCES; };
    kdevx_device_list_options o{};
    o.size = sizeof o;
    o.sysfs = m.sysfs.c_str();
    o.dev = m.dev.c_str();
    o.sys = &s;
    REQUIRE(kdevx_device_list_get(&o, &m.list, nullptr) == 0);
    CHECK(m.missing() == "PERMISSION");
}

TEST_CASE("two devices, a scalable function, and another driver's") {
    machine m;
    m.ibdev("mlx5_0", "mlx5_core", "0000:03:00.0");
    m.ibdev("mlx5_2", "mlx5_core.sf", "mlx5_core.sf.4");
    m.ibdev("rxe0", "", "virtual");
    m.uverbs("uverbs0", "rxe0");
    m.uverbs("uverbs1", "mlx5_2");
    m.uverbs("uverbs2", "mlx5_0");
    for (const char *node : {"dev/uverbs0", "dev/uverbs1", "dev/uverbs2", "dev/rdma_cm"})
        m.write(node, "");
    CHECK(m.find() == 2);
    CHECK(m.find(true) == 3);
    unsigned mlx5 = 0, right = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        mlx5 += m.at(i).is_mlx5;
        std::string name = m.at(i).name, node = m.at(i).node;
        right += (name == "mlx5_0" && node.ends_with("uverbs2")) ||
                 (name == "mlx5_2" && node.ends_with("uverbs1")) ||
                 (name == "rxe0" && node.ends_with("uverbs0"));
    }
    CHECK(mlx5 == 2);
    CHECK(right == 3);
}

TEST_CASE("nodes without sysfs are listed, unnamed") {
    machine m;
    fs::remove_all(m.root / "sys");
    m.write("dev/uverbs3", "");
    CHECK(m.find() == 1);
    CHECK(std::string(m.at(0).name) == "");
    CHECK(std::string(m.at(0).node) == m.dev + "/uverbs3");
    CHECK(m.missing() == "NONE");
}

TEST_CASE("more devices than one read of a directory") {
    machine m;
    for (unsigned i = 0; i < 150; ++i) {
        std::string n = std::to_string(i);
        m.ibdev("mlx5_" + n, "mlx5_core", "0000:03:00." + n);
        m.uverbs("uverbs" + n, "mlx5_" + n);
        m.write("dev/uverbs" + n, "");
    }
    // Longer than any name that the kernel gives: not a device.
    m.ibdev(std::string(200, 'x'), "mlx5_core", "0000:04:00.0");
    CHECK(m.find() == 150);
}

TEST_CASE("opening by name takes the node that sysfs tells, and a name that is none is told") {
    machine m;
    m.ibdev("mlx5_0", "mlx5_core", "0000:03:00.0");
    m.uverbs("uverbs7", "mlx5_0");
    kdevx_open_options o{};
    o.size = sizeof o;
    o.sysfs = m.sysfs.c_str();
    o.dev = m.dev.c_str();
    kdevx_context *c = nullptr;
    kdevx_failure why{};
    CHECK(kdevx_context_open("mlx5_1", &o, &c, &why) == -ENOENT);
    CHECK(why.cause == KDEVX_CAUSE_NO_DEVICE);
    CHECK(std::string(why.step) == "ibdev");
    CHECK(kdevx_context_open("mlx5_0", &o, &c, &why) == -ENOENT); // there is no node
    CHECK(why.cause == KDEVX_CAUSE_NO_DEVICE);
    CHECK(std::string(why.step) == "open");
    m.write("dev/uverbs7", "");
    kdevx_sys sys{};
    sys.size = sizeof sys;
    sys.ioctl = [](void *, int, unsigned long, void *) { return -ENOTTY; }; // of a plain file
    o.sys = &sys;
    CHECK(kdevx_context_open("mlx5_0", &o, &c, &why) == -ENOTTY);
    CHECK(why.cause == KDEVX_CAUSE_NOT_MLX5);
}

TEST_CASE("a device's node is looked for beside the device, and then among all of them") {
    machine m;
    m.ibdev("mlx5_0", "mlx5_core", "0000:03:00.0");
    m.ibdev("mlx5_1", "mlx5_core", "0000:03:00.1");
    const fs::path beside = "sys/devices/0000:03:00.1/infiniband_verbs";
    m.write(beside / "uverbs6/ibdev", "mlx5_9"); // another one of the same function
    m.write(beside / "uverbs7/ibdev", "mlx5_1");
    m.uverbs("uverbs0", "mlx5_0");
    m.uverbs("uverbs3", "mlx5_1"); // so it would be told apart
    REQUIRE(m.find() == 2);
    for (std::size_t i = 0; i < 2; ++i)
        CHECK(std::string(m.at(i).node) ==
              m.dev + (m.at(i).name == std::string("mlx5_0") ? "/uverbs0" : "/uverbs7"));
}
