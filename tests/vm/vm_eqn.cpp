// SPDX-License-Identifier: MIT
// Event queues behind completion vectors.
#include "bench.hpp"
#include "raw.hpp"

#include <rdma/mlx5_user_ioctl_cmds.h>
#include <set>

using namespace kdevx;
using namespace kdevx::vm;

TEST_CASE("every completion vector has an event queue of its own", "[eqn]") {
    context_ptr c = open_context();
    const std::uint32_t vectors = info_of(c.get()).num_comp_vectors;
    std::set<std::uint32_t> seen;
    for (std::uint32_t v = 0; v < vectors; ++v) {
        std::uint32_t eqn = 0;
        REQUIRE(call(kdevx_eqn_query, c.get(), v, &eqn) == ok);
        CHECK(seen.insert(eqn).second);
    }
    std::uint32_t eqn = 77;
    for (std::uint32_t v : {vectors, vectors + 1, 65535u, 65536u, 0xffffffffu})
        CHECK(call(kdevx_eqn_query, c.get(), v, &eqn) == failed(EINVAL, KDEVX_CAUSE_INVALID));
    CHECK(eqn == 77);
    std::uint32_t *const nowhere = nullptr;
    CHECK(call(kdevx_eqn_query, c.get(), 0u, nowhere) == failed(EINVAL, KDEVX_CAUSE_INVALID));
}

TEST_CASE("what the kernel says of vectors that are not there", "[eqn]") {
    context_ptr c = open_context();
    const std::uint32_t vectors = info_of(c.get()).num_comp_vectors;
    const auto ask = [&](std::uint32_t vector) {
        std::uint32_t eqn = 0;
        return raw(MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_QUERY_EQN)
            .in(MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC, &vector, 4)
            .out(MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN, &eqn, 4)
            .send(kdevx_context_fd(c.get()));
    };
    CHECK(ask(vectors - 1) == 0);
    if (kernel() < version{6, 12}) {
        CHECK(ask(vectors) == -ENOENT);
        CHECK(ask(65536) == -ENOENT);
    } else {
        CHECK(ask(vectors) == -EINVAL);
        CHECK(ask(65536) == 0); // cut to 16 bits: vector 0
    }
}

TEST_CASE("a CQ on an event queue that is none is refused before the firmware", "[eqn]") {
    bench b;
    object_ptr made;
    exchange x = b.cq();
    x.set("cq_context.c_eqn_or_apu_element", 0xee);
    CHECK(create(b.context(), x, made) == failed(ENOENT, KDEVX_CAUSE_INVALID));
}
