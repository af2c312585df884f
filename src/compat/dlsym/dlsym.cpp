// SPDX-License-Identifier: MIT
// dlsym and dlvsym for programs that look up libmlx5's functions by name: what libkdevx-mlx5dv
// defines is found there, whatever handle it is looked up by. Everything else is libc's affair.
#include <atomic>
#include <cstring>

#include <dlfcn.h>
#include <infiniband/mlx5dv.h>

#include "compat/dlsym/libc.hpp"

#ifdef __clang__
#define TAIL_CALL [[clang::musttail]]
#define WITH_TAIL_CALLS
#else
#define TAIL_CALL
#define WITH_TAIL_CALLS __attribute__((optimize("O2"), no_sanitize("address", "undefined")))
#endif

namespace {

using kdevx::dlsym::in_libc;

using by_name = void *(void *, const char *);
using by_version = void *(void *, const char *, const char *);

std::atomic<void *> by_name_in_libc, by_version_in_libc;

// The same answer in each thread that asks first.
template <class Function>
Function *real(std::atomic<void *> &known, const char *name) noexcept {
    void *f = known.load(std::memory_order_relaxed);
    if (!f) known.store(f = in_libc(name), std::memory_order_relaxed);
    return reinterpret_cast<Function *>(f);
}
by_name *real_dlsym() noexcept {
    return real<by_name>(by_name_in_libc, "dlsym");
}
by_version *real_dlvsym() noexcept {
    return real<by_version>(by_version_in_libc, "dlvsym");
}

bool may_be_ours(const char *name) {
    return !std::strncmp(name, "mlx5dv_", 7) || !std::strncmp(name, "_mlx5dv_", 8) ||
           !std::strcmp(name, "ibv_close_device");
}

// RTLD_NEXT means something else for each caller, and by RTLD_DEFAULT what is preloaded comes
// first.
bool is_a_library(void *handle) {
    return handle != RTLD_NEXT && handle != RTLD_DEFAULT;
}

// The file of libkdevx-mlx5dv, which this library is linked with.
Dl_info our_file() noexcept {
    Dl_info ours{};
    ::dladdr(reinterpret_cast<const void *>(&kdevx_mlx5dv_calls), &ours);
    return ours;
}

// It looks for the library behind it, and must not find itself.
bool is_ours(const void *caller) noexcept {
    Dl_info from{};
    return ::dladdr(caller, &from) && from.dli_fbase == our_file().dli_fbase;
}

void *look_up(void *handle, const char *name, const char *version) noexcept {
    return version ? real_dlvsym()(handle, name, version) : real_dlsym()(handle, name);
}

// Only where the library that was asked has the function itself.
void *taken_over(const void *caller, void *handle, const char *name, const char *version) noexcept {
    if (!is_a_library(handle) || !name || !may_be_ours(name) || is_ours(caller)) return nullptr;
    if (!look_up(handle, name, version)) return nullptr;
    void *ours = ::dlopen(our_file().dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!ours) return nullptr;
    void *found = look_up(ours, name, version);
    ::dlclose(ours);
    return found;
}

} // namespace

// The real function looks at who called it: it must be left to believe that it was the program.

extern "C" __attribute__((visibility("default"))) WITH_TAIL_CALLS void *
dlsym(void *handle, const char *name) noexcept {
    if (void *found = taken_over(__builtin_return_address(0), handle, name, nullptr)) return found;
    TAIL_CALL return real_dlsym()(handle, name);
}

extern "C" __attribute__((visibility("default"))) WITH_TAIL_CALLS void *
dlvsym(void *handle, const char *name, const char *version) noexcept {
    if (void *found = taken_over(__builtin_return_address(0), handle, name, version)) return found;
    TAIL_CALL return real_dlvsym()(handle, name, version);
}
