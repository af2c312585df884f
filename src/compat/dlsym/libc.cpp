// SPDX-License-Identifier: MIT
#include "compat/dlsym/libc.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

namespace kdevx::dlsym {

namespace {

// The tables of a loaded library that a symbol is found by.
struct library {
    ElfW(Addr) base = 0;
    const ElfW(Sym) *symbols = nullptr;
    const char *names = nullptr;
    const std::uint32_t *hash = nullptr;
    const ElfW(Half) *versions = nullptr;
};

library read(const link_map &map) {
    library l;
    l.base = map.l_addr;
    for (const ElfW(Dyn) *d = map.l_ld; d->d_tag != DT_NULL; ++d) {
        auto *at = reinterpret_cast<const void *>(d->d_un.d_ptr);
        if (d->d_tag == DT_SYMTAB) l.symbols = static_cast<const ElfW(Sym) *>(at);
        if (d->d_tag == DT_STRTAB) l.names = static_cast<const char *>(at);
        if (d->d_tag == DT_GNU_HASH) l.hash = static_cast<const std::uint32_t *>(at);
        if (d->d_tag == DT_VERSYM) l.versions = static_cast<const ElfW(Half) *>(at);
    }
    return l;
}

std::uint32_t gnu_hash(const char *name) {
    std::uint32_t h = 5381;
    for (; *name; ++name)
        h = h * 33 + static_cast<unsigned char>(*name);
    return h;
}

constexpr ElfW(Half) not_default = 0x8000;

bool is_it(const library &l, std::size_t i, const char *name) {
    return l.symbols[i].st_value && !(l.versions[i] & not_default) &&
           !std::strcmp(l.names + l.symbols[i].st_name, name);
}

// The table: sizes, a filter, the first symbol of each bucket, and a chain of hashes whose last
// member is odd.
void *find(const library &l, const char *name) {
    if (!l.symbols || !l.names || !l.hash || !l.versions) return nullptr;
    const std::uint32_t count = l.hash[0], first = l.hash[1], filter = l.hash[2];
    const std::uint32_t *buckets = l.hash + 4 + filter * (sizeof(ElfW(Addr)) / 4);
    const std::uint32_t *chain = buckets + count, h = gnu_hash(name);
    for (std::uint32_t i = buckets[h % count]; i >= first; ++i) {
        const std::uint32_t link = chain[i - first];
        if ((link | 1) == (h | 1) && is_it(l, i, name))
            return reinterpret_cast<void *>(l.base + l.symbols[i].st_value);
        if (link & 1) break;
    }
    return nullptr;
}

constexpr const char *homes[] = {"libc.so.6", "libdl.so.2"};

} // namespace

void *in_libc(const char *function) noexcept {
    for (const char *home : homes) {
        void *handle = ::dlopen(home, RTLD_LAZY | RTLD_NOLOAD);
        if (!handle) continue;
        void *found = find(read(*static_cast<const link_map *>(handle)), function);
        ::dlclose(handle);
        if (found) return found;
    }
    return nullptr;
}

} // namespace kdevx::dlsym
