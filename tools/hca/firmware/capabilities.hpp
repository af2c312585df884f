// SPDX-License-Identifier: MIT
// The capability pages: what this HCA says it can do. Current and maximal values are two pages; the
// driver may lower the current ones before INIT_HCA.
#pragma once

#include "firmware/command.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace kdevx::hca {
struct options;
}

namespace kdevx::hca::firmware {

inline constexpr std::size_t capability_page_size = 4096;

class capabilities {
public:
    explicit capabilities(const options &o);

    // A field of the current general page, by PRM name.
    std::uint64_t general(std::string_view field) const;
    std::uint64_t get(std::uint16_t type, std::string_view field) const;
    void reset();

    syndrome query(command &c) const; // QUERY_HCA_CAP
    syndrome set(command &c);         // SET_HCA_CAP

private:
    using page = std::array<std::byte, capability_page_size>;
    std::map<std::uint16_t, page> current_, max_; // by type

    void put(std::uint16_t type, std::string_view field, std::uint64_t value,
             std::uint32_t index = 0);
    void put_general(const options &o);
    void put_steering();
    void put_events();
    void put_atomics();
};

// Whether the general page has such a field and the field holds the value: empty, or what is wrong.
std::string check_capability(std::string_view field, std::uint64_t value);

} // namespace kdevx::hca::firmware
