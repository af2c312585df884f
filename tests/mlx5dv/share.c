/* SPDX-License-Identifier: MIT */
/* Export and import, which only the newest releases have. */
#include "program.h"

#include <dlfcn.h>
#include <unistd.h>

struct sizes {
    uint32_t var, umem, obj;
};
static void (*sizes_of)(struct sizes *, size_t);
static int (*export_obj)(struct mlx5dv_devx_obj *, void *);
static struct mlx5dv_devx_obj *(*import_obj)(struct ibv_context *, void *);
static void (*unimport_obj)(struct mlx5dv_devx_obj *);
static int (*export_umem)(struct mlx5dv_devx_umem *, void *);
static struct mlx5dv_devx_umem *(*import_umem)(struct ibv_context *, void *);
static void (*unimport_umem)(struct mlx5dv_devx_umem *);
static int (*export_uar)(struct mlx5dv_devx_uar *);

static void find_all(void) {
#ifdef SYNOPSIS_mlx5dv_devx_obj_export /* of the types that their manual pages give them */
    export_obj = mlx5dv_devx_obj_export;
    import_obj = mlx5dv_devx_obj_import;
    unimport_obj = mlx5dv_devx_obj_unimport;
    export_umem = mlx5dv_devx_umem_export;
    import_umem = mlx5dv_devx_umem_import;
    unimport_umem = mlx5dv_devx_umem_unimport;
    export_uar = mlx5dv_devx_uar_export_dmabuf_fd;
#endif
    *(void **)&sizes_of = dlsym(RTLD_DEFAULT, "_mlx5dv_get_export_sizes");
}

/* Whether this libmlx5 has it is asked of libmlx5; what is called is what the program sees. */
static int they_have_it(void) {
    void *libmlx5 = dlopen("libmlx5.so.1", RTLD_LAZY);
    if (!libmlx5 || !dlsym(libmlx5, "mlx5dv_devx_obj_export")) return 0;
    find_all();
    return sizes_of && export_obj && export_uar;
}

static void objects_of(struct ibv_context *c, struct devx_cq *cq) {
    uint8_t data[64];
    struct box b;
    expect("export", export_obj(cq->obj, data), 0);
    struct mlx5dv_devx_obj *other = import_obj(c, data);
    expect("import", other != NULL, 1);
    command(&b, 0x402, 16, 0x110);
    set(b.in, 8, 23, 0, cq->number);
    expect("query", mlx5dv_devx_obj_query(other, b.in, b.in_size, b.out, b.out_size), 0);
    unimport_obj(other);
    expect("export a umem", export_umem(cq->umem, data), 0);
    struct mlx5dv_devx_umem *umem = import_umem(c, data);
    expect("its id", umem && umem->umem_id == cq->umem->umem_id, 1);
    if (umem) unimport_umem(umem);
}

/* Only newer kernels make a dmabuf of a page of the device, and not on every platform. */
static void page_of_the_device(struct ibv_context *c) {
    struct mlx5dv_devx_uar *uar = mlx5dv_devx_alloc_uar(c, MLX5DV_UAR_ALLOC_TYPE_NC);
    expect("a UAR", uar != NULL, 1);
    if (!uar) return;
    const int fd = export_uar(uar);
    note("as a dmabuf, errno", fd >= 0 ? 0 : errno);
    if (fd >= 0) close(fd);
    mlx5dv_devx_free_uar(uar);
}

void shared_file(struct ibv_context *c) {
    struct sizes sizes;
    struct devx_cq cq;
    part("export and import");
    const int there = they_have_it();
    note("this libmlx5 has them", there);
    if (!there) return;
    sizes_of(&sizes, sizeof(sizes));
    expect("bytes of a VAR", sizes.var, 24);
    expect("of a umem", sizes.umem, 8);
    expect("of an object", sizes.obj, 32);
    expect("a CQ", make_cq(c, &cq), 0);
    if (cq.obj) objects_of(c, &cq);
    end_cq(&cq);
    page_of_the_device(c);
}
