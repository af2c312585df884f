// SPDX-License-Identifier: MIT
#include "core/probe.hpp"

#include "kabi/kabi.hpp"
#include "uverbs/diagnosis.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

result<bool> read_answer(const file &f, const kabi::method_base &m, int err) {
    if (err == EPROTONOSUPPORT) return false;
    // EINVAL for what is missing; EINVAL, EFAULT or EOPNOTSUPP for the attribute that was sent
    // empty: it was looked at, so it is known.
    if (err == EINVAL || err == EFAULT || err == EOPNOTSUPP) return true;
    return diagnose(f, m, err);
}

} // namespace

result<bool> probe_method(context &c, std::uint16_t object, std::uint16_t method) noexcept {
    const kabi::method_base *m = kabi::find_method(object, method);
    constexpr std::uint16_t no_attr = 0xffff;
    if (!m || !m->has_mandatory_besides(no_attr)) return invalid("method", method);
    return read_answer(c.file(), *m, ask(c.file(), object, method));
}

result<bool> probe_attr(context &c, std::uint16_t object, std::uint16_t method,
                        std::uint16_t attr) noexcept {
    const kabi::method_base *m = kabi::find_method(object, method);
    if (!m || !m->has_mandatory_besides(attr)) return invalid("method", method);
    const kabi::attr *a = m->find(attr);
    if (!a) return invalid("attr", attr);
    return read_answer(c.file(), *m, ask(c.file(), object, method, *a));
}

} // namespace kdevx::core
