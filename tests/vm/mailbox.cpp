// SPDX-License-Identifier: MIT
#include "mailbox.hpp"

#include <stdexcept>
#include <string>

namespace kdevx::vm {

namespace {

// "rqt_context.rq_num[1].rq_num": the layouts' own paths know no elements of arrays of layouts.
prm::place find_element(const prm::layout_base &l, std::string_view path) {
    const std::size_t open = path.find('['), close = path.find(']');
    if (open == path.npos || close == path.npos) return prm::find_place(l, path);
    const prm::place array = prm::find_place(l, path.substr(0, open));
    if (!array.row.nested) return {};
    const auto index = std::stoul(std::string(path.substr(open + 1, close - open - 1)));
    prm::place p = prm::find_place(*array.row.nested, path.substr(close + 2));
    p.row.offset += array.row.offset + std::uint32_t(index) * array.row.nested->size;
    return p;
}

} // namespace

prm::place box::find(std::string_view path) const {
    const prm::place p = find_element(*layout_, path);
    if (p.row.name.empty())
        throw std::logic_error(std::string(layout_->name) + " has no " + std::string(path));
    return p;
}

void box::set(std::string_view path, std::uint64_t value, std::uint32_t index) {
    if (!find(path).put(bytes_, value, index))
        throw std::logic_error(std::to_string(value) + " does not fit " + std::string(path));
}

std::uint64_t box::get(std::string_view path, std::uint32_t index) const {
    return find(path).get(bytes_, index);
}

exchange::exchange(std::string_view command, std::size_t more_in, std::size_t more_out)
    : row(command_named(command)), in(*row.in, more_in), out(*row.out, more_out) {
    in.set("opcode", row.opcode);
}

exchange::exchange(std::string_view command, const prm::layout_base &inbox)
    : row(command_named(command)), in(inbox), out(*row.out) {
    prm::find_place(*row.in, "opcode").put(in.span(), row.opcode);
}

const prm::command &command_named(std::string_view name) {
    for (const prm::command &c : prm::commands)
        if (c.name == name) return c;
    throw std::logic_error("no command " + std::string(name));
}

} // namespace kdevx::vm
