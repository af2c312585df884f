// SPDX-License-Identifier: MIT
// The cable to another HCA: a stream socket. Whatever the other side sends, this one survives.
#pragma once

#include "engine/engine.hpp"
#include "engine/peer.hpp"
#include "link/frame.hpp"
#include "log.hpp"
#include "loop.hpp"
#include "unique_fd.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace kdevx::hca::link {

// Bytes that the other side has not taken yet; datagrams that find more than this are dropped.
inline constexpr std::size_t max_backlog = 4u << 20;

class link final : public engine::peer {
public:
    link(loop &l, logger &log, engine::engine &e, std::vector<std::uint16_t> lids);
    ~link() override;
    link(const link &) = delete;

    // Goes to whoever waits at `path`, or waits there itself. Empty, or what is wrong.
    std::string meet(const std::string &path);
    // The stream to the other side.
    void attach(unique_fd stream);
    bool is_up() const { return !theirs_.empty(); }

    bool has(std::uint16_t lid) const override;
    void request(const engine::packet &p, std::uint64_t ticket) override;

private:
    loop &loop_;
    logger &log_;
    engine::engine &engine_;
    std::vector<std::uint16_t> ours_, theirs_;
    unique_fd listening_, stream_;
    std::string path_; // that is waited at
    std::vector<std::byte> in_, out_;
    std::map<std::uint64_t, std::uint32_t> asked_; // ticket -> queue pair

    void stop_listening();
    void send(std::vector<std::byte> frame);
    void write_out();
    void read_in();
    bool take_frames();
    bool take(const head &h, std::span<const std::byte> body);
    bool take_hello(std::span<const std::byte> body);
    bool take_request(std::span<const std::byte> body);
    bool take_reply(std::span<const std::byte> body);
    void hang_up(const char *why);
};

} // namespace kdevx::hca::link
