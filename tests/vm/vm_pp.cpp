// SPDX-License-Identifier: MIT
// Packet pacing: entries of the table of rates.
#include "verbs.hpp"

#include "kdevx/prm/sched.hpp"

using namespace kdevx;
using namespace kdevx::vm;

namespace {

using pp_ptr = std::unique_ptr<kdevx_pp, ending<kdevx_pp_free>>;

box rate_of(std::uint32_t kbits) {
    box b(prm::set_pp_rate_limit_context);
    b.set("rate_limit", kbits);
    return b;
}
outcome alloc(kdevx_context *c, const box &rate, pp_ptr &made, std::uint32_t flags = 0) {
    return attempt(made, kdevx_pp_alloc, c, static_cast<const void *>(rate.data()), rate.size(),
                   flags);
}
pp_ptr make_pp(kdevx_context *c, const box &rate, std::uint32_t flags = 0) {
    pp_ptr made;
    REQUIRE(alloc(c, rate, made, flags) == ok);
    return made;
}
std::uint32_t index_of(const pp_ptr &pp) {
    return tell(kdevx_pp_get_info, view(pp)).index;
}

} // namespace

TEST_CASE("a rate is shared by those who ask for the same", "[pp]") {
    context_ptr c = open_context();
    pp_ptr one = make_pp(c.get(), rate_of(5000)), same = make_pp(c.get(), rate_of(5000)),
           other = make_pp(c.get(), rate_of(6000)),
           own = make_pp(c.get(), rate_of(5000), KDEVX_PP_DEDICATED_INDEX);
    CHECK(index_of(one) != 0); // no limit
    CHECK(index_of(one) == index_of(same));
    CHECK(index_of(one) != index_of(other));
    CHECK(index_of(one) != index_of(own));
    context_ptr another = open_context();
    pp_ptr theirs = make_pp(another.get(), rate_of(5000));
    CHECK(index_of(one) == index_of(theirs)); // with everybody
}

TEST_CASE("rates that there are not", "[pp]") {
    context_ptr c = open_context(), bare = open_context(KDEVX_DEVX_NEVER);
    pp_ptr none;
    CHECK(alloc(c.get(), rate_of(0), none) == invalid);
    CHECK(alloc(c.get(), rate_of(999), none) == invalid);
    CHECK(alloc(c.get(), rate_of(100'000'001), none) == invalid);
    CHECK(alloc(c.get(), rate_of(5000), none, 2) == invalid);
    CHECK(refusal_of<pp_ptr>(kdevx_pp_alloc, c.get(), static_cast<const void *>(nullptr),
                             std::size_t(0), 0u) == invalid);
    box too_long = rate_of(5000);
    too_long.resize(49);
    CHECK(alloc(c.get(), too_long, none) == invalid);
    CHECK(alloc(bare.get(), rate_of(5000), none).err == EINVAL);
    box shortest = rate_of(5000);
    shortest.resize(4); // travels in the attribute itself
    CHECK(alloc(c.get(), shortest, none) == ok);
}

TEST_CASE("the table of rates comes to an end", "[pp]") {
    context_ptr c = open_context();
    std::vector<pp_ptr> all;
    pp_ptr none;
    for (std::uint32_t i = 0; i < 127; ++i)
        all.push_back(make_pp(c.get(), rate_of(10'000 + i)));
    CHECK(alloc(c.get(), rate_of(9000), none) == failed(ENOSPC, KDEVX_CAUSE_LIMIT));
    all.pop_back();
    CHECK(alloc(c.get(), rate_of(9000), none) == ok);
}
