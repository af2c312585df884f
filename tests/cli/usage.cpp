// SPDX-License-Identifier: MIT
// The command line as such: help, exit status, and what lands on which stream.
#include "tool.hpp"

#include <fstream>

using namespace test;
using kdevx::tool::exit_code;

namespace {
const char *const commands[] = {"list", "probe", "caps", "cmd", "demo", "explain", "schema",
                                "top",  "query", "watch"};
}

TEST_CASE("help is a success, on stdout, and has examples and every exit status", "[cli]") {
    outcome all = tool({"--help"});
    CHECK(all.code == exit_code::ok);
    CHECK(all.err.empty());
    for (const auto &row : kdevx::tool::exit_codes)
        CHECK(all.prints(row.text));
    for (const char *c : commands) {
        CHECK(all.prints(c));
        outcome one = tool({c, "--help"});
        CHECK(one.code == exit_code::ok);
        CHECK(one.prints("Examples:"));
        CHECK(one.prints(std::string("  kdevx ") + c));
    }
}

TEST_CASE("the manual has the same exit statuses", "[cli]") {
    std::ifstream file(KDEVX_CLI_MANUAL);
    std::stringstream manual;
    manual << file.rdbuf();
    for (const auto &row : kdevx::tool::exit_codes)
        CHECK(manual.str().find("| " + std::to_string(int(row.code)) + " | " + row.text + " |") !=
              std::string::npos);
}

TEST_CASE("the version is the library's", "[cli]") {
    outcome o = tool({"--version"});
    CHECK(o.code == exit_code::ok);
    CHECK(o.prints("libkdevx 0."));
}

TEST_CASE("a wrong command line is status 2, and stdout stays empty", "[cli]") {
    for (const std::vector<std::string> &arguments : std::vector<std::vector<std::string>>{
             {},
             {"lst"},
             {"list", "--jsn"},
             {"top", "--interval", "0"},
             {"top", "--count"},
             {"caps", "GENERALL"},
             {"watch", "PORT_CHANG"},
             {"watch", "--count", "0"},
             {"query"},
             {"query", "4242"},
             {"query", "me", "QUERY_QP"},
             {"query", "0", "QUERY_QP"},
             {"query", "4242", "QUERY_HCA_CAP"},
             {"query", "4242", "MODIFY_CQ"},
             {"query", "4242", "QUERY_QP", "qpn=0x1000000"},
             {"schema", "DEVX"},
             {"cmd"},
             {"cmd", "QUERY_HCA_CAPS"},
             {"cmd", "QUERY_HCA_CAP", "op_mod=0x10000"},
             {"cmd", "QUERY_HCA_CAP", "--out-size", "15"},
             {"cmd", "QUERY_HCA_CAP", "--out-size", "65536"},
             {"cmd", "--hex", "0100"},
             {"cmd", "--hex", "xyz"},
             {"cmd", "--hex", "0fff0000000000000000000000000000"},
             {"cmd", "0x10000"},
         }) {
        outcome o = tool(arguments);
        INFO(o.err);
        CHECK(o.code == exit_code::usage);
        CHECK(o.out.empty());
        CHECK(o.err.find("kdevx: ") == 0);
    }
}

TEST_CASE("with --json a failure is an object on stdout, wherever --json stands", "[cli]") {
    for (const std::vector<std::string> &arguments : std::vector<std::vector<std::string>>{
             {"--json", "cmd", "QUERY_HCA_CAP", "op_mod=0x10000"},
             {"cmd", "QUERY_HCA_CAP", "op_mod=0x10000", "--json"}}) {
        outcome o = tool(arguments);
        CHECK(o.code == exit_code::usage);
        CHECK(o.json()["error"]["cause"] == "USAGE");
        CHECK(o.json()["error"]["exit"] == 2);
        CHECK(o.says("op_mod"));
    }
}

TEST_CASE("commands that work on objects or belong to the driver are refused with a reason",
          "[cli]") {
    CHECK(tool({"cmd", "CREATE_CQ"}).says("works on an object"));
    CHECK(tool({"cmd", "QUERY_QP", "qpn=1"}).says("works on an object"));
    CHECK(tool({"cmd", "SET_HCA_CAP"}).says("kernel driver's own"));
    CHECK(tool({"cmd", "0x400"}).says("CREATE_CQ"));
    CHECK(tool({"watch", "PORT_CHANG"}).says("did you mean PORT_CHANGE"));
    CHECK(tool({"query", "4242", "QUERY_PQ"}).says("did you mean QUERY_CQ, QUERY_QP, "));
    CHECK(tool({"cmd", "QUERY_HCA_CPA"}).says("did you mean QUERY_HCA_CAP"));
}

TEST_CASE("a dry run shows the inbox and needs no device", "[cli]") {
    outcome o = tool({"cmd", "QUERY_HCA_CAP", "op_mod=1", "--dry-run"});
    CHECK(o.code == exit_code::ok);
    CHECK(o.out == "000: 01000000 00000001 00000000 00000000\n");
    outcome j = tool({"cmd", "0x100", "op_mod=1", "--dry-run", "--json"});
    CHECK(j.json()["in_hex"] == "01000000000000010000000000000000");
    CHECK(j.json()["out_size"] == 0x1010);
    CHECK(j.json()["command"] == "QUERY_HCA_CAP");
    outcome h = tool({"cmd", "--hex", "0100 0000 0000 0001 0000 0000 0000 0000", "--dry-run"});
    CHECK(h.out == o.out);
    outcome raw = tool({"cmd", "--hex", "0cff 0000 0000 0001 0000 0000 0000 0000", "--out-size",
                        "20", "--dry-run", "--json"});
    CHECK(raw.json()["command"] == "opcode 0xcff");
    CHECK(raw.json()["out_size"] == 20);
}

TEST_CASE("the schema is JSON with every object, and names what it does not know", "[cli]") {
    auto j = tool({"schema"}).json();
    CHECK(j["objects"].size() > 25);
    CHECK(j["write_commands"].size() > 20);
    auto one = tool({"schema", "MLX5_IB_OBJECT_DEVX_OBJ"}).json();
    REQUIRE(one["objects"].size() == 1);
    CHECK(one["objects"][0]["id"] == "0x1001");
    CHECK(one["objects"][0]["needs"] == "log_max_uctx");
    auto create = one["objects"][0]["methods"][0];
    CHECK(create["name"] == "MLX5_IB_METHOD_DEVX_OBJ_CREATE");
    CHECK(create["attrs"][1]["kind"] == "ptr_in");
    CHECK(create["attrs"][1]["min_bytes"] == 16);
    CHECK(create["attrs"][1]["mandatory"] == true);
    CHECK(tool({"schema", "MLX5_IB_OBJECT_DEVXOBJ"}).says("did you mean MLX5_IB_OBJECT_DEVX"));
}
