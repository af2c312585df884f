/* SPDX-License-Identifier: MIT */
/* The least that a program does: opens a device, by path or by name, and asks the firmware
 * something; with a second argument it also leads an object through its life. Exits with 0 if all
 * went well. */
#include <kdevx/kdevx.h>
#include <string.h>

enum { QUERY_ISSI = 0x10a, ALLOC_XRCD = 0x80e };

static void opcode(unsigned char *in, unsigned v) {
    memset(in, 0, 16);
    in[0] = (unsigned char)(v >> 8);
    in[1] = (unsigned char)v;
}

static int live(struct kdevx_context *c) {
    unsigned char in[16], out[16];
    struct kdevx_object *o;
    opcode(in, ALLOC_XRCD);
    if (kdevx_object_create(c, in, sizeof(in), out, sizeof(out), &o, NULL)) return 3;
    return kdevx_object_destroy(o, NULL) ? 4 : 0;
}

int main(int argc, char **argv) {
    unsigned char in[16], out[112];
    struct kdevx_context *c;
    if (argc < 2) return 1;
    int r = argv[1][0] == '/' ? kdevx_context_open_path(argv[1], NULL, &c, NULL)
                              : kdevx_context_open(argv[1], NULL, &c, NULL);
    if (r) return 1;
    opcode(in, QUERY_ISSI);
    if (kdevx_general_cmd(c, in, sizeof(in), out, sizeof(out), NULL)) return 2;
    r = argc > 2 ? live(c) : 0;
    kdevx_context_close(c);
    return r;
}
