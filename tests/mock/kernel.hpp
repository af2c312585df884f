// SPDX-License-Identifier: MIT
// A kernel of one's own behind the table of system calls. It keeps books of all that it gives out
// (handles, fds, mappings, memory), so that a test sees what was not given back.
//
// Every ioctl is checked against the rules of the wire, independently of the code under test. What
// it is answered with is either written down beforehand (script.hpp: exactly these requests, in
// this order) or made up from the method's table (any request gets a plausible answer).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <rdma/mlx5-abi.h>
#include <rdma/rdma_user_ioctl_cmds.h>

#include <kdevx/kdevx.h>

#include "kabi/kabi.hpp"

namespace mock {

using bytes = std::vector<std::byte>;

// Never the same, never zero: nothing passes by accident. Seeded, and the seed is printed on
// failure.
bytes random_bytes(std::size_t n);
std::uint64_t random_number();

enum class call { open, close, ioctl, read, poll, fcntl, mmap, munmap, madvise, memory };

class kernel {
public:
    kernel();
    ~kernel();
    kernel(const kernel &) = delete;

    const kdevx_sys *table() const { return &table_; }
    kdevx_open_options options() const;
    // A context on this kernel; the test fails if that fails.
    kdevx_context *open();

    // ---- what there is (all zero at the end of a test)
    std::map<std::uint16_t, std::set<std::uint32_t>> handles; // by object id
    std::set<int> fds;
    std::map<void *, std::size_t> mappings;
    std::size_t blocks = 0;
    std::size_t live() const;

    // ---- what it is like
    bool removed = false;         // the device is gone
    bool has_uctx = true;         // firmware with user contexts
    bool is_mlx5 = true;          // else another driver's file
    bool context = false;         // there is one on the file
    std::set<std::string> absent; // names of methods and attributes this kernel lacks
    std::uint32_t num_comp_vectors = 4;
    std::uint64_t capabilities = 0;
    std::int64_t now = 1000; // of the clock
    bytes qp_response;       // of the driver, to the creation of a QP; zeros if shorter
    struct {                 // in the middle of struct mlx5_ib_alloc_ucontext_resp
        std::uint16_t max_sq_desc_sz = 1024, max_rq_desc_sz = 512;
        std::uint32_t max_send_wqebb = 32768, max_recv_wr = 32768, max_srq_recv_wr = 32767;
    } limits;

    // Fails the n-th call of this kind from now on, once. n = 0: the next.
    void fail(call kind, unsigned n, int err);
    unsigned count(call kind) const;

    // Queued answers of asynchronous queries: what read() gives.
    struct answer {
        std::uint64_t number;
        bytes outbox;
    };
    std::deque<answer> answers;
    std::vector<std::uint64_t> numbers; // that queries were sent with, oldest first
    std::vector<std::uint16_t> out_lens;

    // Called instead of the made-up answer if set. Returns 0 or -errno.
    std::function<int(ib_uverbs_ioctl_hdr *)> on_ioctl;
    std::function<std::int64_t(int fd, void *, std::size_t)> on_read;
    std::function<int(pollfd *, int timeout_ms)> on_poll;
    std::function<void(mlx5_ib_alloc_ucontext_resp &)> on_get_context;
    std::function<int(const char *path)> on_open;
    std::function<void(int fd)> on_close;
    std::function<void(void *, std::size_t, int)> on_madvise;
    std::function<int(std::size_t, std::uint64_t)> on_mmap;

    // Rules of the wire that a request broke; empty is good.
    std::vector<std::string> broken_rules;

private:
    kdevx_sys table_{};
    std::recursive_mutex lock_; // hooks may call the library again
    int file_ = -1;             // the uverbs file: its end is the end of all handles
    std::map<call, unsigned> counts_;
    std::map<call, std::pair<unsigned, int>> failures_;

    int fails(call kind);
    int ioctl(int fd, unsigned long request, ib_uverbs_ioctl_hdr *h);
    int answer_from_table(ib_uverbs_ioctl_hdr *h);
    int answer_probe(const kdevx::kabi::method_base *m, ib_uverbs_ioctl_hdr *h);
    int answer_write(ib_uverbs_ioctl_hdr *h);
    std::uint32_t new_handle(std::uint16_t object);
    void fill_out(const kdevx::kabi::method_base &m, const ib_uverbs_attr &a);
    std::int64_t read(int fd, void *buffer, std::size_t size);
    int new_fd();
    friend struct entries;
};

// The bytes that an attribute carries, by the rules of the wire.
bytes carried(const ib_uverbs_attr &a, kdevx::kabi::attr_kind kind);

} // namespace mock
