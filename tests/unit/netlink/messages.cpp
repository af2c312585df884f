// SPDX-License-Identifier: MIT
// One message of the kernel at a time: all that it says is found, and a wrong one is refused.
#include "netlink/message.hpp"

#include "../catch.hpp"
#include "kernel.hpp"

using namespace kdevx::nl;
using namespace test;

namespace {
const nlmsghdr *header(const bytes &b) {
    return reinterpret_cast<const nlmsghdr *>(b.data());
}

bytes qp_table(std::initializer_list<bytes> entries) {
    return answer(RDMA_NLDEV_CMD_RES_QP_GET, {number<std::uint32_t>(RDMA_NLDEV_ATTR_DEV_INDEX, 1),
                                              nest(RDMA_NLDEV_ATTR_RES_QP, entries)});
}
int keep(const kdevx_nl_resource *r, void *arg) {
    static_cast<std::vector<kdevx_nl_resource> *>(arg)->push_back(*r);
    return 0;
}
} // namespace

TEST_CASE("a device message gives every field", "[netlink]") {
    bytes b = answer(RDMA_NLDEV_CMD_GET,
                     {number<std::uint32_t>(RDMA_NLDEV_ATTR_DEV_INDEX, 7),
                      text(RDMA_NLDEV_ATTR_DEV_NAME, "mlx5_0"),
                      number<std::uint32_t>(RDMA_NLDEV_ATTR_PORT_INDEX, 2),
                      text(RDMA_NLDEV_ATTR_FW_VERSION, "22.31.1014"),
                      number<std::uint64_t>(RDMA_NLDEV_ATTR_NODE_GUID, 0x1122334455667788),
                      number<std::uint64_t>(RDMA_NLDEV_ATTR_SYS_IMAGE_GUID, 0x99),
                      text(RDMA_NLDEV_ATTR_DEV_PROTOCOL, "roce")});
    kdevx_nl_device d;
    REQUIRE(parse_device(header(b), d));
    CHECK(d.index == 7);
    CHECK(d.ports == 2);
    CHECK(d.node_guid == 0x1122334455667788);
    CHECK(d.sys_image_guid == 0x99);
    CHECK(std::string(d.name) == "mlx5_0");
    CHECK(std::string(d.firmware) == "22.31.1014");
    CHECK(std::string(d.protocol) == "roce");
}

TEST_CASE("a device without index, without name or of a wrong width is malformed", "[netlink]") {
    kdevx_nl_device d;
    bytes no_name =
        answer(RDMA_NLDEV_CMD_GET, {number<std::uint32_t>(RDMA_NLDEV_ATTR_DEV_INDEX, 7)});
    bytes no_index = answer(RDMA_NLDEV_CMD_GET, {text(RDMA_NLDEV_ATTR_DEV_NAME, "mlx5_0")});
    bytes three = answer(RDMA_NLDEV_CMD_GET, {attribute(RDMA_NLDEV_ATTR_DEV_INDEX, "abc", 3),
                                              text(RDMA_NLDEV_ATTR_DEV_NAME, "mlx5_0")});
    bytes wide =
        answer(RDMA_NLDEV_CMD_GET, {number<std::uint64_t>(RDMA_NLDEV_ATTR_DEV_INDEX, 1ull << 32),
                                    text(RDMA_NLDEV_ATTR_DEV_NAME, "mlx5_0")});
    CHECK_FALSE(parse_device(header(no_name), d));
    CHECK_FALSE(parse_device(header(no_index), d));
    CHECK_FALSE(parse_device(header(three), d));
    CHECK_FALSE(parse_device(header(wide), d));
}

TEST_CASE("a long name is cut and terminated", "[netlink]") {
    std::string longest(200, 'x');
    bytes b = answer(RDMA_NLDEV_CMD_GET, {number<std::uint32_t>(RDMA_NLDEV_ATTR_DEV_INDEX, 0),
                                          text(RDMA_NLDEV_ATTR_DEV_NAME, longest.c_str())});
    kdevx_nl_device d;
    REQUIRE(parse_device(header(b), d));
    CHECK(std::string(d.name) == longest.substr(0, sizeof d.name - 1));
}

TEST_CASE("an uverbs message gives node, number and driver, in either width", "[netlink]") {
    for (bool wide : {false, true}) {
        bytes id = wide ? number<std::uint64_t>(RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, 1)
                        : number<std::uint32_t>(RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, 1);
        bytes b = answer(RDMA_NLDEV_CMD_GET_CHARDEV,
                         {id, number<std::uint64_t>(RDMA_NLDEV_ATTR_CHARDEV, 0xe7c0),
                          number<std::uint64_t>(RDMA_NLDEV_ATTR_CHARDEV_ABI, 6),
                          text(RDMA_NLDEV_ATTR_CHARDEV_NAME, "uverbs0")});
        kdevx_nl_uverbs u;
        REQUIRE(parse_uverbs(header(b), u));
        CHECK(u.driver_id == 1);
        CHECK(u.dev == 0xe7c0);
        CHECK(u.abi == 6);
        CHECK(std::string(u.name) == "uverbs0");
    }
}

TEST_CASE("QPs: what the kernel said is present, what it did not say is not", "[netlink]") {
    bytes b = qp_table(
        {nest(RDMA_NLDEV_ATTR_RES_QP_ENTRY, {number<std::uint32_t>(RDMA_NLDEV_ATTR_PORT_INDEX, 1),
                                             number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_LQPN, 0x123),
                                             number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_PDN, 4),
                                             number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_PID, 4242),
                                             number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_RQPN, 0x456),
                                             number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_SQ_PSN, 9),
                                             number<std::uint8_t>(RDMA_NLDEV_ATTR_RES_TYPE, 2),
                                             number<std::uint8_t>(RDMA_NLDEV_ATTR_RES_STATE, 3)}),
         nest(RDMA_NLDEV_ATTR_RES_QP_ENTRY, {number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_LQPN, 1),
                                             text(RDMA_NLDEV_ATTR_RES_KERN_NAME, "ib_core")})});
    std::vector<kdevx_nl_resource> got;
    int stop = 0;
    REQUIRE(parse_resources(header(b), KDEVX_NL_QP, keep, &got, stop));
    REQUIRE(got.size() == 2);
    CHECK(got[0].id == 0x123);
    CHECK(got[0].present ==
          (KDEVX_NL_HAS_PORT | KDEVX_NL_HAS_PDN | KDEVX_NL_HAS_PID | KDEVX_NL_HAS_REMOTE_QPN |
           KDEVX_NL_HAS_PSN | KDEVX_NL_HAS_TYPE | KDEVX_NL_HAS_STATE));
    CHECK(got[0].pid == 4242);
    CHECK(got[0].remote_qpn == 0x456);
    CHECK(std::string(kdevx_nl_qp_type_name(got[0].type)) == "RC");
    CHECK(std::string(kdevx_nl_qp_state_name(got[0].state)) == "RTS");
    CHECK(got[1].present == 0);
    CHECK(std::string(got[1].owner) == "ib_core");
}

TEST_CASE("MR keys count only as a pair; a CQ has its capacity and users", "[netlink]") {
    std::vector<kdevx_nl_resource> got;
    int stop = 0;
    bytes mr = answer(RDMA_NLDEV_CMD_RES_MR_GET,
                      {nest(RDMA_NLDEV_ATTR_RES_MR,
                            {nest(RDMA_NLDEV_ATTR_RES_MR_ENTRY,
                                  {number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_MRN, 3),
                                   number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_RKEY, 0x10),
                                   number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_LKEY, 0x11),
                                   number<std::uint64_t>(RDMA_NLDEV_ATTR_RES_MRLEN, 1 << 20)}),
                             nest(RDMA_NLDEV_ATTR_RES_MR_ENTRY,
                                  {number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_MRN, 4),
                                   number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_RKEY, 0x10)})})});
    REQUIRE(parse_resources(header(mr), KDEVX_NL_MR, keep, &got, stop));
    bytes cq = answer(RDMA_NLDEV_CMD_RES_CQ_GET,
                      {nest(RDMA_NLDEV_ATTR_RES_CQ,
                            {nest(RDMA_NLDEV_ATTR_RES_CQ_ENTRY,
                                  {number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_CQN, 5),
                                   number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_CQE, 1023),
                                   number<std::uint64_t>(RDMA_NLDEV_ATTR_RES_USECNT, 2)})})});
    REQUIRE(parse_resources(header(cq), KDEVX_NL_CQ, keep, &got, stop));
    REQUIRE(got.size() == 3);
    CHECK(got[0].present == (KDEVX_NL_HAS_KEYS | KDEVX_NL_HAS_LENGTH));
    CHECK(got[0].length == 1 << 20);
    CHECK(got[1].present == 0);
    CHECK(got[2].present == (KDEVX_NL_HAS_CQN | KDEVX_NL_HAS_CQE | KDEVX_NL_HAS_USERS));
    CHECK(got[2].cqe == 1023);
}

TEST_CASE("an empty entry is a context of the kernel's own: left out", "[netlink]") {
    bytes b = answer(RDMA_NLDEV_CMD_RES_CTX_GET,
                     {nest(RDMA_NLDEV_ATTR_RES_CTX,
                           {nest(RDMA_NLDEV_ATTR_RES_CTX_ENTRY, {}),
                            nest(RDMA_NLDEV_ATTR_RES_CTX_ENTRY,
                                 {number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_CTXN, 1),
                                  number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_PID, 77)})})});
    std::vector<kdevx_nl_resource> got;
    int stop = 0;
    REQUIRE(parse_resources(header(b), KDEVX_NL_CTX, keep, &got, stop));
    REQUIRE(got.size() == 1);
    CHECK(got[0].pid == 77);
}

TEST_CASE("a table of another kind, or an entry without its number, is malformed", "[netlink]") {
    std::vector<kdevx_nl_resource> got;
    int stop = 0;
    bytes foreign = qp_table(
        {nest(RDMA_NLDEV_ATTR_RES_CQ_ENTRY, {number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_CQN, 1)})});
    bytes nameless = qp_table(
        {nest(RDMA_NLDEV_ATTR_RES_QP_ENTRY, {number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_PID, 1)})});
    CHECK_FALSE(parse_resources(header(foreign), KDEVX_NL_QP, keep, &got, stop));
    CHECK_FALSE(parse_resources(header(nameless), KDEVX_NL_QP, keep, &got, stop));
    CHECK(got.empty());
}

TEST_CASE("bytes cut off anywhere never read beyond the message", "[netlink]") {
    bytes whole = qp_table({nest(RDMA_NLDEV_ATTR_RES_QP_ENTRY,
                                 {number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_LQPN, 0x123),
                                  number<std::uint32_t>(RDMA_NLDEV_ATTR_RES_PID, 4242)})});
    for (std::size_t size = sizeof(nlmsghdr); size <= whole.size(); ++size) {
        bytes cut(whole.begin(), whole.begin() + long(size));
        reinterpret_cast<nlmsghdr *>(cut.data())->nlmsg_len = std::uint32_t(size);
        std::vector<kdevx_nl_resource> got;
        int stop = 0;
        parse_resources(header(cut), KDEVX_NL_QP, keep, &got, stop);
        CHECK(got.size() == (size == whole.size() ? 1 : 0));
    }
}

TEST_CASE("every kind of resource knows its messages", "[netlink]") {
    for (unsigned k = 0; k < KDEVX_NL_KINDS; ++k) {
        const resource_names &n = resource_kinds[k];
        CHECK(n.entry == n.table + 1);
        CHECK(std::string(kdevx_nl_kind_name(kdevx_nl_kind(k))) == n.name);
        CHECK(std::string(n.step).find("RES_") == 0);
    }
    CHECK(kdevx_nl_kind_name(KDEVX_NL_KINDS) == nullptr);
    CHECK(kdevx_nl_qp_type_name(7) == nullptr);
    CHECK(kdevx_nl_qp_state_name(7) == nullptr);
}
