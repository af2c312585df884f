// SPDX-License-Identifier: MIT
// list, probe and the choice of a device on machines that consist of a few files.
#include "tool.hpp"

#include <filesystem>
#include <fstream>

using namespace test;
using kdevx::tool::exit_code;
namespace fs = std::filesystem;

namespace {

// A sysfs and a /dev/infiniband under one temporary directory.
class machine {
    fs::path root_;

public:
    machine() {
        char path[] = "/tmp/kdevx-machine-XXXXXX";
        REQUIRE(mkdtemp(path));
        root_ = path;
        fs::create_directories(root_ / "sys/class");
        fs::create_directories(root_ / "sys/bus/pci/devices");
        fs::create_directories(root_ / "dev");
    }
    machine(const machine &) = delete;
    ~machine() { fs::remove_all(root_); }

    std::string dev() const { return root_ / "dev"; }
    outcome run(const std::vector<std::string> &arguments) const {
        return tool_in(root_ / "sys", dev(), arguments);
    }

    void write(const std::string &file, const std::string &content) const {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << content << '\n';
    }
    void adapter(const std::string &address, const char *driver = nullptr) const {
        std::string at = "sys/bus/pci/devices/" + address;
        write(at + "/vendor", "0x15b3");
        write(at + "/class", "0x020000");
        if (!driver) return;
        fs::create_directories(root_ / "sys/bus/pci/drivers" / driver);
        fs::create_directory_symlink(root_ / "sys/bus/pci/drivers" / driver, root_ / at / "driver");
    }
    void ibdev(const std::string &name, const std::string &address) const {
        write("sys/class/infiniband/" + name + "/node_type", "1: CA");
        fs::create_directory_symlink(root_ / "sys/bus/pci/devices" / address,
                                     root_ / "sys/class/infiniband" / name / "device");
    }
    void uverbs(const std::string &uverbs, const std::string &ibdev) const {
        write("sys/class/infiniband_verbs/" + uverbs + "/ibdev", ibdev);
    }
    void node(const std::string &name) const { write("dev/" + name, ""); }

    void whole_device(int n) const {
        std::string number = std::to_string(n), address = "0000:0" + number + ":00.0";
        adapter(address, "mlx5_core");
        ibdev("mlx5_" + number, address);
        uverbs("uverbs" + number, "mlx5_" + number);
        node("uverbs" + number);
    }
};

std::string here(const outcome &o, const std::string &name) {
    auto j = o.json();
    for (const auto &f : j["findings"])
        if (f["name"] == name) return f["here"];
    return "";
}

} // namespace

TEST_CASE("a device is listed with its names, and as JSON", "[cli]") {
    machine m;
    m.whole_device(3);
    outcome o = m.run({"list"});
    CHECK(o.code == exit_code::ok);
    CHECK(o.err.empty());
    CHECK(o.out.find("DEVICE  NODE") == 0);
    CHECK(o.prints("mlx5_3"));
    CHECK(o.prints("0000:03:00.0"));
    auto j = m.run({"list", "--json"}).json();
    REQUIRE(j["devices"].size() == 1);
    CHECK(j["devices"][0]["name"] == "mlx5_3");
    CHECK(j["devices"][0]["node"] == m.dev() + "/uverbs3");
    CHECK(j["devices"][0]["usable"] == true);
}

TEST_CASE("without a device list ends with 3 and names the layer", "[cli]") {
    machine m;
    outcome none = m.run({"list"});
    CHECK(none.code == exit_code::no_device);
    CHECK(none.out.empty());
    CHECK(none.says("PCI is missing"));
    m.adapter("0000:01:00.0");
    CHECK(m.run({"list"}).says("MLX5_CORE is missing"));
    m.adapter("0000:02:00.0", "mlx5_core");
    outcome o = m.run({"list", "--json"});
    CHECK(o.json()["error"]["cause"] == "MLX5_IB");
    CHECK(o.json()["error"]["hint"].get<std::string>().find("mlx5_ib") != std::string::npos);
}

TEST_CASE("probe walks the layers: below the missing one yes, above it unknown", "[cli]") {
    machine m;
    m.adapter("0000:01:00.0", "mlx5_core");
    outcome o = m.run({"probe", "--json"});
    CHECK(o.code == exit_code::no_device);
    CHECK(here(o, "PCI") == "yes");
    CHECK(here(o, "MLX5_CORE") == "yes");
    CHECK(here(o, "MLX5_IB") == "no");
    CHECK(here(o, "NODE") == "unknown");
    CHECK(o.json()["devx"] == false);
    CHECK(o.json()["error"]["cause"] == "MLX5_IB");
}

TEST_CASE("a device that lacks uverbs or its node is found, and is no use", "[cli]") {
    machine m;
    m.adapter("0000:01:00.0", "mlx5_core");
    m.ibdev("mlx5_0", "0000:01:00.0");
    outcome o = m.run({"probe"});
    CHECK(o.code == exit_code::no_devx);
    CHECK(o.says("IB_UVERBS is missing"));
    CHECK(o.prints("IB_UVERBS"));
    m.uverbs("uverbs0", "mlx5_0");
    outcome node = m.run({"probe", "--json"});
    CHECK(node.code == exit_code::no_devx);
    CHECK(here(node, "IB_UVERBS") == "yes");
    CHECK(here(node, "NODE") == "no");
    CHECK(m.run({"caps"}).code != exit_code::ok);
}

TEST_CASE("a node that is no uverbs device is told as such", "[cli]") {
    machine m;
    m.whole_device(0);
    outcome o = m.run({"caps"});
    CHECK(o.code == exit_code::no_device);
    CHECK(o.out.empty());
    CHECK(o.says("NOT_MLX5"));
    CHECK(m.run({"caps", "--json"}).json()["error"]["cause"] == "NOT_MLX5");
}

TEST_CASE("of several devices one has to be named", "[cli]") {
    machine m;
    m.whole_device(0);
    m.whole_device(1);
    outcome o = m.run({"cmd", "QUERY_HCA_CAP"});
    CHECK(o.code == exit_code::no_device);
    CHECK(o.says("mlx5_0"));
    CHECK(o.says("mlx5_1"));
    CHECK(o.says("--device"));
    for (const std::string &name :
         {std::string("mlx5_1"), std::string("uverbs1"), m.dev() + "/uverbs1"})
        CHECK(m.run({"cmd", "QUERY_HCA_CAP", "--device", name}).says("opening mlx5_1"));
    CHECK(m.run({"--device", "mlx5_7", "demo"}).says("no mlx5 device is called mlx5_7"));
}

TEST_CASE("a node without sysfs is a device too", "[cli]") {
    machine m;
    m.node("uverbs5");
    auto j = m.run({"list", "--json"}).json();
    REQUIRE(j["devices"].size() == 1);
    CHECK(j["devices"][0]["name"] == "");
    CHECK(j["devices"][0]["node"] == m.dev() + "/uverbs5");
    CHECK(m.run({"caps"}).says("opening " + m.dev() + "/uverbs5"));
}
