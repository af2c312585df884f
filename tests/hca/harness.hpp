// SPDX-License-Identifier: MIT
// A whole HCA in this process: the real protocol server on one end of a socketpair, a client with
// guest memory on the other, and a driver that sends commands through the command queue.
#pragma once

#include "firmware/cmd_queue.hpp"
#include "hca.hpp"
#include "kdevx/prm/caps.hpp"
#include "kdevx/prm/commands.hpp"
#include "loop.hpp"
#include "options.hpp"
#include "vfio_user/protocol.hpp"
#include "vfio_user/server.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hca_test {

using namespace kdevx::hca;
namespace prm = kdevx::prm;
namespace wire = kdevx::hca::vfio_user;

using bytes = std::vector<std::byte>;

template <class T>
bytes raw(const T &t) {
    auto b = std::as_bytes(std::span(&t, 1));
    return {b.begin(), b.end()};
}
inline bytes operator+(bytes a, const bytes &b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// Guest memory in a memfd, handed out from the low end.
class guest {
public:
    static constexpr std::uint64_t size = 32u << 20;
    guest();
    ~guest();
    guest(const guest &) = delete;

    unique_fd share() const; // another descriptor of it
    std::uint64_t alloc(std::uint64_t n, std::uint64_t alignment = 4096);
    // What was allocated after `mark` is given back.
    std::uint64_t mark() const { return next_; }
    void rewind(std::uint64_t mark) { next_ = mark; }
    std::span<std::byte> at(std::uint64_t address, std::uint64_t n);
    template <class Word>
    Word load(std::uint64_t address) {
        return prm::load_be<Word>(at(address, sizeof(Word)).data());
    }
    template <class Word>
    void store(std::uint64_t address, Word v) {
        prm::store_be(at(address, sizeof(Word)).data(), v);
    }

private:
    unique_fd fd_;
    std::byte *base_;
    std::uint64_t next_ = 4096;
};

struct reply {
    bool closed = false; // the server hung up instead
    std::uint32_t error = 0;
    bytes body;
};

// Device, server and client. Nothing happens in it but what a test asks for.
class machine {
public:
    explicit machine(const std::string &words = "");

    options opt;
    logger log;
    loop events;
    hca device;
    guest memory;

    // Sends raw bytes and descriptors, lets the server work, and takes a reply if there is one.
    void send(const bytes &message, const std::vector<int> &fds = {});
    reply receive();
    reply ask(std::uint16_t command, const bytes &body, const std::vector<int> &fds = {},
              std::uint32_t flags = 0);
    static bytes message(std::uint16_t command, const bytes &body, std::uint32_t flags = 0,
                         std::uint16_t id = 7);
    void introduce(); // VERSION
    void map_memory();
    bool alive() const { return alive_; }
    void run(); // whatever is pending, timers that are due included

    bytes read(unsigned region, std::uint64_t offset, std::uint32_t n);
    reply write(unsigned region, std::uint64_t offset, const bytes &data);
    std::uint32_t bar32(std::uint64_t offset);
    void bar32(std::uint64_t offset, std::uint32_t value);
    // A doorbell: eight bytes into a UAR page.
    void ring(std::uint32_t page, std::uint32_t offset, std::uint32_t first, std::uint32_t second);

private:
    unique_fd client_;
    std::unique_ptr<wire::server> server_;
    bool alive_ = true;
};

// What came back for a command.
struct answer {
    firmware::delivery delivery;
    bytes out;
    std::uint8_t status() const { return std::uint8_t(out.at(0)); }
    std::uint32_t syndrome() const { return prm::load_be<std::uint32_t>(out.data() + 4); }
    template <const auto &L, prm::fixed_string Path>
    std::uint64_t get() const {
        return prm::view<L>(out).template get<Path>();
    }
};

class driver : public machine {
public:
    explicit driver(const std::string &words = "");

    // Up to INIT_HCA, with event queues, or without.
    void bring_up();
    void create_command_eq();

    answer execute(const bytes &in, std::size_t out_size);
    template <const auto &L, std::size_t N>
    answer execute(const prm::mailbox<L, N> &in, std::size_t out_size = 16) {
        auto b = in.bytes();
        return execute(bytes(b.begin(), b.end()), out_size);
    }
    // Sets the opcode and the uid, expects success, gives the id in the third word.
    std::uint32_t create(bytes in, const char *name, std::uint16_t uid = 0);
    // A command with an id alone; status and syndrome as (status << 24 | syndrome).
    std::uint32_t simple(const char *name, std::uint32_t id, std::uint16_t uid = 0);

    // The pieces that execute() is made of.
    struct slot {
        unsigned n = 0;
        bytes in;
        std::size_t out_size = 0;
        std::uint64_t in_mailbox = 0, out_mailbox = 0;
        std::uint8_t token = 0;
    };
    slot prepare(const bytes &in, std::size_t out_size, unsigned n = 0);
    std::uint64_t entry(unsigned n) const { return queue_ + n * 64; }
    void start(unsigned n);
    bool is_done(unsigned n);
    answer finish(const slot &s);

    // Things that most objects need.
    std::uint32_t uctx();
    std::uint32_t umem(std::uint16_t uid, std::uint64_t address, std::uint64_t n,
                       bool writable = true);
    struct basics {
        std::uint16_t uid;
        std::uint32_t uar, eq, pd, umem;
        std::uint64_t memory; // that the umem is
        std::uint64_t size;
    };
    basics make_basics();

    int irq_fd(unsigned vector);      // connects it
    std::uint64_t interrupts(int fd); // since the last call

private:
    std::uint64_t queue_;
    std::uint8_t token_ = 0;
};

inline constexpr std::uint32_t refused(std::uint8_t status, firmware::syndrome s) {
    return std::uint32_t(status) << 24 | std::uint32_t(s);
}
std::uint32_t refused(firmware::syndrome s);
std::uint32_t result(const answer &a);

} // namespace hca_test
