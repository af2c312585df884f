/* SPDX-License-Identifier: MIT */
/* libkdevx-mlx5dv before another library that defines the same functions, and no device at all. */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <stdio.h>
#include <sys/ioctl.h>

extern int other_freed_uar, other_closed;
static int cases, wrong;

static void expect(const char *what, long got, long wanted) {
    ++cases;
    wrong += got != wanted;
    if (got != wanted) printf("%s: %ld, not %ld\n", what, got, wanted);
}

/* No uverbs file: everything goes to the other library, by the context or by the object. */
static void vfio(void) {
    struct ibv_context c = {.cmd_fd = -1};
    char in[16] = {0}, out[32];
    expect("a command", mlx5dv_devx_general_cmd(&c, in, 16, out, 32), 48);
    struct mlx5dv_devx_obj *obj = mlx5dv_devx_obj_create(&c, in, 16, out, 32);
    expect("an object", obj && mlx5dv_devx_obj_destroy(obj) == 77, 1);
    struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg(&c, in, 16, 0);
    expect("a umem", umem && mlx5dv_devx_umem_dereg(umem) == 78, 1);
    struct mlx5dv_devx_uar *uar = mlx5dv_devx_alloc_uar(&c, 0);
    expect("a UAR", uar && uar->page_id == 6, 1);
    if (uar) mlx5dv_devx_free_uar(uar);
    expect("freed there", other_freed_uar, 1);
    errno = 0;
    expect("what it has not", mlx5dv_devx_create_cmd_comp(&c) == NULL && errno == EOPNOTSUPP, 1);
    expect("an EQ", mlx5dv_devx_create_eq(&c, in, 16, out, 32) == NULL && errno == EOPNOTSUPP, 1);
    expect("closed there", ibv_close_device(&c) == 1 && other_closed == 1, 1);
}

/* The kernel's own word on a file that is not of uverbs: ENOTTY, or ENOSYS where qemu-user is
 * between. */
static int refusal(int fd) {
    struct ib_uverbs_ioctl_hdr request = {.length = sizeof(request)};
    return ioctl(fd, RDMA_VERBS_IOCTL, &request) < 0 ? errno : 0;
}

/* A file: ours, and only changes of a QP's state go to its owner. */
static void file(void) {
    struct ibv_context c = {.cmd_fd = open("/dev/null", O_RDWR)};
    struct ibv_qp qp = {.context = &c};
    int refused = refusal(c.cmd_fd);
    char rst2init[16] = {0x05, 0x02}, modify_sq[16] = {0x09, 0x05}, out[16];
    expect("a command", mlx5dv_devx_general_cmd(&c, modify_sq, 16, out, 16), refused);
    expect("another state", mlx5dv_devx_qp_modify(&qp, rst2init, 16, out, 16), 79);
    expect("no other state", mlx5dv_devx_qp_modify(&qp, modify_sq, 16, out, 16), refused);
    expect("a kernel has no EQs", mlx5dv_devx_create_eq(&c, rst2init, 16, out, 16) == NULL, 1);
    expect("errno", errno, EOPNOTSUPP);
    printf("refused with %d\n", refused);
    expect("how often it was called", (long)kdevx_mlx5dv_calls("mlx5dv_devx_general_cmd"), 2);
    expect("no such function", (long)kdevx_mlx5dv_calls("mlx5dv_nothing"), 0);
}

int main(void) {
    vfio();
    file();
    printf("%d passed\n", cases - wrong);
    return wrong != 0;
}
