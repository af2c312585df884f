// SPDX-License-Identifier: MIT
// Whole conversations: what each call asks, and what it makes of every way the kernel can answer.
#include "kdevx/kdevx-nl.h"

#include "../catch.hpp"
#include "kernel.hpp"

#include <cerrno>
#include <map>

using namespace test;

namespace {
bytes device(std::uint32_t index, const char *name, int flags = NLM_F_MULTI) {
    return answer(RDMA_NLDEV_CMD_GET,
                  {number(RDMA_NLDEV_ATTR_DEV_INDEX, index), text(RDMA_NLDEV_ATTR_DEV_NAME, name)},
                  flags);
}
bytes index_attribute(std::uint32_t index) {
    return number(RDMA_NLDEV_ATTR_DEV_INDEX, index);
}

using names = std::vector<std::string>;
int keep_name(const kdevx_nl_device *d, void *arg) {
    static_cast<names *>(arg)->push_back(d->name);
    return 0;
}
int keep_first(const kdevx_nl_device *d, void *arg) {
    static_cast<names *>(arg)->push_back(d->name);
    return 41;
}
int keep_count(const char *kind, uint64_t count, void *arg) {
    (*static_cast<std::map<std::string, uint64_t> *>(arg))[kind] = count;
    return 0;
}
int no_resource(const kdevx_nl_resource *, void *) {
    return 0;
}
} // namespace

TEST_CASE("devices come from a dump in several datagrams", "[netlink]") {
    kernel k({join({device(0, "mlx5_0"), device(1, "mlx5_1")}), device(5, "rxe0"), done()});
    names got;
    kdevx_nl_failure why;
    REQUIRE(kdevx_nl_list_devices(k.handle(), keep_name, &got, &why) == 0);
    CHECK(got == names{"mlx5_0", "mlx5_1", "rxe0"});
    CHECK(k.request().nlmsg_type == RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET));
    CHECK((k.request().nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP);
    CHECK(k.payload().empty());
    CHECK(why.cause == KDEVX_NL_OK);
}

TEST_CASE("a callback ends the list with its own number, and the rest is read away", "[netlink]") {
    kernel k({device(0, "mlx5_0"), device(1, "mlx5_1"), done()});
    names got;
    CHECK(kdevx_nl_list_devices(k.handle(), keep_first, &got, nullptr) == 41);
    CHECK(got == names{"mlx5_0"});
    CHECK(k.all_read());
}

TEST_CASE("the uverbs node is asked by index and type", "[netlink]") {
    kernel k({answer(RDMA_NLDEV_CMD_GET_CHARDEV,
                     {number<std::uint32_t>(RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID, 1),
                      number<std::uint64_t>(RDMA_NLDEV_ATTR_CHARDEV, 0xe7c0),
                      number<std::uint64_t>(RDMA_NLDEV_ATTR_CHARDEV_ABI, 1),
                      text(RDMA_NLDEV_ATTR_CHARDEV_NAME, "uverbs0")}),
              error(0)});
    kdevx_nl_uverbs u;
    REQUIRE(kdevx_nl_get_uverbs(k.handle(), 3, &u, nullptr) == 0);
    CHECK(std::string(u.name) == "uverbs0");
    CHECK(k.payload() == join({index_attribute(3), text(RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs")}));
    CHECK((k.request().nlmsg_flags & NLM_F_DUMP) == 0);
}

TEST_CASE("the summary counts by the kernel's names", "[netlink]") {
    auto entry = [](const char *name, std::uint64_t count) {
        return nest(RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY,
                    {text(RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME, name),
                     number(RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR, count)});
    };
    kernel k({answer(RDMA_NLDEV_CMD_RES_GET,
                     {index_attribute(2), nest(RDMA_NLDEV_ATTR_RES_SUMMARY,
                                               {entry("pd", 4), entry("srq", 1ull << 40)})}),
              error(0)});
    std::map<std::string, uint64_t> got;
    REQUIRE(kdevx_nl_get_summary(k.handle(), 2, keep_count, &got, nullptr) == 0);
    CHECK(got == std::map<std::string, uint64_t>{{"pd", 4}, {"srq", 1ull << 40}});
    CHECK(k.payload() == index_attribute(2));
}

TEST_CASE("each errno of the kernel gets its name", "[netlink]") {
    struct {
        int error;
        kdevx_nl_cause cause;
    } const rows[] = {
        {EPERM, KDEVX_NL_NO_PERMISSION},     {EACCES, KDEVX_NL_NO_PERMISSION},
        {EINVAL, KDEVX_NL_NO_DEVICE},        {ENODEV, KDEVX_NL_NO_DEVICE},
        {EPROTONOSUPPORT, KDEVX_NL_NO_RDMA}, {ENOMEM, KDEVX_NL_NO_MEMORY},
        {EMSGSIZE, KDEVX_NL_FAILED},
    };
    for (auto &row : rows) {
        kernel k({error(row.error)});
        kdevx_nl_failure why;
        CHECK(kdevx_nl_list_resources(k.handle(), 9, KDEVX_NL_QP, no_resource, nullptr, &why) ==
              -row.error);
        CHECK(why.cause == row.cause);
        CHECK(why.error == row.error);
        CHECK(std::string(why.step) == "RES_QP_GET");
    }
}

TEST_CASE("a device without uverbs is told apart from no device", "[netlink]") {
    kernel k({error(EOPNOTSUPP)});
    kdevx_nl_uverbs u;
    kdevx_nl_failure why;
    CHECK(kdevx_nl_get_uverbs(k.handle(), 3, &u, &why) == -EOPNOTSUPP);
    CHECK(why.cause == KDEVX_NL_NO_CHARDEV);
}

TEST_CASE("a list that breaks off, changes or is malformed is not taken for whole", "[netlink]") {
    kdevx_nl_failure why;
    names got;
    SECTION("the kernel ends it with an error") {
        kernel k({device(0, "mlx5_0"), done(-EMSGSIZE)});
        CHECK(kdevx_nl_list_devices(k.handle(), keep_name, &got, &why) == -EMSGSIZE);
        CHECK(why.cause == KDEVX_NL_FAILED);
    }
    SECTION("the kernel says that it changed") {
        kernel k({device(0, "mlx5_0", NLM_F_MULTI | NLM_F_DUMP_INTR), done()});
        CHECK(kdevx_nl_list_devices(k.handle(), keep_name, &got, &why) == -EAGAIN);
        CHECK(why.cause == KDEVX_NL_CHANGED);
    }
    SECTION("one message lacks its name") {
        kernel k({answer(RDMA_NLDEV_CMD_GET, {index_attribute(1)}, NLM_F_MULTI),
                  device(0, "mlx5_0"), done()});
        CHECK(kdevx_nl_list_devices(k.handle(), keep_name, &got, &why) == -EBADMSG);
        CHECK(why.cause == KDEVX_NL_MALFORMED);
        CHECK(k.all_read());
    }
    SECTION("nothing comes at all") {
        kernel k({});
        CHECK(kdevx_nl_list_devices(k.handle(), keep_name, &got, &why) == -EAGAIN);
        CHECK(why.cause == KDEVX_NL_FAILED);
    }
}

TEST_CASE("bad arguments are named before anything is sent", "[netlink]") {
    kernel k({});
    kdevx_nl_failure why;
    kdevx_nl_uverbs u;
    CHECK(kdevx_nl_open(nullptr, &why) == -EINVAL);
    CHECK(why.cause == KDEVX_NL_INVALID);
    CHECK(kdevx_nl_list_devices(nullptr, keep_name, nullptr, nullptr) == -EINVAL);
    CHECK(kdevx_nl_list_devices(k.handle(), nullptr, nullptr, nullptr) == -EINVAL);
    CHECK(kdevx_nl_get_uverbs(k.handle(), 0, nullptr, nullptr) == -EINVAL);
    CHECK(kdevx_nl_get_uverbs(nullptr, 0, &u, nullptr) == -EINVAL);
    CHECK(kdevx_nl_get_summary(k.handle(), 0, nullptr, nullptr, nullptr) == -EINVAL);
    CHECK(kdevx_nl_list_resources(k.handle(), 0, KDEVX_NL_KINDS, no_resource, nullptr, &why) ==
          -EINVAL);
    CHECK(std::string(why.step) == "kdevx_nl_list_resources");
    CHECK(k.sent.empty());
    kdevx_nl_close(nullptr);
}

TEST_CASE("open succeeds or says NO_RDMA: nothing else on a plain Linux", "[netlink]") {
    kdevx_nl *nl = nullptr;
    kdevx_nl_failure why;
    int r = kdevx_nl_open(&nl, &why);
    CHECK((r == 0) == (nl != nullptr));
    if (r != 0) CHECK(why.cause == KDEVX_NL_NO_RDMA);
    kdevx_nl_close(nl);
}

TEST_CASE("every cause has a name and a hint", "[netlink]") {
    for (unsigned c = 0; c <= KDEVX_NL_FAILED; ++c) {
        CHECK(std::string(kdevx_nl_cause_name(kdevx_nl_cause(c))).size() > 1);
        CHECK(std::string(kdevx_nl_cause_hint(kdevx_nl_cause(c))).size() > 5);
    }
    CHECK(std::string(kdevx_nl_cause_name(kdevx_nl_cause(99))) == "FAILED");
}
