// SPDX-License-Identifier: MIT
#include "tool.hpp"

#include <cstdio>
#include <fstream>
#include <unistd.h>

using namespace test;
using kdevx::tool::exit_code;

namespace {
// A file of its own that is gone afterwards.
class scratch {
    char path_[32] = "/tmp/kdevx-cli-XXXXXX";

public:
    explicit scratch(const std::string &content) {
        int fd = mkstemp(path_);
        REQUIRE(fd >= 0);
        close(fd);
        std::ofstream(path_) << content;
    }
    ~scratch() { std::remove(path_); }
    std::string path() const { return path_; }
};
} // namespace

TEST_CASE("a status is explained by number and by name", "[cli]") {
    for (const char *status : {"3", "0x3", "BAD_PARAM", "BAD_PARAM_ERR"}) {
        outcome o = tool({"explain", status});
        CHECK(o.code == exit_code::ok);
        CHECK(o.prints("status 3 BAD_PARAM_ERR"));
        CHECK_FALSE(o.prints("syndrome"));
        CHECK(o.prints("EINVAL"));
    }
}

TEST_CASE("the errno without an outbox is the kernel's", "[cli]") {
    CHECK(tool({"explain", "6", "--json"}).json()["status"]["errno_without_outbox"] == "EBUSY");
    CHECK(tool({"explain", "8", "--json"}).json()["status"]["errno_without_outbox"] == "ENOMEM");
    CHECK(tool({"explain", "0xf", "--json"}).json()["status"]["errno_without_outbox"] == "EAGAIN");
    CHECK(tool({"explain", "0x50", "--json"}).json()["status"]["errno_without_outbox"] == "EIO");
}

TEST_CASE("a known syndrome comes with its source, an unknown one is said to be unknown", "[cli]") {
    CHECK(tool({"explain", "3", "0x317175"}).prints("(openucx/ucx pull request 8689"));
    CHECK(tool({"explain", "2", "0xde0001"}).prints("(kdevx-hca)"));
    outcome unknown = tool({"explain", "3", "0x12345678"});
    CHECK(unknown.code == exit_code::ok);
    CHECK(unknown.prints("syndrome 0x12345678: not known here"));
    CHECK(tool({"explain", "3", "0x12345678", "--json"}).json()["syndrome"]["known"] == false);
    CHECK(tool({"explain", "0x77"}).prints("no such status"));
    CHECK(tool({"explain", "0x77", "--json"}).json()["status"]["known"] == false);
}

TEST_CASE("users add syndromes by file", "[cli]") {
    scratch good("# mine\n\n0x12345678 | * | too few flux | ticket 7\n"
                 "0x12345678 | CREATE_CQ | no clock | ticket 8\n");
    CHECK(tool({"explain", "5", "0x12345678", "--command", "CREATE_CQ", "--file", good.path()})
              .prints("syndrome 0x12345678: no clock (ticket 8)"));
    CHECK(tool({"explain", "5", "0x12345678", "-c", "CREATE_QP", "-f", good.path()})
              .prints("too few flux (ticket 7)"));
    scratch bad("0x1 | * | text without source\n");
    outcome b = tool({"explain", "5", "1", "--file", bad.path()});
    CHECK(b.code == exit_code::usage);
    CHECK(b.says(bad.path() + ":1: the fourth column is empty"));
    CHECK(b.out.empty());
    CHECK(tool({"explain", "5", "1", "--file", "/nonexistent"}).code == exit_code::usage);
}

TEST_CASE("what is no status or no syndrome is refused by name", "[cli]") {
    outcome o = tool({"explain", "BAD_PARRAM"});
    CHECK(o.code == exit_code::usage);
    CHECK(o.says("did you mean BAD_PARAM"));
    CHECK(tool({"explain", "0x317175"}).says("a status has 8 bits"));
    CHECK(tool({"explain", "3", "0x123456789"}).code == exit_code::usage);
    CHECK(tool({"explain"}).code == exit_code::usage);
}
