// SPDX-License-Identifier: MIT
#include "netlink/message.hpp"

#include <cstdint>
#include <cstring>

#include <netlink/attr.h>
#include <netlink/msg.h>
#include <rdma/rdma_netlink.h>

namespace kdevx::nl {

#define KIND(lower, UPPER, number)                                                                 \
    {                                                                                              \
        lower, "RES_" #UPPER "_GET", RDMA_NLDEV_CMD_RES_##UPPER##_GET,                             \
            RDMA_NLDEV_ATTR_RES_##UPPER, RDMA_NLDEV_ATTR_RES_##UPPER##_ENTRY,                      \
            RDMA_NLDEV_ATTR_RES_##number                                                           \
    }
const resource_names resource_kinds[KDEVX_NL_KINDS] = {
    KIND("pd", PD, PDN),          KIND("cq", CQ, CQN), KIND("qp", QP, LQPN),
    KIND("cm_id", CM_ID, CM_IDN), KIND("mr", MR, MRN), KIND("ctx", CTX, CTXN),
    KIND("srq", SRQ, SRQN),
};
#undef KIND

namespace {

using table = nlattr *[RDMA_NLDEV_ATTR_MAX];

bool parse(const nlmsghdr *message, table &attrs) {
    return nlmsg_parse(const_cast<nlmsghdr *>(message), 0, attrs, RDMA_NLDEV_ATTR_MAX - 1,
                       nullptr) >= 0;
}
bool parse(nlattr *nest, table &attrs) {
    return nla_parse_nested(attrs, RDMA_NLDEV_ATTR_MAX - 1, nest, nullptr) >= 0;
}

// A number of whatever width the kernel chose to send; false when it is not there.
template <class T>
bool number(const table &attrs, int id, T &out) {
    const nlattr *a = attrs[id];
    if (!a) return false;
    std::uint64_t wide = 0;
    switch (nla_len(a)) {
    case 1:
        wide = nla_get_u8(a);
        break;
    case 2:
        wide = nla_get_u16(a);
        break;
    case 4:
        wide = nla_get_u32(a);
        break;
    case 8:
        wide = nla_get_u64(a);
        break;
    default:
        return false;
    }
    out = T(wide);
    return wide == out;
}

template <std::size_t N>
bool text(const table &attrs, int id, char (&out)[N]) {
    out[0] = 0;
    if (!attrs[id]) return false;
    return nla_strlcpy(out, attrs[id], N) > 0;
}

struct number_field {
    int attr;
    kdevx_nl_field bit;
    std::uint32_t kdevx_nl_resource::*member;
};
constexpr number_field numbers[] = {
    {RDMA_NLDEV_ATTR_RES_PID, KDEVX_NL_HAS_PID, &kdevx_nl_resource::pid},
    {RDMA_NLDEV_ATTR_RES_PDN, KDEVX_NL_HAS_PDN, &kdevx_nl_resource::pdn},
    {RDMA_NLDEV_ATTR_RES_CQN, KDEVX_NL_HAS_CQN, &kdevx_nl_resource::cqn},
    {RDMA_NLDEV_ATTR_RES_CTXN, KDEVX_NL_HAS_CTXN, &kdevx_nl_resource::ctxn},
    {RDMA_NLDEV_ATTR_PORT_INDEX, KDEVX_NL_HAS_PORT, &kdevx_nl_resource::port},
    {RDMA_NLDEV_ATTR_RES_RQPN, KDEVX_NL_HAS_REMOTE_QPN, &kdevx_nl_resource::remote_qpn},
    {RDMA_NLDEV_ATTR_RES_SQ_PSN, KDEVX_NL_HAS_PSN, &kdevx_nl_resource::sq_psn},
    {RDMA_NLDEV_ATTR_RES_CQE, KDEVX_NL_HAS_CQE, &kdevx_nl_resource::cqe},
};

bool parse_resource(const table &attrs, kdevx_nl_kind kind, kdevx_nl_resource &r) {
    r = {};
    r.kind = kind;
    auto note = [&](bool there, kdevx_nl_field bit) { r.present |= there ? bit : 0; };
    for (const number_field &f : numbers)
        note(number(attrs, f.attr, r.*f.member), f.bit);
    note(number(attrs, RDMA_NLDEV_ATTR_RES_TYPE, r.type), KDEVX_NL_HAS_TYPE);
    note(number(attrs, RDMA_NLDEV_ATTR_RES_STATE, r.state), KDEVX_NL_HAS_STATE);
    note(number(attrs, RDMA_NLDEV_ATTR_RES_USECNT, r.users), KDEVX_NL_HAS_USERS);
    note(number(attrs, RDMA_NLDEV_ATTR_RES_MRLEN, r.length), KDEVX_NL_HAS_LENGTH);
    bool lkey = number(attrs, RDMA_NLDEV_ATTR_RES_LKEY, r.lkey);
    note(number(attrs, RDMA_NLDEV_ATTR_RES_RKEY, r.rkey) && lkey, KDEVX_NL_HAS_KEYS);
    text(attrs, RDMA_NLDEV_ATTR_RES_KERN_NAME, r.owner);
    return number(attrs, resource_kinds[kind].id, r.id);
}

} // namespace

bool parse_device(const nlmsghdr *message, kdevx_nl_device &device) {
    table attrs{};
    device = {};
    if (!parse(message, attrs)) return false;
    number(attrs, RDMA_NLDEV_ATTR_PORT_INDEX, device.ports);
    number(attrs, RDMA_NLDEV_ATTR_NODE_GUID, device.node_guid);
    number(attrs, RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, device.sys_image_guid);
    text(attrs, RDMA_NLDEV_ATTR_FW_VERSION, device.firmware);
    text(attrs, RDMA_NLDEV_ATTR_DEV_PROTOCOL, device.protocol);
    return number(attrs, RDMA_NLDEV_ATTR_DEV_INDEX, device.index) &&
           text(attrs, RDMA_NLDEV_ATTR_DEV_NAME, device.name);
}

bool parse_uverbs(const nlmsghdr *message, kdevx_nl_uverbs &uverbs) {
    table attrs{};
    uverbs = {};
    return parse(message, attrs) && text(attrs, RDMA_NLDEV_ATTR_CHARDEV_NAME, uverbs.name) &&
           number(attrs, RDMA_NLDEV_ATTR_CHARDEV, uverbs.dev) &&
           number(attrs, RDMA_NLDEV_ATTR_CHARDEV_ABI, uverbs.abi) &&
           number(attrs, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, uverbs.driver_id);
}

bool parse_summary(const nlmsghdr *message, kdevx_nl_count_fn each, void *arg, int &stop) {
    table attrs{};
    if (!parse(message, attrs) || !attrs[RDMA_NLDEV_ATTR_RES_SUMMARY]) return false;
    nlattr *entry;
    int left;
    nla_for_each_nested(entry, attrs[RDMA_NLDEV_ATTR_RES_SUMMARY], left) {
        table in{};
        char kind[16];
        std::uint64_t count = 0;
        if (nla_type(entry) != RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY || !parse(entry, in) ||
            !text(in, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME, kind) ||
            !number(in, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR, count))
            return false;
        if (stop == 0) stop = each(kind, count, arg);
    }
    return true;
}

bool parse_resources(const nlmsghdr *message, kdevx_nl_kind kind, kdevx_nl_resource_fn each,
                     void *arg, int &stop) {
    const resource_names &names = resource_kinds[kind];
    table attrs{};
    if (!parse(message, attrs)) return false;
    if (!attrs[names.table]) return true; // a device without any
    nlattr *entry;
    int left;
    nla_for_each_nested(entry, attrs[names.table], left) {
        table in{};
        kdevx_nl_resource r;
        if (nla_type(entry) != names.entry || !parse(entry, in)) return false;
        // The kernel lists its own contexts as entries without a number, or any content.
        if (nla_len(entry) == 0) continue;
        if (!parse_resource(in, kind, r)) return false;
        if (stop == 0) stop = each(&r, arg);
    }
    return true;
}

} // namespace kdevx::nl
