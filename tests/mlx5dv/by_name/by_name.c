/* SPDX-License-Identifier: MIT */
/* A program that is linked with nothing of rdma-core and finds what it calls by name, as the
 * libraries of GPUs do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ibv_context;
struct ibv_device;
struct context_attr {
    uint32_t flags;
    uint64_t comp_mask;
    void *fds;
};
struct umem {
    uint32_t id;
};

static int wrong;

static void expect(const char *what, long got, long wanted) {
    printf("%s: %ld%s\n", what, got, got == wanted ? "" : " (wrong)");
    if (got != wanted) wrong = 1;
}

static struct ibv_context *open_first(void *verbs, void *mlx5) {
    struct ibv_device **(*list)(int *) = NULL;
    struct ibv_context *(*open_device)(struct ibv_device *, struct context_attr *) = NULL;
    struct context_attr attr = {.flags = 1}; /* DEVX */
    *(void **)&list = dlsym(verbs, "ibv_get_device_list");
    *(void **)&open_device = dlsym(mlx5, "mlx5dv_open_device");
    struct ibv_device **devices = list ? list(NULL) : NULL;
    return devices && devices[0] && open_device ? open_device(devices[0], &attr) : NULL;
}

static void memory(void *mlx5, struct ibv_context *c) {
    struct umem *(*reg)(struct ibv_context *, void *, size_t, uint32_t) = NULL;
    int (*dereg)(struct umem *) = NULL;
    static char room[4096];
    *(void **)&reg = dlvsym(mlx5, "mlx5dv_devx_umem_reg", "MLX5_1.7");
    *(void **)&dereg = dlvsym(mlx5, "mlx5dv_devx_umem_dereg", "MLX5_1.7");
    expect("found by version", reg && dereg, 1);
    if (!reg || !dereg) return;
    struct umem *u = reg(c, room, sizeof(room), 1);
    expect("a umem", u != NULL, 1);
    expect("ends", u ? dereg(u) : -1, 0);
}

static void commands(void *mlx5, struct ibv_context *c) {
    int (*general)(struct ibv_context *, const void *, size_t, void *, size_t) = NULL;
    uint8_t in[16] = {0x01, 0x0a}, out[112]; /* QUERY_ISSI */
    *(void **)&general = dlsym(mlx5, "mlx5dv_devx_general_cmd");
    expect("found by name", general != NULL, 1);
    if (!general) return;
    expect("QUERY_ISSI", general(c, in, sizeof(in), out, sizeof(out)), 0);
    in[1] = 0x03; /* TEARDOWN_HCA */
    expect("what users may not send", general(c, in, sizeof(in), out, sizeof(out)), EINVAL);
}

/* Every function of libmlx5's that has to do with DEVX, by the version that it has there. */
static const struct {
    const char *version, *name;
} functions[] = {
#include "functions.h"
};
enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

static int is_in(const void *function, const char *library) {
    Dl_info home;
    return function && dladdr(function, &home) && strstr(home.dli_fname, library);
}

/* How many are whose is not the same in each run of the program. */
static void versions(void *mlx5) {
    int found = 0, same = 0, of_another = 0, ours = 0;
    for (int i = 0; i < FUNCTIONS; ++i) {
        void *f = dlvsym(mlx5, functions[i].name, functions[i].version);
        found += f != NULL;
        same += f == dlsym(mlx5, functions[i].name);
        of_another += dlvsym(mlx5, functions[i].name, "MLX5_1.0") != NULL;
        ours += is_in(f, "/libkdevx-mlx5dv.so.0");
    }
    expect("found by version", found, FUNCTIONS);
    expect("which is the default one", same, FUNCTIONS);
    expect("of another version", of_another, 0);
    fprintf(stderr, "by version, in libkdevx-mlx5dv: %d\n", ours);
}

/* A function of this name in the program itself: RTLD_NEXT is to find libc's from here. */
int atoi(const char *text) {
    int (*next)(const char *) = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "atoi");
    return next && next != atoi ? next(text) + 1 : -1;
}

static void lookups(void *mlx5, void *verbs) {
    expect("the next atoi", atoi("41"), 42);
    expect("no such function", dlsym(mlx5, "mlx5dv_devx_nothing") == NULL, 1);
    expect("an error is told", dlerror() != NULL, 1);
    expect("no such version", dlvsym(mlx5, "mlx5dv_devx_general_cmd", "MLX5_1.1") == NULL, 1);
    expect("another library's", dlsym(verbs, "ibv_query_port") != NULL, 1);
}

int main(void) {
    void *verbs = dlopen("libibverbs.so.1", RTLD_NOW), *mlx5 = dlopen("libmlx5.so.1", RTLD_NOW);
    expect("libraries", verbs && mlx5, 1);
    if (!verbs || !mlx5) return 1;
    lookups(mlx5, verbs);
    versions(mlx5);
    struct ibv_context *c = open_first(verbs, mlx5);
    expect("a context", c != NULL, 1);
    if (!c) return 1;
    commands(mlx5, c);
    memory(mlx5, c);
    int (*close_device)(struct ibv_context *) = NULL;
    *(void **)&close_device = dlsym(verbs, "ibv_close_device");
    expect("closed", close_device ? close_device(c) : -1, 0);
    return wrong;
}
