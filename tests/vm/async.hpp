// SPDX-License-Identifier: MIT
// Asynchronous queries: submitting and taking, as the tests of cmd_comp do it.
#pragma once

#include "bench.hpp"

namespace kdevx::vm {

cmd_comp_ptr create_cmd_comp(kdevx_context *c);

// An object of a bench and a cmd_comp of its context.
class asker {
    bench bench_;
    object_ptr cq_ = bench_.create(bench_.cq(log_size));
    cmd_comp_ptr comp_ = create_cmd_comp(bench_.context());

public:
    static constexpr unsigned log_size = 7; // a right answer to QUERY_CQ tells this
    static constexpr std::size_t answer_size = prm::query_cq_out.size;

    bench &on() { return bench_; }
    kdevx_cmd_comp *comp() const { return comp_.get(); }
    kdevx_object *cq() const { return cq_.get(); }
    int fd() const { return kdevx_cmd_comp_fd(comp_.get()); }
    exchange question() const;

    outcome ask(std::uint64_t wr_id, std::size_t out_size = answer_size);
    outcome query_now(); // the synchronous way
    void end_comp() { comp_.reset(); }
};

struct answer {
    outcome got;
    kdevx_completion completion{};
    std::vector<std::byte> out;

    std::uint64_t field(std::string_view path) const {
        return prm::find_place(prm::query_cq_out, path).get(out);
    }
    bool right() const { return field("cq_context.log_cq_size") == asker::log_size; }
};
answer take(kdevx_cmd_comp *comp, int timeout_ms = 5000, std::size_t room = 65535);

} // namespace kdevx::vm
