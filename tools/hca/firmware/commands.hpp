// SPDX-License-Identifier: MIT
// What the HCA does with each opcode: the table of commands that are not about objects, and the way
// from an inbox to the handler.
#pragma once

#include "firmware/command.hpp"
#include "firmware/state.hpp"

namespace kdevx::hca::firmware {

// A command with a handler of its own. Layouts come from the registry (prm/commands.hpp). Commands
// that have no row here create, query, modify or destroy an object of object_types, or are unknown.
struct command_row {
    std::uint16_t opcode;
    phase from; // refused before
    bool users; // whether uids other than 0 may send it
    syndrome (*run)(state &s, command &c);
};

std::span<const command_row> command_rows();

// Opcode, op_mod and uid, out of the inbox.
void read_head(command &c);
// Runs one command whose head is read. What it has to say is in c.out then.
syndrome run_command(state &s, command &c);
// Fills the outbox of a command that ended so: nothing is left in a refused one but the reason.
void conclude(command &c, syndrome why);
void refuse_command(command &c, std::uint8_t status, std::uint32_t syndrome);

// "CREATE_CQ(0x400)"
std::string opcode_name(std::uint16_t opcode);

} // namespace kdevx::hca::firmware
