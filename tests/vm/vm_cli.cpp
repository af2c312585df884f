// SPDX-License-Identifier: MIT
// The command line tool on the real kernel: each command as its user types it.
#include "events.hpp"
#include "program.hpp"

#include "kdevx/prm/caps_general.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kdevx;
using namespace kdevx::vm;
using nlohmann::json;

namespace {

std::vector<std::string> about(const device &d, std::vector<std::string> words) {
    words.insert(words.begin(), {"kdevx", "--device", d.name});
    return words;
}
said tool_on(const device &d, const std::vector<std::string> &words) {
    return run_program(about(d, words));
}
said tool(const std::vector<std::string> &words) {
    return tool_on(under_test(), words);
}

json json_of(const said &s) {
    INFO(s.out << s.err);
    return json::parse(s.out);
}

bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

std::string found(const json &report, const std::string &what, const std::string &name) {
    for (const json &f : report["findings"])
        if (f["what"] == what && f["name"] == name) return f["here"];
    return "";
}

unsigned contexts() {
    json j = json_of(tool({"top", "--count", "1", "--json"}));
    return j["total"]["ctx"];
}

} // namespace

TEST_CASE("kdevx list: every device of sysfs, with what netlink adds", "[cli]") {
    said s = run_program({"kdevx", "list", "--json"});
    CHECK(s.status == 0);
    CHECK(s.err.empty());
    json j = json_of(s);
    REQUIRE(j["devices"].size() == devices().size());
    CHECK_FALSE(j.contains("no_netlink"));
    for (const device &d : devices()) {
        const auto &all = j["devices"];
        auto it =
            std::find_if(all.begin(), all.end(), [&](auto &x) { return x["name"] == d.name; });
        REQUIRE(it != all.end());
        CHECK((*it)["node"] == d.node);
        CHECK((*it)["bus_address"] == d.bus);
        CHECK((*it)["usable"] == true);
        CHECK((*it)["firmware"] == read_file("/sys/class/infiniband/" + d.name + "/fw_ver"));
        CHECK((*it)["node_guid"] == read_file("/sys/class/infiniband/" + d.name + "/node_guid"));
        CHECK(has(run_program({"kdevx", "list"}).out, d.name));
    }
}

TEST_CASE("kdevx probe: methods by kernel, rights of root, and nothing is left behind", "[cli]") {
    unsigned before = contexts();
    said s = tool({"probe", "--json"});
    CHECK(s.status == 0);
    json j = json_of(s);
    CHECK(j["devx"] == true);
    for (const char *layer :
         {"PCI", "MLX5_CORE", "MLX5_IB", "IB_UVERBS", "NODE", "PERMISSION", "DEVX_UID"})
        CHECK(found(j, "LAYER", layer) == "yes");
    const std::string create = "MLX5_IB_OBJECT_DEVX_OBJ.MLX5_IB_METHOD_DEVX_OBJ_CREATE";
    CHECK(found(j, "METHOD", create) == "yes");
    const std::string speed = "UVERBS_OBJECT_DEVICE.UVERBS_METHOD_QUERY_PORT_SPEED";
    CHECK(found(j, "METHOD", speed) == (kernel() >= version{7, 2} ? "yes" : "no"));
    CHECK(contexts() == before);
}

TEST_CASE("kdevx probe --attributes: a line for each attribute of each method there is", "[cli]") {
    json j = json_of(tool({"probe", "--attributes", "--json"}));
    CHECK(found(j, "ATTR", "MLX5_IB_METHOD_DEVX_UMEM_REG.MLX5_IB_ATTR_DEVX_UMEM_REG_PGSZ_BITMAP") ==
          "yes");
    json fewer = json_of(tool({"probe", "--json"}));
    CHECK(j["findings"].size() > fewer["findings"].size() + 100);
}

TEST_CASE("kdevx probe names firmware without user contexts", "[cli][no-uctx]") {
    said s = tool_on(without_uctx(), {"probe", "--json"});
    CHECK(s.status == 4);
    CHECK(has(s.err, "FIRMWARE_NO_UCTX"));
    json j = json_of(s);
    CHECK(j["devx"] == false);
    CHECK(j["error"]["cause"] == "FIRMWARE_NO_UCTX");
    CHECK(found(j, "LAYER", "PERMISSION") == "yes");
    CHECK(found(j, "LAYER", "DEVX_UID") == "no");
    CHECK(found(j, "METHOD", "MLX5_IB_OBJECT_DEVX.MLX5_IB_METHOD_DEVX_OTHER") == "no");
    CHECK(found(j, "METHOD", "MLX5_IB_OBJECT_UAR.MLX5_IB_METHOD_UAR_OBJ_ALLOC") == "yes");
    CHECK(tool_on(without_uctx(), {"demo"}).status == 4);
}

TEST_CASE("kdevx says which permission is missing, and to whom", "[cli]") {
    const device d = under_test();
    REQUIRE(chmod(d.node.c_str(), 0600) == 0);
    const said list = run_program_as_nobody(about(d, {"list"}));
    const said caps = run_program_as_nobody(about(d, {"caps"}));
    const said probe = run_program_as_nobody(about(d, {"probe", "--json"}));
    REQUIRE(chmod(d.node.c_str(), 0666) == 0);
    CHECK(list.status == 0);
    CHECK(has(list.out, "PERMISSION"));
    CHECK(caps.status == 5);
    CHECK(caps.out.empty());
    INFO(caps.err);
    CHECK(has(caps.err, d.name));
    CHECK(has(caps.err, "NO_PERMISSION"));
    CHECK(probe.status == 5);
    CHECK(found(json_of(probe), "LAYER", "PERMISSION") == "no");
    CHECK(run_program_as_nobody(about(d, {"caps"})).status == 0);
}

TEST_CASE("kdevx names the device it cannot find, and those to choose from", "[cli]") {
    const said nowhere = run_program({"kdevx", "--device", "mlx5_77", "caps"});
    CHECK(nowhere.status == 3);
    CHECK(has(nowhere.err, "mlx5_77"));
    const said which = run_program({"kdevx", "caps", "--json"});
    CHECK(which.status == (devices().size() == 1 ? 0 : 3));
    if (devices().size() == 1) return;
    const std::string message = json_of(which)["error"]["message"];
    for (const device &d : devices())
        CHECK(has(message, d.name));
}

TEST_CASE("kdevx explain: what a status and a syndrome mean", "[cli]") {
    const said s = run_program({"kdevx", "explain", "BAD_OP", "0xde0001"});
    CHECK(s.status == 0);
    CHECK(has(s.out, "BAD_OP_ERR"));
    CHECK(has(s.out, "knows no such opcode"));
    CHECK(run_program({"kdevx", "explain", "NO_SUCH"}).status == 2);
    CHECK_FALSE(json_of(run_program({"kdevx", "explain", "2", "--json"})).empty());
}

TEST_CASE("kdevx caps: what the firmware says, by name", "[cli]") {
    exchange x("QUERY_HCA_CAP");
    context_ptr c = open_context();
    REQUIRE(general(c.get(), x.set("op_mod", 1)) == ok);
    unsigned log_max_qp =
        prm::view<prm::cmd_hca_cap>(std::span<const std::byte>(x.out.data() + 0x10, 0x1000))
            .get<"log_max_qp">();
    said s = tool({"caps", "GENERAL"});
    CHECK(s.status == 0);
    CHECK(has(s.out, "\nGENERAL.log_max_qp " + std::to_string(log_max_qp) + "\n"));
    json j = json_of(tool({"caps", "GENERAL", "TLS", "--json"}));
    CHECK(j["GENERAL"]["fields"]["log_max_qp"] == log_max_qp);
    CHECK(j.size() == 2);
    CHECK(tool({"caps"}).status == 0);
}

TEST_CASE("kdevx cmd: sent and decoded, by name and by bytes", "[cli]") {
    said s = tool({"cmd", "QUERY_HCA_CAP", "op_mod=1"});
    CHECK(s.status == 0);
    CHECK(has(s.out, "log_max_qp"));
    json named = json_of(tool({"cmd", "QUERY_ADAPTER", "--json"}));
    json bytes = json_of(tool({"cmd", "--hex", "01010000 00000000 00000000 00000000", "--json"}));
    CHECK(named["out"]["status"]["value"] == 0);
    CHECK(named["out_hex"] == bytes["out_hex"]);
}

TEST_CASE("kdevx cmd: the firmware's no and the kernel's no", "[cli]") {
    // Reaches the firmware, which does not know it.
    said firmware =
        tool({"cmd", "--hex", "0b7f0000 00000000 00000000 00000000", "--out-size", "16", "--json"});
    CHECK(firmware.status == 6);
    json j = json_of(firmware)["error"];
    CHECK(j["cause"] == "FIRMWARE_REFUSED");
    CHECK(j["status"] == 2);
    CHECK(j["syndrome"] == "0x00de0001");
    CHECK(has(firmware.err, "BAD_OP"));
    // ACCESS_REG: the kernel lets it through to nobody.
    said own = tool({"cmd", "--hex", "08050000 00000000 00000000 00000000", "--out-size", "16"});
    CHECK(own.status == 2);
    CHECK(own.out.empty());
    CHECK(has(own.err, "INVALID"));
}

TEST_CASE("kdevx demo: all of it as expected", "[cli]") {
    said s = tool({"demo"});
    INFO(s.out << s.err);
    CHECK(s.status == 0);
    CHECK(has(s.out, "steps as expected: DEVX works on " + under_test().name));
    CHECK(has(s.out, "wr_id in the order of arrival: 1 2 3 4 5 6 7 8"));
    CHECK(s.err.empty());
    json j = json_of(tool({"demo", "--json"}));
    CHECK(j["failures"] == 0);
    CHECK(j["steps"].size() > 12);
}

TEST_CASE("kdevx top: this process and its context", "[cli]") {
    context_ptr c = open_context();
    json j = json_of(tool({"top", "--count", "1", "--objects", "--json"}));
    CHECK(j["device"] == under_test().name);
    unsigned mine = 0;
    for (const json &o : j["owners"])
        if (o["pid"] == getpid()) mine = o["ctx"];
    CHECK(mine == 1);
    bool listed = false;
    for (const json &o : j["objects"])
        listed |= o["kind"] == "ctx" && o["pid"] == getpid();
    CHECK(listed);
    said rounds = tool({"top", "--interval", "0.05", "--count", "2", "--json"});
    INFO(rounds.err << rounds.out);
    CHECK(rounds.status == 0);
    CHECK(std::count(rounds.out.begin(), rounds.out.end(), '\n') == 2);
}

namespace {

std::string field(const char *name, std::uint32_t number) {
    return name + ("=" + std::to_string(number));
}
said ask_me(std::vector<std::string> words) {
    words.insert(words.begin(), {"query", std::to_string(getpid())});
    return tool(words);
}

} // namespace

TEST_CASE("kdevx query: objects of DEVX and of verbs, through the process that has them", "[cli]") {
    bench b;
    verbs v;
    object_ptr counted = b.create(b.cq(7));
    qp_ptr qp = v.make_qp(v.qp_of(KDEVX_QP_RC));
    const std::uint32_t cqn = info_of(counted.get()).device_id & 0xffffff, qpn = info_of(qp).qpn;
    json cq = json_of(ask_me({"QUERY_CQ", field("cqn", cqn), "--json"}));
    CHECK(cq["command"] == "QUERY_CQ");
    CHECK(cq["out"]["cq_context"]["log_cq_size"] == 7);
    const said text = ask_me({"QUERY_QP", field("qpn", qpn)});
    INFO(text.out << text.err);
    CHECK(text.status == 0);
    CHECK(has(text.out, "pd"));
    CHECK(text.err.empty());
    // Both are still ours, and of use.
    exchange x("QUERY_CQ");
    CHECK(query(counted.get(), x.set("cqn", cqn)) == ok);
    look("QUERY_QP", kdevx_qp_devx_query, qp.get());
}

TEST_CASE("kdevx query: what is not there, and who may not", "[cli]") {
    bench b;
    object_ptr cq = b.create(b.cq());
    const std::string number = field("cqn", info_of(cq.get()).device_id & 0xffffff);
    const said none = ask_me({"QUERY_CQ", "cqn=0xffffff", "--json"});
    CHECK(none.status == 1);
    CHECK(json_of(none)["error"]["cause"] == "NO_OBJECT");
    const said file = tool({"query", "1", "QUERY_CQ", number});
    CHECK(file.status == 3);
    CHECK(has(file.err, "process 1 has no file of " + under_test().node));
    CHECK(tool({"query", "4194304", "QUERY_CQ", number}).status == 1);
    const said nobody = run_program_as_nobody(
        about(under_test(), {"query", std::to_string(getpid()), "QUERY_CQ", number}));
    CHECK(nobody.status == 5);
    CHECK(nobody.out.empty());
    CHECK(has(nobody.err, "CAP_SYS_PTRACE"));
}

TEST_CASE("kdevx watch: events of no object, until there are enough of them", "[cli][events]") {
    context_ptr c = open_context();
    running_program watch(about(under_test(), {"watch", "PORT_CHANGE", "--count", "2", "--json"}));
    REQUIRE(watch.comes_to_say("watching 1 kinds of events"));
    raise_event(c.get(), "PORT_CHANGE", of_port(1), 5);
    raise_event(c.get(), "PORT_CHANGE", of_port(1), 5);
    const said s = watch.result();
    INFO(s.out << s.err);
    CHECK(s.status == 0);
    REQUIRE(std::count(s.out.begin(), s.out.end(), '\n') == 2);
    const json first = json::parse(s.out.substr(0, s.out.find('\n')));
    CHECK(first["event"] == "PORT_CHANGE");
    CHECK(first["time"] > 0);
    CHECK(first["eqe"]["event_type"]["name"] == "PORT_CHANGE");
}

TEST_CASE("kdevx watch: all that the firmware offers, until it is interrupted", "[cli][events]") {
    context_ptr c = open_context();
    running_program watch(about(under_test(), {"watch"}));
    REQUIRE(watch.comes_to_say("kinds of events"));
    watch.interrupt();
    const said s = watch.result();
    INFO(s.out << s.err);
    CHECK(s.status == 0);
    CHECK_FALSE(has(s.err, "watching 0"));
    CHECK(tool({"watch", "CQ_ERROR"}).status != 0); // an object's
    CHECK(tool_on(without_uctx(), {"watch"}).status == 4);
}
