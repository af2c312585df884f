// SPDX-License-Identifier: MIT
// Typed commands: each has a type that holds its inbox and knows its outbox. Those that programs
// send most are made by functions of this folder, which fill the opcode and whatever else is the
// same in every honest use; the rest is set by name:
//
//     auto in = typed::create_cq({.log_size = 7, .uar_page = page, .eqn = eqn, ...});
//     in.set<"cq_context.oi", 1>();
//     result<typed::made<decltype(in)>> cq = typed::create(context, in);
//     cq->answer.get<"cqn">();
//
// A command of one kind cannot be sent as another, nor be answered by another's outbox: neither
// compiles. A value that does not fit its field is not sent: INVALID, by the name of the field.
#pragma once

#include <kdevx/context.hpp>

namespace kdevx::typed {

namespace error {
// Not constexpr on purpose: reaching one of these stops the compilation and shows its name.
inline void no_command_has_this_inbox_and_this_outbox() {}
} // namespace error

// Which of the registry's rows: the layouts decide, and the class where several rows share them.
inline constexpr int any_class = -1;

template <const auto &In, const auto &Out, int Class>
consteval prm::command row_of() {
    for (const prm::command &c : prm::commands)
        if (c.in->name == In.name && c.out->name == Out.name &&
            (Class == any_class || int(c.cls) == Class))
            return c;
    error::no_command_has_this_inbox_and_this_outbox();
    return {};
}

template <const auto &In, const auto &Out, std::size_t Trailing = 0, std::size_t OutTrailing = 0,
          int Class = any_class>
struct command : prm::mailbox<In, Trailing> {
    static constexpr prm::command row = row_of<In, Out, Class>();
    using answer = prm::mailbox<Out, OutTrailing>;

    constexpr command() { this->template set<"opcode", row.opcode>(); }
};

template <class Command>
concept creates = Command::row.cls == prm::create;
template <class Command>
concept queries = Command::row.cls == prm::query;
template <class Command>
concept modifies = Command::row.cls == prm::modify;
template <class Command>
concept is_general = Command::row.cls == prm::general;

// A new object and what the firmware said about it.
template <class Command>
struct made {
    kdevx::object object;
    typename Command::answer answer;
};

template <class Command, class Send>
result<typename Command::answer> send(const Command &in, Send to) noexcept {
    kdevx_failure why{};
    if (!in.valid()) {
        why.err = EINVAL;
        why.cause = KDEVX_CAUSE_INVALID;
        why.step = in.misfit().data();
        return why;
    }
    typename Command::answer out;
    if (to(in.bytes().data(), in.bytes().size(), out.bytes().data(), out.bytes().size(), &why))
        return why;
    return out;
}

template <creates Command>
result<made<Command>> create(const context &c, const Command &in) noexcept {
    kdevx_object *o = nullptr;
    result<typename Command::answer> out = send(in, [&](const void *i, std::size_t i_size, void *b,
                                                        std::size_t b_size, kdevx_failure *why) {
        return kdevx_object_create(c.get(), i, i_size, b, b_size, &o, why);
    });
    if (!out) return out.failure();
    return made<Command>{object(o), *out};
}
template <queries Command>
result<typename Command::answer> query(const object &o, const Command &in) noexcept {
    return send(in, [&](auto... a) { return kdevx_object_query(o.get(), a...); });
}
template <modifies Command>
result<typename Command::answer> modify(const object &o, const Command &in) noexcept {
    return send(in, [&](auto... a) { return kdevx_object_modify(o.get(), a...); });
}
template <is_general Command>
result<typename Command::answer> execute(const context &c, const Command &in) noexcept {
    return send(in, [&](auto... a) { return kdevx_general_cmd(c.get(), a...); });
}

} // namespace kdevx::typed
