// SPDX-License-Identifier: MIT
// The device stops answering under a program, as a card does that is pulled: a boot of its own, for
// it does not come back.
#include "async.hpp"
#include "faults.hpp"

#include <poll.h>

using namespace kdevx;
using namespace kdevx::vm;
using namespace std::chrono_literals;

TEST_CASE("a device that stops answering", "[unplug]") {
    asker a;
    const auto page = info_of(a.on().uar());
    {
        faults f;
        f.delay("QUERY_CQ", 2s);
        REQUIRE(a.ask(1) == ok); // its answer will not come
        f.unplug();
        // A driver that has noticed ends what it waits for, and sends nothing any more.
        const answer lost = take(a.comp(), 60000);
        CHECK(lost.got == ok);
        CHECK(lost.completion.wr_id == 1);
        CHECK(lost.completion.verdict == KDEVX_VERDICT_NOT_EXECUTED);
    }
    const outcome now = a.query_now();
    CAPTURE(now);
    CHECK(now.why.cause == KDEVX_CAUSE_COMMAND_NOT_EXECUTED);
    CHECK(now.why.outbox_valid == 0);
    // A doorbell goes nowhere, and hurts nobody.
    *static_cast<volatile std::uint64_t *>(page.reg_addr) = 0;
    // All that the program has can be let go of: what the device is asked to destroy is gone with
    // it.
}
