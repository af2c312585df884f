// SPDX-License-Identifier: MIT
// Several HCAs in one machine, with two ports each: `several` in runs.txt.
#include "bench.hpp"

#include <filesystem>
#include <set>

using namespace kdevx;
using namespace kdevx::vm;
using namespace std::chrono_literals;

namespace {

std::string attribute(const device &d, const std::string &name) {
    return read_file("/sys/class/infiniband/" + d.name + "/" + name);
}

std::string of_port(const device &d, unsigned port, const std::string &name) {
    return attribute(d, "ports/" + std::to_string(port) + "/" + name);
}

} // namespace

TEST_CASE("every device has GUIDs of its own", "[several]") {
    std::set<std::string> guids, gids;
    for (const device &d : devices()) {
        CHECK(guids.insert(attribute(d, "node_guid")).second);
        for (unsigned port : {1u, 2u})
            if (of_port(d, port, "link_layer") == "InfiniBand")
                CHECK(gids.insert(of_port(d, port, "gids/0")).second);
    }
    CHECK(guids.size() == 3);
    CHECK(gids.size() == 4);
}

TEST_CASE("every InfiniBand port has a LID of its own", "[several]") {
    std::set<std::string> lids;
    for (const device &d : devices())
        for (unsigned port : {1u, 2u})
            if (of_port(d, port, "link_layer") == "InfiniBand")
                CHECK(lids.insert(of_port(d, port, "lid")).second);
    CHECK(lids.size() == 4);
}

TEST_CASE("two ports, and both are up where there is a link layer to bring them up", "[several]") {
    for (const device &d : devices()) {
        CAPTURE(d.name);
        context_ptr c = open_context(d);
        CHECK(info_of(c.get()).num_ports == 2);
        const auto ports =
            std::filesystem::directory_iterator("/sys/class/infiniband/" + d.name + "/ports");
        CHECK(std::distance(begin(ports), end(ports)) == 2);
        for (unsigned port : {1u, 2u})
            if (of_port(d, port, "link_layer") == "InfiniBand")
                CHECK(wait_for(5s, [&] { return of_port(d, port, "state") == "4: ACTIVE"; }));
    }
}

TEST_CASE("DEVX on each of several devices, and nothing of one is known to another", "[several]") {
    std::vector<context_ptr> contexts;
    std::vector<object_ptr> counters;
    for (const device &d : devices()) {
        contexts.push_back(open_context(d));
        exchange x("ALLOC_Q_COUNTER");
        counters.push_back(create(contexts.back().get(), x));
    }
    REQUIRE(contexts.size() == 3);
    exchange look("QUERY_Q_COUNTER");
    look.set("counter_set_id", info_of(counters[0].get()).device_id & 0xff);
    CHECK(query(counters[0].get(), look) == ok);
    // Each device counts for itself: the numbers may be equal, and stay when the other's is gone.
    counters.erase(counters.begin());
    for (const object_ptr &o : counters) {
        exchange own("QUERY_Q_COUNTER");
        own.set("counter_set_id", info_of(o.get()).device_id & 0xff);
        CHECK(query(o.get(), own) == ok);
    }
}
