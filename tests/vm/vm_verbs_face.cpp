// SPDX-License-Identifier: MIT
// Programs written for libibverbs, on libkdevx-verbs alone (tests/compat_verbs). They judge what
// they see by themselves; what they print is the rest.
#include "guest.hpp"
#include "program.hpp"

#include "catch.hpp"

using namespace kdevx::vm;

namespace {

std::string face_shows(const std::string &program) {
    const said s = run_program({"kdevx-face-" + program, under_test().name});
    INFO(s.err);
    CHECK(s.status == 0);
    CHECK(s.err == "");
    return s.out;
}

std::string face_sysfs(const std::string &file) {
    std::string text = read_file("/sys/class/infiniband/" + under_test().name + "/" + file);
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

std::string text_without(std::string text, const std::string &characters) {
    std::erase_if(text, [&](char c) { return characters.find(c) != std::string::npos; });
    return text;
}

} // namespace

TEST_CASE("verbs: what devices and ports tell is what sysfs tells", "[face]") {
    const device d = under_test();
    const std::string gid = text_without(face_sysfs("ports/1/gids/0"), ":");
    CHECK(face_shows("queries") ==
          "device " + d.name + " /sys/class/infiniband/" + d.name + " " +
              d.node.substr(d.node.rfind('/') + 1) + "\ntype InfiniBand channel adapter, guid " +
              text_without(face_sysfs("node_guid"), ":") + "\nvendor 0x2c9, firmware " +
              face_sysfs("fw_ver") + ", 1 ports\nport active, lid " + face_sysfs("ports/1/lid") +
              ", layer 1\ngid " + gid.substr(0, 16) + ":" + gid.substr(16) + "\npkey " +
              face_sysfs("ports/1/pkeys/0") +
              "\nthe device knows the CQ: 32 entries\nCQE version 1\n");
}

TEST_CASE("verbs: datagrams, a shared queue, and asynchronous events", "[face]") {
    CHECK(face_shows("datagrams") == "3 datagrams\n"
                                     "SRQ limit reached\n"
                                     "CQ error\n"
                                     "nothing more: Resource temporarily unavailable\n");
}

TEST_CASE("verbs: receive queues of an Ethernet port, and a table of them", "[face][eth]") {
    CHECK(face_shows("receive-queues") == "in RESET: Invalid argument\n"
                                          "ready: 4 requests, then Cannot allocate memory\n"
                                          "a table of 2, and a QP of it\n"
                                          "it lives on: Cannot allocate memory\n"
                                          "in RESET: Invalid argument\n");
}

TEST_CASE("verbs: a ping-pong, remote operations, and the end of a connection", "[face]") {
    CHECK(face_shows("ping-pong") ==
          "no entries: Invalid argument; too many: Invalid argument\n"
          "50 rounds, the word is 51\n"
          "written 5, 5 before adding, 8 before swapping, 99 read\n"
          "no such opcode: Invalid argument; too many pieces: Invalid argument; full: Cannot "
          "allocate memory\n"
          "after the end: work request flushed\n"
          "in RESET: Invalid argument\n");
}

TEST_CASE("exp verbs: lists of tasks over several queue pairs", "[face]") {
    CHECK(face_shows("post-task") == "the device played a ping-pong\n"
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

TEST_CASE("verbs: one connection to several shared queues", "[face]") {
    CHECK(face_shows("xrc") == "3 messages to each of 2 queues\n");
}

TEST_CASE("verbs: memory of the device", "[face]") {
    CHECK(face_shows("device-memory") == "there and back: 0x6b64657679\n"
                                         "20 and 22 are 42, which is set to 1\n");
}
