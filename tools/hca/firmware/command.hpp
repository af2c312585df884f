// SPDX-License-Identifier: MIT
// One command on its way through the firmware.
#pragma once

#include "firmware/syndromes.hpp"
#include "kdevx/prm/layout.hpp"

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace kdevx::hca::firmware {

struct command {
    std::uint16_t opcode = 0, op_mod = 0, uid = 0;
    std::vector<std::byte> in, out;
    std::string detail; // for the log: what it was about, or which field was wrong

    template <const auto &L>
    prm::view<L> inbox() const {
        return prm::view<L>(in);
    }
    template <const auto &L>
    prm::editor<L> outbox() {
        return prm::editor<L>(out);
    }

    // "return c.refuse(syndrome::no_such_object, "cqn {:#x}", n);"
    template <class... A>
    syndrome refuse(syndrome s, fmt::format_string<A...> format, A &&...a) {
        detail = fmt::format(format, std::forward<A>(a)...);
        return s;
    }
    template <class... A>
    void note(fmt::format_string<A...> format, A &&...a) {
        detail = fmt::format(format, std::forward<A>(a)...);
    }
};

} // namespace kdevx::hca::firmware
