// SPDX-License-Identifier: MIT
#include "compat/verbs/attempt.hpp"

namespace kdevx::verbs {

const char mark = 0;

namespace {

// Small enough for the room that libc keeps for libraries that are loaded later.
[[gnu::tls_model("initial-exec")]] thread_local kdevx_failure last;

} // namespace

void attempt::keep() const noexcept {
    last = why_;
}

int attempt::refused(int err, kdevx_cause cause, const char *step) noexcept {
    why_ = {};
    why_.err = err;
    why_.cause = cause;
    why_.step = step;
    return ended(-err);
}

bool attempt::takes(const ibv_context *context) noexcept {
    if (is_ours(context)) return true;
    refused(EXDEV, KDEVX_CAUSE_INVALID, "object of another library");
    return false;
}

} // namespace kdevx::verbs

std::size_t kdevx_verbs_failure(char *text, std::size_t size) {
    return kdevx_failure_text(&kdevx::verbs::last, text, size);
}
