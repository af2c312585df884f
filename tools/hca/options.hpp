// SPDX-License-Identifier: MIT
// What can be chosen on the command line: three paths, and key=value for the rest.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace kdevx::hca {

inline constexpr unsigned most_ports = 2;

struct options {
    std::string socket, log, control;
    std::string link; // link=PATH: where to meet the other HCA

    bool infiniband = true;                  // port=ib|eth
    unsigned ports = 1;                      // ports=1|2
    std::uint16_t device_id = 0x101b;        // devid=
    unsigned vectors = 8;                    // vectors=: MSI-X vectors
    std::uint16_t lid = 1;                   // lid=: of port 1; port 2 has the next one
    std::uint64_t guid = 0x6b64657678000000; // guid=: node GUID; port n has guid + n
    bool blueflame = false;                  // bf=0|1
    bool inject = false;                     // inject=0|1: faults from inside the guest
    unsigned command_timeout = 0;            // cmd_exec_to=: seconds, 0 is the driver's own
    std::vector<std::pair<std::string, std::uint64_t>>
        caps; // cap.NAME=, over log_max_uctx= and all
};

// Takes one key=value. Empty: done; else what is wrong with it, for the user.
std::string set_option(options &o, const std::string &word);
// The keys and what they mean, one per line.
std::string option_help();

} // namespace kdevx::hca
