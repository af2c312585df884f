// SPDX-License-Identifier: MIT
#include "compat/mlx5dv/trace.hpp"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "compat/mlx5dv/api.hpp"
#include "compat/mlx5dv/functions.hpp"

namespace kdevx::mlx5dv {

namespace {

std::atomic<std::uint64_t> calls[function_count];

// The value of KDEVX_TRACE, or "".
const char *asked() {
    const char *value = ::secure_getenv("KDEVX_TRACE");
    return value ? value : "";
}
bool asked_for(const char *what) {
    return !std::strcmp(asked(), what);
}

// KDEVX_TRACE=count: what was called, when the program ends.
struct at_end {
    ~at_end() {
        if (*asked() && !asked_for("count") && !asked_for("calls"))
            std::fprintf(stderr, "kdevx: KDEVX_TRACE=%s is neither count nor calls\n", asked());
        if (!asked_for("count")) return;
        for (std::size_t i = 0; i < function_count; ++i)
            if (std::uint64_t n = calls[i].load())
                std::fprintf(stderr, "kdevx: %s: %llu calls\n", functions[i],
                             static_cast<unsigned long long>(n));
    }
};
const at_end summary;

} // namespace

void count(std::size_t function) noexcept {
    calls[function].fetch_add(1, std::memory_order_relaxed);
}

void tell(std::size_t function, const char *how, int err) noexcept {
    if (asked_for("calls"))
        std::fprintf(stderr, "kdevx: %s: %s %d\n", functions[function], how, err);
}

} // namespace kdevx::mlx5dv

std::uint64_t kdevx_mlx5dv_calls(const char *function) {
    std::size_t i = kdevx::mlx5dv::find_function(function);
    return i < kdevx::mlx5dv::function_count ? kdevx::mlx5dv::calls[i].load() : 0;
}
