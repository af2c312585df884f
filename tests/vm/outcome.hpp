// SPDX-License-Identifier: MIT
// What a call of the library came to, in a form that a test compares and Catch prints.
#pragma once

#include "catch.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iomanip>
#include <kdevx/kdevx.h>
#include <ostream>
#include <string>

namespace kdevx::vm {

struct outcome {
    int err = 0; // positive
    kdevx_failure why{};
};

// Calls a function of kdevx.h whose last parameter is `why`. What every one of them promises is
// checked here: `why` is filled on failure with the errno that is returned, and left alone on success.
template <class F, class... A>
outcome call(F function, A... arguments) {
    outcome got;
    std::memset(&got.why, 0xa5, sizeof got.why);
    const kdevx_failure before = got.why;
    got.err = -function(arguments..., &got.why);
    if (got.err) {
        CHECK(got.err == got.why.err);
    } else {
        CHECK(std::memcmp(&before, &got.why, sizeof before) == 0);
        got.why = {};
    }
    return got;
}

// One row of the HCA's table of refusals.
struct refusal {
    std::uint32_t syndrome;
    const char *status;
    const char *name;
};
namespace because {
#define SYNDROME(name, number, status, text) inline constexpr refusal name{number, status, #name};
#include "firmware/syndromes.def"
#undef SYNDROME
} // namespace because

struct expectation {
    int err = 0;
    unsigned cause = KDEVX_CAUSE_NONE;
    const refusal *reason = nullptr; // the firmware's, read from the outbox
};
inline constexpr expectation ok{};
constexpr expectation failed(int err, unsigned cause) {
    return {err, cause};
}
inline constexpr expectation invalid = failed(EINVAL, KDEVX_CAUSE_INVALID);
inline constexpr expectation not_supported = failed(EOPNOTSUPP, KDEVX_CAUSE_NOT_SUPPORTED);
// By the firmware, of a command that has an outbox.
constexpr expectation refused(const refusal &reason) {
    return {EREMOTEIO, KDEVX_CAUSE_FIRMWARE_REFUSED, &reason};
}

bool operator==(const outcome &got, const expectation &expected);
std::ostream &operator<<(std::ostream &to, const outcome &got);
std::ostream &operator<<(std::ostream &to, const expectation &expected);

} // namespace kdevx::vm
