// SPDX-License-Identifier: MIT
// Many objects of each kind at once, in one context: none is refused, none is mistaken for another,
// and all of them end.
#include "lives.hpp"
#include "verbs.hpp"

#include <set>
#include <sys/resource.h>

using namespace kdevx;
using namespace kdevx::vm;

namespace {

constexpr std::size_t many = 2000, most = 100'000;

template <class Make>
void make_many(Make make, std::size_t n = many) {
    std::vector<decltype(make())> all;
    all.reserve(n);
    while (all.size() < n)
        all.push_back(make());
    // Not in the order in which they were made.
    for (std::size_t i = 0; i < n; i += 2)
        all[i].reset();
}

// Numbers of eight bits, Q counters', leave no room for more, and the driver has some.
std::size_t room_for(const prm::command &create) {
    const prm::field &number = create.id_place().row;
    return number.hi - number.lo < 8 ? 200 : many;
}

std::uint32_t pdn_of(const pd_ptr &pd) {
    return info_of(pd).pdn;
}

} // namespace

TEST_CASE("a hundred thousand PDs", "[.][scale]") {
    context_ptr c = open_context();
    std::vector<pd_ptr> all;
    std::set<std::uint32_t> numbers;
    for (std::size_t i = 0; i < most; ++i) {
        kdevx_pd *pd = nullptr;
        if (kdevx_pd_alloc(c.get(), &pd, nullptr)) break;
        all.emplace_back(pd);
    }
    REQUIRE(all.size() == most);
    for (std::size_t i = 0; i < most; i += most / many)
        numbers.insert(pdn_of(all[i]));
    CHECK(numbers.size() == many);
    // The context takes them all along.
    for (pd_ptr &pd : all)
        pd.release();
}

TEST_CASE("two thousand of each kind that DEVX creates", "[.][scale]") {
    for (const life &l : lives()) {
        CAPTURE(l.create);
        // One that its maker names is there once.
        const prm::command &create = command_named(l.create);
        if (!create.id_in_outbox()) continue;
        bench b;
        auto make = [&] {
            exchange x(l.create, l.more_in);
            for (const setting &s : l.given)
                x.set(s.path, s.value.on(b));
            return vm::create(b.context(), x);
        };
        make_many(make, room_for(create));
    }
}

TEST_CASE("two thousand of each kind of verbs object", "[.][scale][verbs]") {
    verbs v;
    const pages memory(4096);
    make_many([&] { return v.make_mr(memory); });
    make_many([&] { return v.make_cq(cq_of(15)); });
    make_many([&] { return v.make_srq(v.srq_of()); });
    make_many([&] { return v.make_qp(v.qp_of(KDEVX_QP_RC)); });
    make_many([&] {
        return reg_umem(v.context.get(), memory.data(), memory.size(), KDEVX_ACCESS_LOCAL_WRITE);
    });
}

TEST_CASE("two thousand fds of asynchronous commands and events", "[.][scale]") {
    context_ptr c = open_context();
    rlimit files{};
    REQUIRE(getrlimit(RLIMIT_NOFILE, &files) == 0);
    const rlimit enough{3 * many, 3 * many};
    REQUIRE(setrlimit(RLIMIT_NOFILE, &enough) == 0);
    make_many([&] { return make<cmd_comp_ptr>(kdevx_cmd_comp_create, c.get()); });
    make_many([&] { return make<event_channel_ptr>(kdevx_event_channel_create, c.get(), 0u); });
    CHECK(setrlimit(RLIMIT_NOFILE, &files) == 0);
}
