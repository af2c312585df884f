// SPDX-License-Identifier: MIT
// Mailboxes whose fields are named at run time, for tests that are tables. A name that a layout does
// not have, or a value that does not fit, ends the test.
#pragma once

#include "kdevx/prm/commands.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace kdevx::vm {

class box {
    const prm::layout_base *layout_;
    std::vector<std::byte> bytes_;

    prm::place find(std::string_view path) const;

public:
    explicit box(const prm::layout_base &layout, std::size_t more = 0)
        : layout_(&layout), bytes_(layout.size + more) {}

    bool has(std::string_view path) const {
        return !prm::find_place(*layout_, path).row.name.empty();
    }
    void set(std::string_view path, std::uint64_t value, std::uint32_t index = 0);
    std::uint64_t get(std::string_view path, std::uint32_t index = 0) const;
    void fill(std::byte b) { bytes_.assign(bytes_.size(), b); }
    void resize(std::size_t size) { bytes_.resize(size); }
    std::byte *data() { return bytes_.data(); }
    const std::byte *data() const { return bytes_.data(); }
    std::size_t size() const { return bytes_.size(); }
    std::span<std::byte> span() { return bytes_; }
    const std::vector<std::byte> &bytes() const { return bytes_; }
};

// A command by its PRM name: the inbox, opcode filled in, and the outbox.
struct exchange {
    const prm::command &row;
    box in, out;

    explicit exchange(std::string_view command, std::size_t more_in = 0, std::size_t more_out = 0);

    // With a longer inbox than the registry's: a general object behind its header.
    exchange(std::string_view command, const prm::layout_base &inbox);

    exchange &set(std::string_view path, std::uint64_t value, std::uint32_t index = 0) {
        in.set(path, value, index);
        return *this;
    }
    std::uint64_t get(std::string_view path, std::uint32_t index = 0) const {
        return out.get(path, index);
    }
};

// The row of a command; ends the test if there is none.
const prm::command &command_named(std::string_view name);
constexpr std::uint16_t opcode(std::string_view name) {
    return std::uint16_t(prm::opcodes.find(name)->number);
}

} // namespace kdevx::vm
