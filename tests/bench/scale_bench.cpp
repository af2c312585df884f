// SPDX-License-Identifier: MIT
// kdevx-scale-bench KIND N FROM TO: makes and ends N objects of a kind, those from FROM to TO by a
// function of their own, so that callgrind can count what the library does for these. The kernel is
// made up here: it says yes to everything. Prints what an object takes of memory.
#include "kabi/kabi.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <kdevx/kdevx.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <string_view>
#include <vector>

namespace {

// ---- the kernel

std::uint32_t handles = 0;
std::size_t taken = 0; // bytes, by the library

void fill_in(ib_uverbs_attr &a, const kdevx::kabi::attr &row) {
    if (row.kind == kdevx::kabi::new_handle) a.data = handles++;
    if (row.kind != kdevx::kabi::ptr_out) return;
    std::memset(reinterpret_cast<void *>(std::uintptr_t(a.data)), 0, a.len);
    a.flags |= UVERBS_ATTR_F_VALID_OUTPUT;
}

int answer(void *argument) {
    auto *h = static_cast<ib_uverbs_ioctl_hdr *>(argument);
    const auto *m = kdevx::kabi::find_method(h->object_id, h->method_id);
    for (unsigned i = 0; m && i < h->num_attrs; ++i)
        if (const auto *row = m->find(h->attrs[i].attr_id)) fill_in(h->attrs[i], *row);
    return m ? 0 : -EPROTONOSUPPORT;
}
// Entered only while something is counted, and not counted.
[[gnu::noinline]] int uncounted_answer(void *argument) {
    return answer(argument);
}
bool counting = false;

int made_up_ioctl(void *, int, unsigned long, void *argument) {
    return counting ? uncounted_answer(argument) : answer(argument);
}
int made_up_open(void *, const char *, int) {
    return 1000;
}
int made_up_close(void *, int) {
    return 0;
}
void *made_up_allocate(void *, std::size_t size) {
    taken += size;
    return std::malloc(size);
}
void made_up_release(void *, void *memory) {
    std::free(memory);
}

kdevx_context *open_context() {
    kdevx_sys sys{};
    sys.size = sizeof sys;
    sys.open = made_up_open;
    sys.close = made_up_close;
    sys.ioctl = made_up_ioctl;
    sys.allocate = made_up_allocate;
    sys.release = made_up_release;
    kdevx_open_options o{};
    o.size = sizeof o;
    o.sys = &sys;
    kdevx_context *c = nullptr;
    kdevx_failure why{};
    if (kdevx_context_open_path("/dev/infiniband/uverbs0", &o, &c, &why) == 0) return c;
    char text[200];
    std::fprintf(stderr, "%s\n", (kdevx_failure_text(&why, text, sizeof text), text));
    std::exit(1);
}

// ---- the objects

alignas(4096) char memory[4096];

struct kind {
    const char *name;
    int (*make)(kdevx_context *, void **);
    int (*end)(void *);
};

template <class T>
int given(int result, T *const &made, void **to) {
    *to = made;
    return result;
}

int make_pd(kdevx_context *c, void **to) {
    kdevx_pd *made = nullptr;
    return given(kdevx_pd_alloc(c, &made, nullptr), made, to);
}
int make_object(kdevx_context *c, void **to) {
    static const unsigned char alloc_pd[16] = {0x08};
    unsigned char out[16];
    kdevx_object *made = nullptr;
    return given(kdevx_object_create(c, alloc_pd, sizeof alloc_pd, out, sizeof out, &made, nullptr),
                 made, to);
}
int make_umem(kdevx_context *c, void **to) {
    kdevx_umem *made = nullptr;
    return given(kdevx_umem_reg(c, memory, sizeof memory, nullptr, &made, nullptr), made, to);
}

template <class T, int (*End)(T *, kdevx_failure *) noexcept>
int end(void *made) {
    return End(static_cast<T *>(made), nullptr);
}

constexpr kind kinds[] = {
    {"pd", make_pd, end<kdevx_pd, kdevx_pd_dealloc>},
    {"object", make_object, end<kdevx_object, kdevx_object_destroy>},
    {"umem", make_umem, end<kdevx_umem, kdevx_umem_dereg>},
};

const kind *find(std::string_view name) {
    for (const kind &k : kinds)
        if (k.name == name) return &k;
    return nullptr;
}

[[gnu::noinline]] int counted_make(const kind &k, kdevx_context *c, void **to) {
    counting = true;
    const int result = k.make(c, to);
    counting = false;
    return result;
}
[[gnu::noinline]] int counted_end(const kind &k, void *made) {
    counting = true;
    const int result = k.end(made);
    counting = false;
    return result;
}

} // namespace

int main(int argc, char **argv) {
    const kind *k = argc == 5 ? find(argv[1]) : nullptr;
    if (!k) return std::fprintf(stderr, "usage: kdevx-scale-bench KIND N FROM TO\n"), 1;
    const std::size_t n = std::strtoul(argv[2], nullptr, 0),
                      from = std::strtoul(argv[3], nullptr, 0),
                      to = std::strtoul(argv[4], nullptr, 0);
    kdevx_context *c = open_context();
    const std::size_t before = taken;
    std::vector<void *> all(n);
    for (std::size_t i = 0; i < n; ++i)
        if (i >= from && i < to ? counted_make(*k, c, &all[i]) : k->make(c, &all[i])) return 1;
    std::printf("%.1f\n", double(taken - before) / double(n));
    for (std::size_t i = 0; i < n; ++i)
        if (i >= from && i < to ? counted_end(*k, all[i]) : k->end(all[i])) return 1;
    kdevx_context_close(c);
    return 0;
}
