// SPDX-License-Identifier: MIT
// Every public function with everything that a caller can get wrong: a named error, nothing asked
// of the kernel, nothing written, nothing leaked.
#include <cerrno>
#include <cstring>
#include <functional>

#include "../unit/catch.hpp"
#include "kernel.hpp"

using mock::bytes;

namespace {

struct everything {
    mock::kernel k;
    kdevx_context *c = k.open();
    kdevx_failure why{};
    bytes in = mock::random_bytes(65536), out = bytes(65536);
    kdevx_object *object = nullptr;
    kdevx_cmd_comp *comp = nullptr;
    kdevx_umem *umem = nullptr;
    kdevx_uar *uar = nullptr;
    std::uint32_t bf = KDEVX_UAR_BF;

    everything() {
        REQUIRE(kdevx_object_create(c, in.data(), 32, out.data(), 16, &object, &why) == 0);
        REQUIRE(kdevx_cmd_comp_create(c, &comp, &why) == 0);
        REQUIRE(kdevx_umem_reg(c, in.data(), 4096, nullptr, &umem, &why) == 0);
        REQUIRE(kdevx_uar_alloc(c, &bf, 1, &uar, &why) == 0);
    }
    ~everything() {
        if (uar) CHECK(kdevx_uar_free(uar, nullptr) == 0);
        if (umem) CHECK(kdevx_umem_dereg(umem, nullptr) == 0);
        if (comp) CHECK(kdevx_cmd_comp_destroy(comp, nullptr) == 0);
        if (object) CHECK(kdevx_object_destroy(object, nullptr) == 0);
        if (c) kdevx_context_close(c);
        CHECK(k.live() == 0);
        CHECK(k.broken_rules.empty());
    }

    // The call fails like that, and the kernel is not asked for anything.
    void refuses(const char *step, int err, std::uint32_t cause, const std::function<int()> &call) {
        INFO(step);
        unsigned ioctls = k.count(mock::call::ioctl);
        std::size_t live = k.live();
        why = {};
        CHECK(call() == -err);
        CHECK(why.err == err);
        CHECK(why.cause == cause);
        CHECK(std::string(why.step ? why.step : "") == step);
        CHECK(k.count(mock::call::ioctl) == ioctls);
        CHECK(k.live() == live);
    }
    void invalid(const char *step, const std::function<int()> &call) {
        refuses(step, EINVAL, KDEVX_CAUSE_INVALID, call);
    }
    void closed(const char *step, const std::function<int()> &call) {
        refuses(step, EBADF, KDEVX_CAUSE_CLOSED, call);
    }
};

using command = std::function<int(everything &, const void *, std::size_t, void *, std::size_t)>;
struct named_command {
    const char *in_attr, *out_attr;
    command call;
};
const named_command commands[] = {
    {"MLX5_IB_ATTR_DEVX_OTHER_CMD_IN", "MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT",
     [](everything &e, auto in, auto in_size, auto out, auto out_size) {
         return kdevx_general_cmd(e.c, in, in_size, out, out_size, &e.why);
     }},
    {"MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN", "MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT",
     [](everything &e, auto in, auto in_size, auto out, auto out_size) {
         kdevx_object *o = nullptr;
         int r = kdevx_object_create(e.c, in, in_size, out, out_size, &o, &e.why);
         if (r == 0) r = kdevx_object_destroy(o, &e.why);
         return r;
     }},
    {"MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN", "MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT",
     [](everything &e, auto in, auto in_size, auto out, auto out_size) {
         return kdevx_object_query(e.object, in, in_size, out, out_size, &e.why);
     }},
    {"MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN", "MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT",
     [](everything &e, auto in, auto in_size, auto out, auto out_size) {
         return kdevx_object_modify(e.object, in, in_size, out, out_size, &e.why);
     }},
};

} // namespace

TEST_CASE("mailboxes: null, empty, too short, too long, and the extremes that are right") {
    everything e;
    for (const named_command &c : commands) {
        void *out = e.out.data();
        const void *in = e.in.data();
        for (std::size_t n : {0, 15}) {
            e.invalid(c.in_attr, [&] { return c.call(e, in, n, out, 16); });
            e.invalid(c.out_attr, [&] { return c.call(e, in, 16, out, n); });
            e.invalid(c.in_attr, [&] { return c.call(e, nullptr, n, out, 16); });
            e.invalid(c.out_attr, [&] { return c.call(e, in, 16, nullptr, n); });
        }
        e.invalid(c.in_attr, [&] { return c.call(e, nullptr, 16, out, 16); });
        e.invalid(c.out_attr, [&] { return c.call(e, in, 16, nullptr, 16); });
        e.refuses(c.in_attr, E2BIG, KDEVX_CAUSE_LIMIT,
                  [&] { return c.call(e, in, 65536, out, 16); });
        e.refuses(c.out_attr, E2BIG, KDEVX_CAUSE_LIMIT,
                  [&] { return c.call(e, in, 16, out, 65536); });
        CHECK(c.call(e, in, 16, out, 16) == 0);
        CHECK(c.call(e, in, 65535, out, 65535) == 0);
    }
}

TEST_CASE("asynchronous queries and their answers: sizes and pointers") {
    everything e;
    auto send = [&](const void *in, std::size_t in_size, std::size_t out_size) {
        return kdevx_object_query_async(e.object, in, in_size, out_size, 1, e.comp, &e.why);
    };
    const char *in_attr = "MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN";
    for (std::size_t n : {0, 15}) {
        e.invalid("out_size", [&] { return send(e.in.data(), 16, n); });
        e.invalid("comp", [&] {
            return kdevx_object_query_async(e.object, e.in.data(), 16, n, 1, nullptr, &e.why);
        });
    }
    // Memory for the queue's books is not counted as a leak: it stays for the next query.
    REQUIRE(send(e.in.data(), 16, 65535) == 0);
    for (std::size_t n : {0, 15}) {
        e.invalid(in_attr, [&] { return send(e.in.data(), n, 16); });
        e.invalid(in_attr, [&] { return send(nullptr, n, 16); });
    }
    e.invalid(in_attr, [&] { return send(nullptr, 16, 16); });
    e.refuses(in_attr, E2BIG, KDEVX_CAUSE_LIMIT, [&] { return send(e.in.data(), 65536, 16); });
    e.refuses("out_size", E2BIG, KDEVX_CAUSE_LIMIT, [&] { return send(e.in.data(), 16, 65536); });
    CHECK(kdevx_cmd_comp_in_flight(e.comp) == 1);

    kdevx_completion done{};
    done.size = sizeof done;
    auto get = [&](void *out, std::size_t size, int timeout, kdevx_completion *d) {
        return kdevx_cmd_comp_get(e.comp, out, size, timeout, d, &e.why);
    };
    e.invalid("completion", [&] { return get(e.out.data(), 16, 0, nullptr); });
    e.invalid("out", [&] { return get(nullptr, 16, 0, &done); });
    e.invalid("out_size", [&] { return get(nullptr, 0, 0, &done); });
    e.invalid("out_size", [&] { return get(e.out.data(), 15, 0, &done); });
    e.invalid("timeout_ms", [&] { return get(e.out.data(), 16, -2, &done); });
    done.size = 4;
    e.invalid("completion", [&] { return get(e.out.data(), 16, 0, &done); });
}

TEST_CASE("null for the object, for where the answer goes, and for options of an odd size") {
    everything e;
    kdevx_object *object = nullptr;
    kdevx_umem *umem = nullptr;
    kdevx_uar *uar = nullptr;
    kdevx_cmd_comp *comp = nullptr;
    kdevx_context *context = nullptr;
    std::uint32_t eqn;
    int present;
    std::byte *in = e.in.data(), *out = e.out.data();
    e.invalid("context", [&] { return kdevx_general_cmd(nullptr, in, 16, out, 16, &e.why); });
    e.invalid("context",
              [&] { return kdevx_object_create(nullptr, in, 16, out, 16, &object, &e.why); });
    e.invalid("object", [&] { return kdevx_object_create(e.c, in, 16, out, 16, nullptr, &e.why); });
    e.invalid("object", [&] { return kdevx_object_query(nullptr, in, 16, out, 16, &e.why); });
    e.invalid("object", [&] { return kdevx_object_modify(nullptr, in, 16, out, 16, &e.why); });
    e.invalid("object", [&] { return kdevx_object_destroy(nullptr, &e.why); });
    e.invalid("object",
              [&] { return kdevx_object_query_async(nullptr, in, 16, 16, 0, e.comp, &e.why); });
    e.invalid("comp", [&] { return kdevx_cmd_comp_create(e.c, nullptr, &e.why); });
    e.invalid("context", [&] { return kdevx_cmd_comp_create(nullptr, &comp, &e.why); });
    e.invalid("comp", [&] { return kdevx_cmd_comp_destroy(nullptr, &e.why); });
    kdevx_completion done{};
    done.size = sizeof done;
    e.invalid("comp", [&] { return kdevx_cmd_comp_get(nullptr, out, 16, 0, &done, &e.why); });
    CHECK(kdevx_cmd_comp_fd(nullptr) == -EBADF);
    CHECK(kdevx_cmd_comp_in_flight(nullptr) == 0);
    CHECK(kdevx_context_fd(nullptr) == -EBADF);
    kdevx_context_close(nullptr);
    e.invalid("context", [&] { return kdevx_eqn_query(nullptr, 0, &eqn, &e.why); });
    e.invalid("eqn", [&] { return kdevx_eqn_query(e.c, 0, nullptr, &e.why); });
    e.invalid("context", [&] { return kdevx_probe_method(nullptr, 0, 0, &present, &e.why); });
    e.invalid("present", [&] { return kdevx_probe_method(e.c, 0, 0, nullptr, &e.why); });
    e.invalid("context", [&] { return kdevx_probe_attr(nullptr, 0, 0, 0, &present, &e.why); });
    e.invalid("present", [&] { return kdevx_probe_attr(e.c, 0, 0, 0, nullptr, &e.why); });
    e.invalid("attr", [&] { return kdevx_probe_attr(e.c, 3, 0, 999, &present, &e.why); });
    e.invalid("umem", [&] { return kdevx_umem_reg(e.c, in, 16, nullptr, nullptr, &e.why); });
    e.invalid("context", [&] { return kdevx_umem_reg(nullptr, in, 16, nullptr, &umem, &e.why); });
    e.invalid("address", [&] { return kdevx_umem_reg(e.c, nullptr, 16, nullptr, &umem, &e.why); });
    e.invalid("length", [&] { return kdevx_umem_reg(e.c, in, 0, nullptr, &umem, &e.why); });
    e.invalid("length",
              [&] { return kdevx_umem_reg(e.c, in, ~std::size_t(0), nullptr, &umem, &e.why); });
    e.invalid("umem",
              [&] { return kdevx_umem_reg_dmabuf(e.c, 3, 0, 16, nullptr, nullptr, &e.why); });
    e.invalid("context",
              [&] { return kdevx_umem_reg_dmabuf(nullptr, 3, 0, 16, nullptr, &umem, &e.why); });
    e.invalid("length",
              [&] { return kdevx_umem_reg_dmabuf(e.c, 3, 0, 0, nullptr, &umem, &e.why); });
    e.invalid("umem", [&] { return kdevx_umem_dereg(nullptr, &e.why); });
    e.invalid("uar", [&] { return kdevx_uar_alloc(e.c, &e.bf, 1, nullptr, &e.why); });
    e.invalid("context", [&] { return kdevx_uar_alloc(nullptr, &e.bf, 1, &uar, &e.why); });
    e.invalid("types", [&] { return kdevx_uar_alloc(e.c, &e.bf, 0, &uar, &e.why); });
    e.invalid("types", [&] { return kdevx_uar_alloc(e.c, nullptr, 1, &uar, &e.why); });
    std::uint32_t unknown[] = {KDEVX_UAR_NC, 3};
    e.invalid("types", [&] { return kdevx_uar_alloc(e.c, unknown, 2, &uar, &e.why); });
    e.invalid("uar", [&] { return kdevx_uar_free(nullptr, &e.why); });
    e.invalid("context", [&] { return kdevx_context_open(nullptr, nullptr, nullptr, &e.why); });
    kdevx_open_options o = e.k.options();
    for (const char *name : {static_cast<const char *>(nullptr), "", "a/b"})
        e.invalid("ibdev", [&] { return kdevx_context_open(name, &o, &context, &e.why); });
    for (const char *path : {static_cast<const char *>(nullptr), ""})
        e.invalid("path", [&] { return kdevx_context_open_path(path, &o, &context, &e.why); });
    e.refuses("fd", EBADF, KDEVX_CAUSE_INVALID,
              [&] { return kdevx_context_open_fd(-1, 0, &o, &context, &e.why); });
    e.invalid("ownership", [&] { return kdevx_context_open_fd(7, 2, &o, &context, &e.why); });
    e.invalid("ownership", [&] { return kdevx_context_adopt_fd(7, 2, &o, &context, &e.why); });
    o.devx = 3;
    e.invalid("devx", [&] { return kdevx_context_open_path("x", &o, &context, &e.why); });
    o.devx = 0;
    o.ucap_count = 1;
    e.invalid("ucap_fds", [&] { return kdevx_context_open_path("x", &o, &context, &e.why); });
    int fd = 1;
    o.ucap_fds = &fd;
    e.invalid("ucap_count", [&] { return kdevx_context_adopt_fd(7, 0, &o, &context, &e.why); });
    kdevx_device_list *list = nullptr;
    e.invalid("list", [&] { return kdevx_device_list_get(nullptr, nullptr, &e.why); });
    CHECK(kdevx_device_list_count(nullptr) == 0);
    CHECK(kdevx_device_list_at(nullptr, 0) == nullptr);
    kdevx_device_list_free(nullptr);
    kdevx_device_list_options lo{};
    e.invalid("options", [&] { return kdevx_device_list_get(&lo, &list, &e.why); });
}

TEST_CASE("options of a newer program: what is not known here must be zero") {
    everything e;
    struct newer {
        kdevx_umem_options o;
        std::uint64_t later;
    } n{};
    n.o.size = sizeof n;
    kdevx_umem *u = nullptr;
    CHECK(kdevx_umem_reg(e.c, e.in.data(), 64, &n.o, &u, &e.why) == 0);
    CHECK(kdevx_umem_dereg(u, &e.why) == 0);
    n.later = 1;
    e.refuses("options", E2BIG, KDEVX_CAUSE_INVALID,
              [&] { return kdevx_umem_reg(e.c, e.in.data(), 64, &n.o, &u, &e.why); });
    n.o.size = 2;
    e.invalid("options", [&] { return kdevx_umem_reg(e.c, e.in.data(), 64, &n.o, &u, &e.why); });
    n.o.size = sizeof n.o;
    n.o.flags = 2;
    e.invalid("flags", [&] { return kdevx_umem_reg(e.c, e.in.data(), 64, &n.o, &u, &e.why); });
}

TEST_CASE("answers to an older or newer program fill what there is room for") {
    everything e;
    struct {
        kdevx_umem_info i;
        std::uint64_t later = 0x5555;
    } n{};
    n.i.size = sizeof n;
    REQUIRE(kdevx_umem_get_info(e.umem, &n.i, &e.why) == 0);
    CHECK(n.later == 0);
    CHECK(n.i.size == sizeof n.i);
    std::memset(&n.i, 0x5a, sizeof n.i);
    n.i.size = offsetof(kdevx_umem_info, page_size_bound);
    REQUIRE(kdevx_umem_get_info(e.umem, &n.i, &e.why) == 0);
    CHECK(n.i.page_size_bound == 0x5a5a5a5a5a5a5a5a);
    CHECK(n.i.size == offsetof(kdevx_umem_info, page_size_bound));
    n.i.size = sizeof n.i.size;
    e.invalid("info", [&] { return kdevx_umem_get_info(e.umem, &n.i, &e.why); });
    e.invalid("info", [&] { return kdevx_umem_get_info(e.umem, nullptr, &e.why); });
    e.invalid("info", [&] { return kdevx_uar_get_info(e.uar, nullptr, &e.why); });
    e.invalid("info", [&] { return kdevx_object_get_info(e.object, nullptr, &e.why); });
}

TEST_CASE("every function of a closed object says so") {
    everything e;
    kdevx_object *object = std::exchange(e.object, nullptr);
    kdevx_cmd_comp *comp = std::exchange(e.comp, nullptr);
    kdevx_umem *umem = std::exchange(e.umem, nullptr);
    kdevx_uar *uar = std::exchange(e.uar, nullptr);
    kdevx_object *live = nullptr;
    REQUIRE(kdevx_object_create(e.c, e.in.data(), 32, e.out.data(), 16, &live, nullptr) == 0);
    REQUIRE(kdevx_object_destroy(object, nullptr) == 0);
    REQUIRE(kdevx_cmd_comp_destroy(comp, nullptr) == 0);
    REQUIRE(kdevx_umem_dereg(umem, nullptr) == 0);
    REQUIRE(kdevx_uar_free(uar, nullptr) == 0);
    std::byte *in = e.in.data(), *out = e.out.data();
    kdevx_object_info oi{sizeof oi};
    kdevx_umem_info ui{sizeof ui};
    kdevx_uar_info ai{sizeof ai};
    kdevx_completion done{sizeof done};
    e.closed("object", [&] { return kdevx_object_query(object, in, 16, out, 16, &e.why); });
    e.closed("object", [&] { return kdevx_object_modify(object, in, 16, out, 16, &e.why); });
    e.closed("object", [&] { return kdevx_object_destroy(object, &e.why); });
    e.closed("object", [&] { return kdevx_object_get_info(object, &oi, &e.why); });
    e.closed("comp", [&] { return kdevx_object_query_async(live, in, 16, 16, 0, comp, &e.why); });
    e.closed("comp", [&] { return kdevx_cmd_comp_get(comp, out, 16, -1, &done, &e.why); });
    e.closed("comp", [&] { return kdevx_cmd_comp_destroy(comp, &e.why); });
    e.closed("umem", [&] { return kdevx_umem_dereg(umem, &e.why); });
    e.closed("umem", [&] { return kdevx_umem_get_info(umem, &ui, &e.why); });
    e.closed("uar", [&] { return kdevx_uar_free(uar, &e.why); });
    e.closed("uar", [&] { return kdevx_uar_get_info(uar, &ai, &e.why); });
    CHECK(kdevx_cmd_comp_fd(comp) == -EBADF);
    REQUIRE(kdevx_object_destroy(live, nullptr) == 0);
}

TEST_CASE("every function of a closed context says so, as long as one of its objects is left") {
    everything e;
    kdevx_context_close(e.c);
    kdevx_context *c = std::exchange(e.c, nullptr);
    std::byte *in = e.in.data(), *out = e.out.data();
    kdevx_object *object = nullptr;
    kdevx_cmd_comp *comp = nullptr;
    kdevx_umem *umem = nullptr;
    kdevx_uar *uar = nullptr;
    std::uint32_t eqn;
    int present;
    kdevx_context_info info{sizeof info};
    e.closed("context", [&] { return kdevx_general_cmd(c, in, 16, out, 16, &e.why); });
    e.closed("context", [&] { return kdevx_object_create(c, in, 16, out, 16, &object, &e.why); });
    e.closed("context", [&] { return kdevx_object_query(e.object, in, 16, out, 16, &e.why); });
    e.closed("context", [&] { return kdevx_cmd_comp_create(c, &comp, &e.why); });
    e.closed("context", [&] { return kdevx_umem_reg(c, in, 16, nullptr, &umem, &e.why); });
    e.closed("context", [&] { return kdevx_uar_alloc(c, &e.bf, 1, &uar, &e.why); });
    e.closed("context", [&] { return kdevx_eqn_query(c, 0, &eqn, &e.why); });
    e.closed("context", [&] { return kdevx_probe_method(c, 0x1001, 0x1000, &present, &e.why); });
    e.closed("context", [&] { return kdevx_context_get_info(c, &info, &e.why); });
    CHECK(kdevx_context_fd(c) == -EBADF);
}

TEST_CASE("an object of another kind in a cast pointer is refused") {
    everything e;
    e.invalid("object", [&] {
        return kdevx_object_query(reinterpret_cast<kdevx_object *>(e.umem), e.in.data(), 16,
                                  e.out.data(), 16, &e.why);
    });
    e.invalid("umem",
              [&] { return kdevx_umem_dereg(reinterpret_cast<kdevx_umem *>(e.object), &e.why); });
}

TEST_CASE("the fd of a context, closed behind its back: EBADF, and no worse") {
    everything e;
    int fd = kdevx_context_fd(e.c);
    e.k.fds.erase(fd);
    CHECK(kdevx_general_cmd(e.c, e.in.data(), 16, e.out.data(), 16, &e.why) == -EBADF);
    CHECK(e.why.cause == KDEVX_CAUSE_INVALID);
    kdevx_object *o = nullptr;
    CHECK(kdevx_object_create(e.c, e.in.data(), 16, e.out.data(), 16, &o, &e.why) == -EBADF);
    CHECK(kdevx_object_destroy(e.object, &e.why) == -EBADF);
    e.k.fds.insert(fd);
}

TEST_CASE("`why` may be null everywhere") {
    everything e;
    CHECK(kdevx_general_cmd(e.c, nullptr, 0, nullptr, 0, nullptr) == -EINVAL);
    CHECK(kdevx_object_destroy(nullptr, nullptr) == -EINVAL);
    CHECK(kdevx_context_open_path(nullptr, nullptr, &e.c, nullptr) == -EINVAL);
}

TEST_CASE("texts of failures") {
    kdevx_failure f{};
    CHECK(std::string(kdevx_failure_hint(nullptr)) == "");
    for (std::uint32_t cause = 0; cause <= KDEVX_CAUSE_OTHER; ++cause) {
        f.cause = cause;
        CHECK(std::string(kdevx_cause_name(cause)) != "UNKNOWN");
        bool silent = cause == KDEVX_CAUSE_NONE || cause == KDEVX_CAUSE_OTHER;
        CHECK((*kdevx_failure_hint(&f) == 0) == silent);
    }
    CHECK(std::string(kdevx_cause_name(1000)) == "UNKNOWN");
    CHECK(std::string(kdevx_status_name(0x09)) == "BAD_RES_STATE_ERR");
    CHECK(std::string(kdevx_status_name(0xee)) == "UNKNOWN");
    f = {};
    f.err = EINVAL;
    f.cause = KDEVX_CAUSE_INVALID;
    f.step = "length";
    char text[8] = "xxxxxxx";
    std::size_t n = kdevx_failure_text(&f, nullptr, 0);
    CHECK(n == std::string("length: INVALID, errno 22").size());
    CHECK(kdevx_failure_text(&f, text, sizeof text) == n);
    CHECK(std::string(text) == "length:");
    CHECK(std::string(kdevx_version()) == "0.1.0");
}
