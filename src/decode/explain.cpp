// SPDX-License-Identifier: MIT
#include "decode/explain.hpp"

#include "decode/text.hpp"
#include "kdevx/prm/opcodes.hpp"
#include "kdevx/prm/status.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>

namespace kdevx::decode {
namespace {

std::string_view trimmed(std::string_view s) {
    constexpr std::string_view blank = " \t\r";
    std::size_t first = s.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return s.substr(first, s.find_last_not_of(blank) - first + 1);
}

constexpr std::string_view shipped_text =
#include "shipped_syndromes.inc"
    ;

// Four columns; the last may hold anything, bars too.
std::array<std::string_view, 4> columns(std::string_view line) {
    std::array<std::string_view, 4> c{};
    for (std::size_t i = 0; i < c.size(); ++i) {
        std::size_t bar = i + 1 < c.size() ? line.find('|') : std::string_view::npos;
        c[i] = trimmed(line.substr(0, bar));
        line = bar == std::string_view::npos ? std::string_view() : line.substr(bar + 1);
    }
    return c;
}

bool parse(std::string_view s, std::uint32_t &number) {
    int base = s.starts_with("0x") ? 16 : 10;
    if (base == 16) s.remove_prefix(2);
    auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), number, base);
    return error == std::errc() && end == s.data() + s.size();
}

// What is wrong with a line, or null.
const char *parse_line(std::string_view line, syndrome &s) {
    auto [number, command, meaning, source] = columns(line);
    if (!parse(number, s.number)) return "the first column is not a 32-bit number";
    if (command != "*" && !prm::opcodes.find(command))
        return "the second column is neither * nor the name of a command";
    if (meaning.empty()) return "the third column, the meaning, is empty";
    if (source.empty()) return "the fourth column is empty: say where the meaning comes from";
    s.command = command;
    s.meaning = meaning;
    s.source = source;
    return nullptr;
}

} // namespace

std::string syndrome_list::add(std::string_view text, std::string_view file) {
    std::vector<syndrome> added;
    for (std::size_t n = 1; !text.empty(); ++n) {
        std::size_t end = text.find('\n');
        std::string_view line = trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (line.empty() || line.front() == '#') continue;
        syndrome s;
        if (const char *wrong = parse_line(line, s))
            return std::string(file) + ":" + std::to_string(n) + ": " + wrong;
        added.push_back(std::move(s));
    }
    all_.insert(all_.end(), added.begin(), added.end());
    return {};
}

std::string syndrome_list::add_file(const std::string &path) {
    std::ifstream in(path);
    if (!in) return path + ": " + std::strerror(errno);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (in.bad()) return path + ": " + std::strerror(errno);
    return add(text, path);
}

syndrome_list syndrome_list::shipped() {
    syndrome_list l;
    l.add(shipped_text, "syndromes.txt");
    return l;
}

const syndrome *syndrome_list::find(std::uint32_t number, std::string_view command) const {
    const syndrome *any = nullptr;
    for (auto s = all_.rbegin(); s != all_.rend(); ++s) {
        if (s->number != number) continue;
        if (!command.empty() && s->command == command) return &*s;
        if (!any && (s->command == "*" || command.empty())) any = &*s;
    }
    return any;
}

std::string explain(std::uint32_t status, std::uint32_t number, std::string_view command,
                    const syndrome_list &known) {
    std::string r = "status " + number_text(status);
    if (const prm::value *v = prm::statuses.find(status))
        r += " " + std::string(v->name) + ": " + std::string(v->text) + "\n";
    else
        r += ": the PRM has no such status\n";
    if (status == prm::status<"OK">) return r;
    r += "syndrome " + number_text(number) + ": ";
    if (const syndrome *s = known.find(number, command))
        return r + s->meaning + " (" + s->source +
               (s->command == "*" || s->command == command ? "" : ", for " + s->command) + ")\n";
    return r + "not known here; its meaning is the firmware's own\n";
}

} // namespace kdevx::decode
