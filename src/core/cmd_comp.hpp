// SPDX-License-Identifier: MIT
// Asynchronous queries: the fd their answers come from, and which of them are on their way.
#pragma once

#include <kdevx/object.h>

#include "core/command.hpp"
#include "core/pin.hpp"

namespace kdevx::core {

// One query on its way. The kernel carries our number for it, the caller's is kept here.
struct flight {
    std::uint64_t wr_id = 0;
    std::uint32_t out_size = 0; // 0: this place is free
    std::uint32_t next_free = 0;
    std::uint32_t generation = 0;
    std::uint16_t opcode = 0;
};

// All that are on their way, and the buffer that their answers are read into. Grown when a query is
// sent, so that taking an answer needs no memory. Trivial, because it lives in a slot: init, fini.
class flights {
    static constexpr std::uint32_t none = ~std::uint32_t(0);
    flight *table_;
    std::byte *buffer_;
    std::uint32_t capacity_, first_free_, count_, buffer_size_;

public:
    void init() noexcept;
    void fini(const memory &m) noexcept;

    // The kernel's number for a new query. False: no memory, nothing changed.
    bool add(const memory &m, const flight &f, std::uint64_t &number) noexcept;
    // What the number stood for. False: nothing of ours.
    bool remove(std::uint64_t number, flight &f) noexcept;

    std::uint32_t count() const noexcept { return count_; }
    std::uint32_t largest() const noexcept;
    // As much of the buffer as an answer of at most `out_size` bytes fills.
    uverbs::bytes buffer(std::size_t out_size) const noexcept;

private:
    bool grow_table(const memory &m) noexcept;
    bool grow_buffer(const memory &m, std::uint32_t out_size) noexcept;
};

struct cmd_comp {
    using handle_type = kdevx_cmd_comp;
    static const core::noun noun;

    int fd;
    core::flights flights;
    alignas(8) std::byte lock_space[sizeof(mutex)]; // its life is begun and ended by hand

    mutex &lock() noexcept { return *std::launder(reinterpret_cast<mutex *>(lock_space)); }
};

result<kdevx_cmd_comp *> create_cmd_comp(context &c) noexcept;

// A query on any handle, as in object.hpp.
result<void> query_async(const uverbs::file &f, std::uint32_t handle, uverbs::const_bytes in,
                         std::size_t out_size, std::uint64_t wr_id, cmd_comp &comp) noexcept;

// Waits as long as timeout_ms says (0: not at all, -1: for ever) and takes one answer.
result<kdevx_completion> get_completion(pin<cmd_comp> &comp, uverbs::bytes out,
                                        int timeout_ms) noexcept;

} // namespace kdevx::core
