// SPDX-License-Identifier: MIT
// Decodes the bytes at the head of each case and compares with the text and JSON below them.
//
//     golden-decode [--update] CASE...
//
// A case begins with lines "inbox HEX", "outbox HEX", "eqe HEX" or "capability PAGE HEX", in which
// "00*12" stands for twelve zero bytes; then "---" and what is expected. The bytes were made from
// the kernel's mlx5_ifc.h, not from our tables. --update writes what is, for a person to compare.
#include "decode/command.hpp"
#include "decode/json.hpp"
#include "decode/text.hpp"

#include <fstream>
#include <iostream>
#include <sstream>

using namespace kdevx::decode;

namespace {

using storage = std::vector<std::byte>;

storage parse(std::istream &words) {
    storage b;
    for (std::string word; words >> word;) {
        std::size_t star = word.find('*'), times = 1;
        if (star != std::string::npos) times = std::stoul(word.substr(star + 1));
        word.resize(std::min(star, word.size()));
        for (; times > 0; --times)
            for (std::size_t i = 0; i + 1 < word.size(); i += 2)
                b.push_back(std::byte(std::stoul(word.substr(i, 2), nullptr, 16)));
    }
    return b;
}

std::string both(const item &i) {
    return to_text(i) + to_json(i).dump() + "\n";
}

std::string decode_line(const std::string &line, storage &inbox) {
    std::istringstream words(line);
    std::string kind;
    std::uint32_t page = 0;
    words >> kind;
    if (kind == "capability") words >> page;
    storage b = parse(words);
    if (kind == "inbox") return both(decode_inbox(inbox = b));
    if (kind == "outbox") return both(decode_outbox(inbox, b));
    if (kind == "eqe") return both(decode_eqe(b));
    if (kind == "capability") return both(decode_capability(page, b));
    return "no such kind of bytes: " + kind + "\n";
}

struct golden {
    std::string head, expected, actual;
};

golden run(const char *path) {
    golden g;
    std::ifstream in(path);
    storage inbox;
    std::string line;
    while (std::getline(in, line) && line != "---") {
        g.head += line + "\n";
        if (!line.empty() && line[0] != '#') g.actual += decode_line(line, inbox);
    }
    std::stringstream rest;
    rest << in.rdbuf();
    g.expected = rest.str();
    return g;
}

bool judge(const char *path, bool update) {
    golden g = run(path);
    if (g.head.empty()) {
        std::cerr << path << ": cannot be read, or has no bytes\n";
        return false;
    }
    if (update) std::ofstream(path) << g.head << "---\n" << g.actual;
    if (update || g.actual == g.expected) return true;
    std::cerr << path << ": expected\n" << g.expected << "but got\n" << g.actual;
    return false;
}

} // namespace

int main(int argc, char **argv) {
    bool update = argc > 1 && std::string_view(argv[1]) == "--update", good = argc > 1 + update;
    for (int i = 1 + update; i < argc; ++i)
        good = judge(argv[i], update) && good;
    std::cout << argc - 1 - update << " cases\n";
    return good ? 0 : 1;
}
