// SPDX-License-Identifier: MIT
#include "async.hpp"

namespace kdevx::vm {

cmd_comp_ptr create_cmd_comp(kdevx_context *c) {
    kdevx_cmd_comp *comp = nullptr;
    REQUIRE(call(kdevx_cmd_comp_create, c, &comp) == ok);
    return cmd_comp_ptr(comp);
}

exchange asker::question() const {
    exchange x("QUERY_CQ");
    return x.set("cqn", info_of(cq()).device_id & 0xffffff);
}

outcome asker::ask(std::uint64_t wr_id, std::size_t out_size) {
    const exchange x = question();
    return call(kdevx_object_query_async, cq(), static_cast<const void *>(x.in.data()), x.in.size(),
                out_size, wr_id, comp());
}

outcome asker::query_now() {
    exchange x = question();
    return query(cq(), x);
}

answer take(kdevx_cmd_comp *comp, int timeout_ms, std::size_t room) {
    answer a;
    a.completion.size = sizeof a.completion;
    a.out.assign(room, std::byte(0x5a));
    a.got = call(kdevx_cmd_comp_get, comp, static_cast<void *>(a.out.data()), a.out.size(),
                 timeout_ms, &a.completion);
    return a;
}

} // namespace kdevx::vm
