// SPDX-License-Identifier: MIT
#include "compat/mlx5dv/next.hpp"

#include <cstddef>
#include <dlfcn.h>

namespace kdevx::mlx5dv {

namespace {

constexpr const char *owners[] = {"libmlx5.so.1", "libibverbs.so.1"};

// libibverbs loads its providers, and some programs both, where RTLD_NEXT does not look.
void *in_loaded(const char *library, const char *function) {
    void *handle = ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle) return nullptr;
    void *found = ::dlsym(handle, function);
    ::dlclose(handle); // whoever loaded it keeps it
    return found;
}

} // namespace

void *next(const char *function) noexcept {
    if (void *found = ::dlsym(RTLD_NEXT, function)) return found;
    for (const char *library : owners)
        if (void *found = in_loaded(library, function)) return found;
    return nullptr;
}

} // namespace kdevx::mlx5dv
