// SPDX-License-Identifier: MIT
// The four ways to a context.
#include <fcntl.h>
#include <linux/capability.h>

#include "base/options.hpp"
#include "core/command.hpp"
#include "core/context.hpp"
#include "kabi/device.hpp"
#include "uverbs/diagnosis.hpp"
#include "uverbs/discovery.hpp"
#include "uverbs/request.hpp"

namespace kdevx::core {

using namespace uverbs;

namespace {

failure cannot_open(int err) {
    kdevx_cause cause = KDEVX_CAUSE_OTHER;
    switch (err) {
    case ENOENT:
    case ENODEV:
    case ENOTDIR:
        cause = KDEVX_CAUSE_NO_DEVICE;
        break;
    case EACCES:
    case EPERM:
        cause = KDEVX_CAUSE_NO_PERMISSION;
        break;
    case ENXIO:
    case EIO:
        cause = KDEVX_CAUSE_DEVICE_GONE;
        break;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
        cause = KDEVX_CAUSE_LIMIT;
        break;
    }
    return fail(cause, err, "open");
}

std::uint32_t uctx_caps_of(std::uint64_t capabilities) {
    auto has = [=](int cap) { return capabilities >> cap & 1; };
    return (has(CAP_NET_RAW) ? KDEVX_UCTX_CAP_RAW_TX : 0) |
           (has(CAP_SYS_RAWIO) ? KDEVX_UCTX_CAP_INTERNAL_DEV_RES : 0);
}

} // namespace

// The context on its way, with what the caller wants of it.
struct opening {
    kdevx_open_options options{};
    owned<context> c;

    static result<opening> begin(const kdevx_open_options *given) noexcept;
    uverbs::file &file() noexcept { return c->file_; }

    result<context *> by_path(const char *path) noexcept;
    result<context *> by_fd(int fd, std::uint32_t ownership, bool adopt) noexcept;

private:
    result<context *> finish(int fd, kdevx_fd_ownership ownership) noexcept;
    result<void> create() noexcept;
    result<void> get_context(bool devx) noexcept;
    failure why_no_context(const failure &f, bool devx) noexcept;
    result<void> query_context() noexcept;
    result<void> adopt() noexcept;
    result<void> probe_uid() noexcept;
};

result<opening> opening::begin(const kdevx_open_options *given) noexcept {
    result<kdevx_open_options> options = read_options(given, "options");
    if (!options) return options.failure();
    if (options->devx > KDEVX_DEVX_NEVER) return invalid("devx", options->devx, KDEVX_DEVX_NEVER);
    if (options->ucap_count && !options->ucap_fds) return invalid("ucap_fds");
    result<uverbs::sys> sys = uverbs::sys::make(options->sys);
    if (!sys) return sys.failure();
    opening o;
    o.options = *options;
    o.c = make_owned<context>(sys->memory(), *sys);
    if (!o.c) return no_memory("context");
    o.file().trace = options->trace;
    o.file().trace_arg = options->trace_arg;
    return o;
}

result<context *> opening::by_path(const char *path) noexcept {
    if (!path || !*path) return invalid("path");
    int fd = c->sys().open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0) return cannot_open(-fd);
    file().fd = fd;
    if (result<void> r = create(); !r) {
        c->sys().close(fd);
        return r.failure();
    }
    return finish(fd, KDEVX_FD_OWNED);
}

result<context *> opening::by_fd(int fd, std::uint32_t ownership, bool adopted) noexcept {
    if (fd < 0) return fail(KDEVX_CAUSE_INVALID, EBADF, "fd");
    if (ownership > KDEVX_FD_OWNED) return invalid("ownership", ownership, KDEVX_FD_OWNED);
    if (adopted && options.ucap_count) return invalid("ucap_count", options.ucap_count, 0);
    file().fd = fd;
    if (result<void> r = adopted ? adopt() : create(); !r) return r.failure();
    c->adopted_ = adopted;
    return finish(fd, kdevx_fd_ownership(ownership));
}

result<context *> opening::finish(int fd, kdevx_fd_ownership ownership) noexcept {
    file().fd = fd;
    c->ownership_ = ownership;
    c->gate_.open();
    return c.disown();
}

// ---- a context of our own ---------------------------------------------------------------------

result<void> opening::create() noexcept {
    bool devx = options.devx != KDEVX_DEVX_NEVER;
    result<void> r = get_context(devx);
    if (r || options.devx != KDEVX_DEVX_TRY) return r;
    // Only what is said about DEVX is worth a second try: lack of memory, for one, is not.
    const failure &f = r.failure();
    bool about_devx =
        f.cause == KDEVX_CAUSE_FIRMWARE_NO_UCTX || f.cause == KDEVX_CAUSE_FIRMWARE_REFUSED;
    if (!about_devx) return r;
    c->devx_refused_ = f;
    return get_context(false);
}

result<void> opening::get_context(bool devx) noexcept {
    mlx5_ib_alloc_ucontext_req_v2 request{};
    request.flags = devx ? MLX5_IB_ALLOC_UCTX_DEVX : 0;
    request.max_cqe_version = 1;
    request.lib_caps = MLX5_LIB_CAP_4K_UAR | MLX5_LIB_CAP_DYN_UAR;
    std::span<const int> ucaps(options.ucap_fds, options.ucap_count);
    result<void> r = invoke<kabi::device::get_context>(
        file(), out_value<"UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS">(c->num_comp_vectors_),
        tolerate(out_value<"UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT">(c->core_support_)),
        when(devx && !ucaps.empty(), in<"UVERBS_ATTR_GET_CONTEXT_FD_ARR">(std::as_bytes(ucaps))),
        in_value<"UVERBS_ATTR_UHW_IN">(request), out_value<"UVERBS_ATTR_UHW_OUT">(c->response_));
    if (!r) return why_no_context(r.failure(), devx);
    file().uid = devx ? devx_uid::present : devx_uid::absent;
    if (devx) c->uctx_caps_asked_ = uctx_caps_of(c->sys().capabilities());
    return {};
}

// EINVAL has many meanings here; which one it is can be asked.
failure opening::why_no_context(const failure &given, bool devx) noexcept {
    failure f = given;
    if (f.err == EPROTONOSUPPORT && options.ucap_count) f.step = "UVERBS_ATTR_GET_CONTEXT_FD_ARR";
    if (f.err != EINVAL) return f;
    if (int err = not_mlx5(file()))
        return fail(err == EIO ? KDEVX_CAUSE_DEVICE_GONE : KDEVX_CAUSE_NOT_MLX5, f.err, f.step);
    if (query_context()) return fail(KDEVX_CAUSE_INVALID, EINVAL, "fd");
    if (devx && !has_devx_objects(file())) f.cause = KDEVX_CAUSE_FIRMWARE_NO_UCTX;
    // The kernel turns what CREATE_UCTX was refused with into EINVAL as well. Nothing else of the
    // request can be wrong if DEVX was all that was asked for.
    else if (devx && !options.ucap_count)
        f.cause = KDEVX_CAUSE_FIRMWARE_REFUSED;
    return f;
}

// ---- somebody else's --------------------------------------------------------------------------

result<void> opening::query_context() noexcept {
    return invoke<kabi::device::query_context>(
        file(), out_value<"UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS">(c->num_comp_vectors_),
        tolerate(out_value<"UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT">(c->core_support_)),
        out_value<"MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX">(c->response_));
}

result<void> opening::adopt() noexcept {
    if (result<void> r = query_context(); !r) {
        failure f = r.failure();
        if (f.err == EINVAL && not_mlx5(file()))
            f.cause = KDEVX_CAUSE_NOT_MLX5;
        else if (f.err == EINVAL)
            f.step = "fd"; // there is no context on it
        return f;
    }
    return options.devx == KDEVX_DEVX_NEVER ? result<void>{} : probe_uid();
}

// QUERY_ISSI has no effect, every firmware knows it, and without a uid the kernel refuses it.
result<void> opening::probe_uid() noexcept {
    std::byte inbox[16]{std::byte{0x01}, std::byte{0x0a}}, outbox[112];
    result<void> r = general_cmd(*c, inbox, outbox);
    if (r || r.failure().err == EREMOTEIO) {
        file().uid = devx_uid::present;
        return {};
    }
    failure f = r.failure();
    if (f.err != EINVAL && f.err != EPROTONOSUPPORT) return f;
    file().uid = devx_uid::absent;
    if (f.err == EINVAL) f.cause = KDEVX_CAUSE_NO_DEVX_UID;
    if (options.devx == KDEVX_DEVX_REQUIRE) return f;
    c->devx_refused_ = f;
    return {};
}

// -----------------------------------------------------------------------------------------------

result<context *> open_name(const char *ibdev, const kdevx_open_options *options) noexcept {
    result<opening> o = opening::begin(options);
    if (!o) return o.failure();
    char node[sizeof(kdevx_device::node)];
    if (result<void> r = find_node(o->c->sys(), o->options.sysfs, o->options.dev, ibdev, node); !r)
        return r.failure();
    return o->by_path(node);
}

result<context *> open_path(const char *path, const kdevx_open_options *options) noexcept {
    result<opening> o = opening::begin(options);
    return o ? o->by_path(path) : o.failure();
}

result<context *> open_fd(int fd, std::uint32_t ownership,
                          const kdevx_open_options *options) noexcept {
    result<opening> o = opening::begin(options);
    return o ? o->by_fd(fd, ownership, false) : o.failure();
}

result<context *> adopt_fd(int fd, std::uint32_t ownership,
                           const kdevx_open_options *options) noexcept {
    result<opening> o = opening::begin(options);
    return o ? o->by_fd(fd, ownership, true) : o.failure();
}

} // namespace kdevx::core
