// SPDX-License-Identifier: MIT
// What the kernel knows of devices and ports.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <endian.h>
#include <fcntl.h>

#include <rdma/ib_user_ioctl_verbs.h>

#include "compat/mlx5dv/call.hpp"
#include "compat/verbs/objects.hpp"
#include "core/write_command.hpp"

using namespace kdevx;
using namespace kdevx::verbs;

static_assert(sizeof(ibv_gid_entry) == sizeof(kdevx_gid) &&
              offsetof(ibv_gid_entry, ndev_ifindex) == offsetof(kdevx_gid, netdev_ifindex));

namespace {

// ---- devices -----------------------------------------------------------------------------------

result<void> ask(const ibv_context *context, ib_uverbs_ex_query_device_resp &out) {
    const ib_uverbs_ex_query_device in{};
    return core::write_command<"IB_USER_VERBS_EX_CMD_QUERY_DEVICE">(mlx5dv::file_of(context), in,
                                                                    out);
}

// Three numbers of 16 bits, the upper ones first.
void write_firmware_version(std::uint64_t v, char *text, std::size_t size) {
    std::snprintf(text, size, "%u.%u.%04u", unsigned(v >> 32) & 0xffff, unsigned(v >> 16) & 0xffff,
                  unsigned(v) & 0xffff);
}

#define KDEVX_SAME(field) to.field = decltype(to.field)(from.field)

ibv_device_attr attr_of(const ib_uverbs_query_device_resp &from) {
    ibv_device_attr to{};
    write_firmware_version(from.fw_ver, to.fw_ver, sizeof to.fw_ver);
    KDEVX_SAME(node_guid), KDEVX_SAME(sys_image_guid), KDEVX_SAME(max_mr_size);
    KDEVX_SAME(page_size_cap), KDEVX_SAME(vendor_id), KDEVX_SAME(vendor_part_id);
    KDEVX_SAME(hw_ver), KDEVX_SAME(max_qp), KDEVX_SAME(max_qp_wr), KDEVX_SAME(device_cap_flags);
    KDEVX_SAME(max_sge), KDEVX_SAME(max_sge_rd), KDEVX_SAME(max_cq), KDEVX_SAME(max_cqe);
    KDEVX_SAME(max_mr), KDEVX_SAME(max_pd), KDEVX_SAME(max_qp_rd_atom);
    KDEVX_SAME(max_ee_rd_atom), KDEVX_SAME(max_res_rd_atom), KDEVX_SAME(max_qp_init_rd_atom);
    KDEVX_SAME(max_ee_init_rd_atom), KDEVX_SAME(atomic_cap), KDEVX_SAME(max_ee);
    KDEVX_SAME(max_rdd), KDEVX_SAME(max_mw), KDEVX_SAME(max_raw_ipv6_qp);
    KDEVX_SAME(max_raw_ethy_qp), KDEVX_SAME(max_mcast_grp), KDEVX_SAME(max_mcast_qp_attach);
    KDEVX_SAME(max_total_mcast_qp_attach), KDEVX_SAME(max_ah), KDEVX_SAME(max_fmr);
    KDEVX_SAME(max_map_per_fmr), KDEVX_SAME(max_srq), KDEVX_SAME(max_srq_wr);
    KDEVX_SAME(max_srq_sge), KDEVX_SAME(max_pkeys), KDEVX_SAME(local_ca_ack_delay);
    KDEVX_SAME(phys_port_cnt);
    return to;
}

// TSO, packet pacing and PCI atomics come in the driver's part, which is not asked for: 0.
void fill(ibv_device_attr_ex &to, const ib_uverbs_ex_query_device_resp &from) {
    to.orig_attr = attr_of(from.base);
    to.odp_caps.general_caps = from.odp_caps.general_caps;
    to.odp_caps.per_transport_caps = {from.odp_caps.per_transport_caps.rc_odp_caps,
                                      from.odp_caps.per_transport_caps.uc_odp_caps,
                                      from.odp_caps.per_transport_caps.ud_odp_caps};
    to.completion_timestamp_mask = from.timestamp_mask;
    KDEVX_SAME(hca_core_clock), KDEVX_SAME(device_cap_flags_ex), KDEVX_SAME(max_wq_type_rq);
    KDEVX_SAME(raw_packet_caps), KDEVX_SAME(max_dm_size), KDEVX_SAME(xrc_odp_caps);
    to.rss_caps.supported_qpts = from.rss_caps.supported_qpts;
    to.rss_caps.max_rwq_indirection_tables = from.rss_caps.max_rwq_indirection_tables;
    to.rss_caps.max_rwq_indirection_table_size = from.rss_caps.max_rwq_indirection_table_size;
    to.tm_caps = {from.tm_caps.max_rndv_hdr_size, from.tm_caps.max_num_tags, from.tm_caps.flags,
                  from.tm_caps.max_ops, from.tm_caps.max_sge};
    to.cq_mod_caps = {from.cq_moderation_caps.max_cq_moderation_count,
                      from.cq_moderation_caps.max_cq_moderation_period};
    to.phys_port_cnt_ex = from.base.phys_port_cnt;
}

// ---- ports -------------------------------------------------------------------------------------

ibv_port_attr attr_of(const ib_uverbs_query_port_resp_ex &all) {
    const ib_uverbs_query_port_resp &from = all.legacy_resp;
    ibv_port_attr to{};
    KDEVX_SAME(state), KDEVX_SAME(max_mtu), KDEVX_SAME(active_mtu), KDEVX_SAME(gid_tbl_len);
    KDEVX_SAME(port_cap_flags), KDEVX_SAME(max_msg_sz), KDEVX_SAME(bad_pkey_cntr);
    KDEVX_SAME(qkey_viol_cntr), KDEVX_SAME(pkey_tbl_len), KDEVX_SAME(lid), KDEVX_SAME(sm_lid);
    KDEVX_SAME(lmc), KDEVX_SAME(max_vl_num), KDEVX_SAME(sm_sl), KDEVX_SAME(subnet_timeout);
    KDEVX_SAME(init_type_reply), KDEVX_SAME(active_width), KDEVX_SAME(active_speed);
    KDEVX_SAME(phys_state), KDEVX_SAME(link_layer), KDEVX_SAME(flags);
    to.port_cap_flags2 = all.port_cap_flags2;
    return to;
}

#undef KDEVX_SAME

// A word of hexadecimal digits in a file of sysfs; -errno.
int read_hex(const char *path, unsigned long &value) {
    const uverbs::sys s = verbs::system();
    char text[32] = {};
    const int fd = s.open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fd;
    const std::int64_t n = s.read(fd, text, sizeof text - 1);
    s.close(fd);
    if (n < 0) return int(n);
    value = std::strtoul(text, nullptr, 16);
    return 0;
}

int refused(attempt &a, const failure &why) {
    return *static_cast<kdevx_failure *>(a) = why, a.ended(-why.err);
}

} // namespace

int ibv_query_device(ibv_context *context, ibv_device_attr *attr) {
    attempt a;
    if (!a.takes(context)) return EXDEV;
    ib_uverbs_ex_query_device_resp told{};
    if (result<void> r = ask(context, told); !r) return refused(a, r.failure());
    *attr = attr_of(told.base);
    return 0;
}

int ibv_query_device_ex(ibv_context *context, const ibv_query_device_ex_input *input,
                        ibv_device_attr_ex *attr) {
    attempt a;
    if (!a.takes(context)) return EXDEV;
    if (input && input->comp_mask) return a.invalid("comp_mask");
    ib_uverbs_ex_query_device_resp told{};
    if (result<void> r = ask(context, told); !r) return refused(a, r.failure());
    *attr = {};
    fill(*attr, told);
    return 0;
}

__be64 ibv_get_device_guid(ibv_device *device) {
    char path[IBV_SYSFS_PATH_MAX + 16], text[32] = {};
    std::snprintf(path, sizeof path, "%s/node_guid", device->ibdev_path);
    const uverbs::sys s = verbs::system();
    const int fd = s.open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    const std::int64_t n = s.read(fd, text, sizeof text - 1);
    s.close(fd);
    std::uint64_t guid = 0; // "0002:c903:0000:0001"
    for (const char *c = text; n > 0 && *c && *c != '\n'; ++c)
        if (*c != ':')
            guid = guid << 4 | std::uint64_t(*c <= '9' ? *c - '0' : (*c | 32) - 'a' + 10);
    return htobe64(guid);
}

int ibv_query_port(ibv_context *context, std::uint8_t port_num, ibv_port_attr *port_attr) {
    attempt a;
    if (!a.takes(context)) return EXDEV;
    ib_uverbs_query_port_resp_ex told{};
    result<void> r = uverbs::invoke<kabi::device::query_port>(
        mlx5dv::file_of(context), uverbs::constant<"UVERBS_ATTR_QUERY_PORT_PORT_NUM">(port_num),
        uverbs::out_value<"UVERBS_ATTR_QUERY_PORT_RESP">(told));
    if (!r) return refused(a, r.failure());
    *port_attr = attr_of(told);
    return 0;
}

int ibv_query_gid_ex(ibv_context *context, std::uint32_t port_num, std::uint32_t gid_index,
                     ibv_gid_entry *entry, std::uint32_t flags) {
    attempt a;
    if (!a.takes(context)) return EXDEV;
    if (flags) return a.invalid("flags");
    kdevx_gid gid{};
    if (int err = a.ended(kdevx_gid_query(ours(context)->own, port_num, gid_index, &gid, a)))
        return err;
    std::memcpy(entry, &gid, sizeof gid);
    return 0;
}

// An empty entry reads as zero, as it always did.
int ibv_query_gid(ibv_context *context, std::uint8_t port_num, int index, ibv_gid *gid) {
    ibv_gid_entry entry{};
    const int err = ibv_query_gid_ex(context, port_num, std::uint32_t(index), &entry, 0);
    if (err && err != ENODATA) return -1;
    *gid = entry.gid;
    return 0;
}

ssize_t ibv_query_gid_table(ibv_context *context, ibv_gid_entry *entries, std::size_t max_entries,
                            std::uint32_t flags) {
    attempt a;
    if (!a.takes(context)) return -EXDEV;
    if (flags) return -a.invalid("flags");
    std::size_t count = 0;
    const int rc = kdevx_gid_table_query(ours(context)->own, reinterpret_cast<kdevx_gid *>(entries),
                                         max_entries, &count, a);
    return a.good(rc) ? ssize_t(count) : rc;
}

int ibv_query_pkey(ibv_context *context, std::uint8_t port_num, int index, __be16 *pkey) {
    attempt a;
    if (!a.takes(context)) return -1;
    char path[IBV_SYSFS_PATH_MAX + 40];
    std::snprintf(path, sizeof path, "%s/ports/%d/pkeys/%d", context->device->ibdev_path, port_num,
                  index);
    unsigned long value = 0;
    if (int rc = read_hex(path, value)) {
        a.refused(-rc, rc == -ENOENT ? KDEVX_CAUSE_INVALID : KDEVX_CAUSE_OTHER, "pkeys of sysfs");
        return -1;
    }
    *pkey = htobe16(std::uint16_t(value));
    return 0;
}

int ibv_get_pkey_index(ibv_context *context, std::uint8_t port_num, __be16 pkey) {
    __be16 each = 0;
    for (int i = 0; ibv_query_pkey(context, port_num, i, &each) == 0; ++i)
        if (each == pkey) return i;
    return -1;
}
