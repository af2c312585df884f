// SPDX-License-Identifier: MIT
// The programs of examples/: what they show is checked by themselves, and they end with 0 only if
// it was so. Each shows the device-driven way beside its CPU-driven twin.
#include "guest.hpp"
#include "program.hpp"

#include "catch.hpp"

using namespace kdevx::vm;

namespace {

std::string shown_by(const std::string &example) {
    const said s = run_program({"kdevx-example-" + example, "--device", under_test().name});
    INFO(s.err);
    CHECK(s.status == 0);
    CHECK(s.err == "");
    return s.out;
}

} // namespace

TEST_CASE("example: a ping-pong whose replies no CPU posts", "[examples]") {
    CHECK(shown_by("ping-pong") ==
          "16 rounds: 32 doorbells by the CPU, 2 by the device; the token came back\n");
}

TEST_CASE("example: a barrier that nobody leaves early", "[examples]") {
    CHECK(shown_by("barrier") == "by the CPU: 8 ranks, 3 rounds, nobody left early\n"
                                 "by the device: 8 ranks, 3 rounds, nobody left early\n");
}

TEST_CASE("example: read, compare-and-swap, send, each enabled by the one before", "[examples]") {
    CHECK(shown_by("chain") == "by the CPU: job 0x1234567890 read, taken and reported\n"
                               "by the device: job 0x1234567890 read, taken and reported\n");
}

TEST_CASE("examples: a device that is not there, and words they do not know", "[examples]") {
    const said missing = run_program({"kdevx-example-chain", "--device", "mlx5_99"});
    CHECK(missing.status == 1);
    CHECK(missing.err.find("NO_DEVICE") != std::string::npos);
    const said usage = run_program({"kdevx-example-chain", "surprise"});
    CHECK(usage.status == 1);
    CHECK(usage.err.find("usage: ") == 0);
}
