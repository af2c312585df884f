// SPDX-License-Identifier: MIT
// Reads tests/golden/wq_*.txt: named sequences of 16-byte units in hexadecimal.
#pragma once

#include <cctype>
#include <cstdint>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace golden {

using bytes = std::vector<std::uint8_t>;

// The digits of an entry; 'w' stands for a digit of the WQE index.
inline std::map<std::string, std::string> read(const std::string &file) {
    std::ifstream in(std::string(KDEVX_GOLDEN_DIR) + "/" + file);
    if (!in) throw std::runtime_error("cannot read " + file);
    std::map<std::string, std::string> entries;
    std::string line, name;
    while (std::getline(in, line)) {
        line = line.substr(0, line.find('#'));
        if (const auto open = line.find('['); open != std::string::npos) {
            name = line.substr(open + 1, line.find(']') - open - 1);
            entries[name];
            continue;
        }
        std::string digits;
        for (char c : line)
            if (!std::isspace(static_cast<unsigned char>(c))) digits += c;
        if (digits.size() % 32) throw std::runtime_error("not whole units in " + name);
        if (!digits.empty()) entries.at(name) += digits;
    }
    return entries;
}

inline bytes with_index(std::string digits, std::uint16_t index) {
    const char *hex = "0123456789abcdef";
    int shift = 12;
    for (char &c : digits)
        if (c == 'w') {
            c = hex[index >> shift & 0xf];
            shift -= 4;
        }
    bytes out;
    for (std::size_t i = 0; i < digits.size(); i += 2)
        out.push_back(std::uint8_t(std::stoul(digits.substr(i, 2), nullptr, 16)));
    return out;
}

inline std::string hex(const bytes &b) {
    std::string s;
    for (std::size_t i = 0; i < b.size(); ++i) {
        char two[3];
        std::snprintf(two, sizeof two, "%02x", b[i]);
        s += two;
        if (i % 16 == 15)
            s += '\n';
        else if (i % 4 == 3)
            s += ' ';
    }
    return s;
}

} // namespace golden
