// SPDX-License-Identifier: MIT
// Processes that end with objects and commands in flight, and processes that fork: the kernel
// clears up, and the HCA has as many objects as before.
#include "async.hpp"
#include "faults.hpp"
#include "lives.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace kdevx;
using namespace kdevx::vm;
using namespace std::chrono_literals;

namespace {

// One object of each kind, and a query that the firmware is slow with.
struct everything {
    bench b;
    std::vector<object_ptr> objects;
    asker a;

    bool make() {
        for (const life &l : lives()) {
            exchange x(l.create, l.more_in);
            for (const setting &s : l.given)
                x.set(s.path, s.value.on(b));
            object_ptr o;
            if (!(create(b.context(), x, o) == ok)) return false;
            objects.push_back(std::move(o));
        }
        return a.ask(1) == ok;
    }
};

int end_with_everything(const std::function<void()> &end) {
    auto *mine = new everything; // its destructor is not for this process
    if (!mine->make()) return 1;
    end();
    return 2;
}

bool answers(asker &a) {
    exchange x = a.question();
    return kdevx_object_query(a.cq(), x.in.data(), x.in.size(), x.out.data(), x.out.size(),
                              nullptr) == 0;
}

} // namespace

TEST_CASE("what a process leaves behind is cleared up, however it ends", "[process-end]") {
    faults f;
    const auto run = [&](const std::function<void()> &end) {
        f.delay("QUERY_CQ", 300ms);
        return in_child([&] { return end_with_everything(end); });
    };
    run([] { _exit(0); }); // what the driver makes when it is first needed stays
    const std::uint64_t before = f.count_objects();

    int status = run([] { _exit(7); });
    CHECK(WEXITSTATUS(status) == 7);
    CHECK(f.count_objects() == before);
    status = run([] { raise(SIGKILL); });
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGKILL);
    CHECK(f.count_objects() == before);
    {
        everything here;
        REQUIRE(here.make());
        CHECK(f.count_objects() > before + lives().size());
    }
    CHECK(f.count_objects() == before);
}

TEST_CASE("a process that waits for an answer is killed", "[process-end]") {
    faults f;
    const std::uint64_t before = f.count_objects();
    f.delay("QUERY_CQ", 600ms);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        auto *a = new asker;
        if (!(a->ask(1) == ok)) _exit(1);
        take(a->comp(), KDEVX_FOREVER);
        take(a->comp(), KDEVX_FOREVER); // there is no second answer
        _exit(2);
    }
    REQUIRE(wait_for(5s, [&] { return f.count_objects() > before && is_asleep(child); }));
    kill(child, SIGKILL);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    CHECK(f.count_objects() == before);
}

TEST_CASE("the child of a fork uses what is its parent's, and takes nothing with it",
          "[process-end]") {
    faults f;
    asker a;
    const std::uint64_t before = f.count_objects();
    const int status = in_child([&] { return answers(a) ? 5 : 6; });
    CHECK(WEXITSTATUS(status) == 5);
    CHECK(f.count_objects() == before);
    CHECK(a.query_now() == ok);
    REQUIRE(a.ask(3) == ok);
    CHECK(take(a.comp()).completion.wr_id == 3);
}

TEST_CASE("objects outlive their process as long as a child has its file", "[process-end]") {
    faults f;
    const std::uint64_t before = f.count_objects();
    int hold[2];
    REQUIRE(pipe(hold) == 0);
    const int status = in_child([&] {
        auto *a = new asker;
        if (!(a->query_now() == ok)) return 1;
        const pid_t heir = fork();
        if (heir == 0) {
            char byte;
            close(hold[1]);
            _exit(read(hold[0], &byte, 1) == 0 ? 0 : 1); // until the test closes its end
        }
        return heir > 0 ? 0 : 2;
    });
    CHECK(WEXITSTATUS(status) == 0);
    close(hold[0]);
    CHECK(f.count_objects() > before);
    close(hold[1]);
    CHECK(wait_for(5s, [&] { return f.count_objects() == before; }));
}
