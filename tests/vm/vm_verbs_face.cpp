// SPDX-License-Identifier: MIT
// Programs written for libibverbs, on libkdevx-verbs alone (tests/compat_verbs). They judge what
// they see by themselves; what they print is the rest.
#include "guest.hpp"
#include "program.hpp"

#include "catch.hpp"

using namespace kdevx::vm;

namespace {

std::string shown_by(const std::string &program) {
    const said s = run_program({"kdevx-face-" + program, under_test().name});
    INFO(s.err);
    CHECK(s.status == 0);
    CHECK(s.err == "");
    return s.out;
}

} // namespace

TEST_CASE("verbs: a ping-pong, remote operations, and the end of a connection", "[face]") {
    CHECK(shown_by("ping-pong") ==
          "50 rounds, the word is 51\n"
          "written 5, 5 before adding, 8 before swapping, 99 read\n"
          "no such opcode: Invalid argument; too many pieces: Invalid argument; full: Cannot "
          "allocate memory\n"
          "after the end: work request flushed\n"
          "in RESET: Invalid argument\n");
}

TEST_CASE("exp verbs: lists of tasks over several queue pairs", "[face]") {
    CHECK(shown_by("post-task") == "the device played a ping-pong\n"
                                   "two of four in two stages, then the rest\n"
                                   "comp_mask: Invalid argument, task 1\n"
                                   "task_type: Invalid argument, task 1\n"
                                   "no QP: Invalid argument, task 1\n"
                                   "more enabled than posted: Invalid argument, task 1\n"
                                   "not a master: Invalid argument, task 1\n"
                                   "not managed: Invalid argument, task 1\n"
                                   "a negative count: Invalid argument, task 1\n"
                                   "no such opcode: Invalid argument, task 1\n"
                                   "comp_mask of a request: Invalid argument, task 1\n"
                                   "too many pieces: Invalid argument, task 1\n"
                                   "twelve completions in a CQ of 1\n"
                                   "full: Cannot allocate memory\n");
}
