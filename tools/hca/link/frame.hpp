// SPDX-License-Identifier: MIT
// What two HCAs say to each other on a stream: frames of a length, a kind, and fields of eight
// bytes in an order that is written down once.
//
//   hello    the LIDs of the sender
//   request  ticket and packet
//   reply    ticket, queue pair, answer
#pragma once

#include "engine/packet.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kdevx::hca::link {

enum class kind : std::uint8_t { hello = 1, request = 2, reply = 3 };

struct head {
    std::uint32_t length = 0; // of what follows
    kind what = kind::hello;
};
inline constexpr std::size_t head_size = 8;
// A piece of a message and all that is said about it.
inline constexpr std::size_t max_frame = engine::piece_size + 1024;

struct hello {
    std::uint64_t version = 1;
    std::vector<std::uint16_t> lids;
};
struct request {
    std::uint64_t ticket = 0;
    engine::packet packet;
};
struct reply {
    std::uint64_t ticket = 0;
    std::uint32_t qpn = 0;
    engine::answer answer;
};

std::vector<std::byte> encode(const hello &h);
std::vector<std::byte> encode(const request &r);
std::vector<std::byte> encode(const reply &r);

// Nothing: these bytes are no such frame.
std::optional<head> decode_head(std::span<const std::byte, head_size> bytes);
std::optional<hello> decode_hello(std::span<const std::byte> body);
std::optional<request> decode_request(std::span<const std::byte> body);
std::optional<reply> decode_reply(std::span<const std::byte> body);

} // namespace kdevx::hca::link
