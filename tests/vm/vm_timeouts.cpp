// SPDX-License-Identifier: MIT
// Commands that the firmware never answers. The HCA of this boot tells the driver to wait for 1 s
// (cmd_exec_to=1) instead of 60.
#include "async.hpp"
#include "faults.hpp"

using namespace kdevx;
using namespace kdevx::vm;
using namespace std::chrono_literals;

TEST_CASE("an asynchronous query that is never answered", "[short-timeouts]") {
    asker a;
    faults f;
    f.hang("QUERY_CQ");
    REQUIRE(a.ask(5) == ok);
    const answer got = take(a.comp(), 30000);
    // The kernel delivers it with an outbox of zeros, which would read as success.
    CHECK(got.got == ok);
    CHECK(got.completion.wr_id == 5);
    CHECK(got.completion.out_size == asker::answer_size);
    for (std::size_t i = 0; i < asker::answer_size; ++i)
        REQUIRE(got.out[i] == std::byte(0));
    CHECK(got.completion.verdict == KDEVX_VERDICT_NOT_EXECUTED);
    REQUIRE(a.ask(6) == ok);
    CHECK(take(a.comp()).completion.verdict == KDEVX_VERDICT_OK);
}

TEST_CASE("the same of a query whose true answer may be all zero", "[short-timeouts]") {
    bench b;
    cmd_comp_ptr comp = create_cmd_comp(b.context());
    exchange x("QUERY_TIS");
    x.set("tisn", b[resource::tisn]);
    faults f;
    f.hang("QUERY_TIS");
    REQUIRE(call(kdevx_object_query_async, b.holder(resource::tisn),
                 static_cast<const void *>(x.in.data()), x.in.size(), x.out.size(),
                 std::uint64_t(1), comp.get()) == ok);
    const answer got = take(comp.get(), 30000);
    CHECK(got.got == ok);
    CHECK(got.completion.verdict == KDEVX_VERDICT_UNVERIFIED);
}

TEST_CASE("a synchronous query that is never answered", "[short-timeouts]") {
    asker a;
    faults f;
    f.hang("QUERY_CQ");
    const stopwatch since;
    const outcome got = a.query_now();
    CHECK(got == failed(ETIMEDOUT, KDEVX_CAUSE_COMMAND_NOT_EXECUTED));
    CHECK(got.why.outbox_valid == 0);
    CHECK(since.passed() >= 1s);
    CHECK(a.query_now() == ok);
}
