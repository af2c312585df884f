/* SPDX-License-Identifier: MIT */
/* A program of the kind that DEVX is used by, written after the manual pages of libmlx5 and linked
 * with it. It is run as it is and with libkdevx-mlx5dv preloaded; what it prints must be the same.
 */
#include "program.h"

#include <sys/mman.h>

static int wrong;

void part(const char *name) {
    printf("@ %s\n", name);
    fflush(stdout);
}

void expect(const char *what, long got, long wanted) {
    printf("%s: %ld%s\n", what, got, got == wanted ? "" : " (wrong)");
    if (got != wanted) wrong = 1;
}

void note(const char *what, long got) {
    printf("%s: %ld\n", what, got);
}

void command(struct box *b, unsigned opcode, size_t in_size, size_t out_size) {
    memset(b, 0, sizeof(*b));
    memset(b->out, 0xee, sizeof(b->out));
    set(b->in, 0, 31, 16, opcode);
    b->in_size = in_size;
    b->out_size = out_size;
}

void set(void *box, size_t at, unsigned high, unsigned low, uint32_t value) {
    uint8_t *place = (uint8_t *)box + at;
    uint32_t mask = (high - low == 31 ? ~0u : (1u << (high - low + 1)) - 1) << low, dword = 0;
    for (int i = 0; i < 4; ++i)
        dword = dword << 8 | place[i];
    dword = (dword & ~mask) | (value << low & mask);
    for (int i = 3; i >= 0; --i, dword >>= 8)
        place[i] = (uint8_t)dword;
}

uint32_t get(const void *box, size_t at, unsigned high, unsigned low) {
    const uint8_t *place = (const uint8_t *)box + at;
    uint32_t dword = 0;
    for (int i = 0; i < 4; ++i)
        dword = dword << 8 | place[i];
    return dword >> low & (high - low == 31 ? ~0u : (1u << (high - low + 1)) - 1);
}

void *pages(size_t size) {
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) abort();
    return p;
}

static struct ibv_context *open_nth(int n) {
    int count = 0;
    struct ibv_device **list = ibv_get_device_list(&count);
    struct mlx5dv_context_attr attr = {.flags = MLX5DV_CONTEXT_FLAGS_DEVX};
    struct ibv_context *c = NULL;
    if (list && n < count && mlx5dv_is_supported(list[n])) c = mlx5dv_open_device(list[n], &attr);
    if (list) ibv_free_device_list(list);
    return c;
}

/* A context that gets the address and the fd of one that was closed. */
static void once_more(struct ibv_context *closed) {
    struct box b;
    part("close");
    expect("ibv_close_device", ibv_close_device(closed), 0);
    struct ibv_context *c = open_nth(0);
    expect("opened again", c != NULL, 1);
    if (!c) return;
    command(&b, 0x10a, 16, 112); /* QUERY_ISSI */
    expect("a command", mlx5dv_devx_general_cmd(c, b.in, b.in_size, b.out, b.out_size), 0);
    struct mlx5dv_devx_uar *uar = mlx5dv_devx_alloc_uar(c, MLX5DV_UAR_ALLOC_TYPE_NC);
    expect("a page", uar != NULL, 1);
    if (uar) *(volatile uint64_t *)uar->reg_addr = 0;
    expect("closed with the page", ibv_close_device(c), 0);
}

/* Only Ethernet has all kinds of queues. */
static void second_port(void) {
    part("verbs objects of an Ethernet port");
    struct ibv_context *c = open_nth(1);
    expect("a DEVX context", c != NULL, 1);
    if (!c) return;
    verbs_objects(c);
    expect("ibv_close_device", ibv_close_device(c), 0);
}

int main(void) {
    part("open");
    struct ibv_context *c = open_nth(0);
    expect("a DEVX context", c != NULL, 1);
    if (!c) return 1;
    commands(c);
    objects(c);
    events(c);
    memory(c);
    device_pages(c);
    part("verbs objects");
    verbs_objects(c);
    queue_pair(c);
    shared_file(c);
    second_port();
    once_more(c);
    return wrong;
}
