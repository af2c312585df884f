// SPDX-License-Identifier: MIT
#include "raw.hpp"

#include <cerrno>
#include <cstring>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <stdexcept>
#include <sys/ioctl.h>

namespace kdevx::vm {

ib_uverbs_attr &raw::add(unsigned id, std::size_t length) {
    ib_uverbs_attr &a = attrs.emplace_back();
    a.attr_id = std::uint16_t(id);
    a.len = std::uint16_t(length);
    a.flags = optional_ ? 0 : UVERBS_ATTR_F_MANDATORY;
    return a;
}

raw &raw::in(unsigned id, const void *p, std::size_t size) {
    ib_uverbs_attr &a = add(id, size);
    if (size <= sizeof a.data)
        std::memcpy(&a.data, p, size);
    else
        a.data = std::uintptr_t(p);
    return *this;
}

raw &raw::out(unsigned id, void *p, std::size_t size) {
    add(id, size).data = std::uintptr_t(p);
    return *this;
}

raw &raw::value(unsigned id, std::uint64_t v, unsigned length) {
    add(id, length).data = v;
    return *this;
}

int raw::send(int fd) {
    return send(fd, RDMA_VERBS_IOCTL);
}

int raw::send(int fd, unsigned long request) {
    const std::size_t list = attrs.size() * sizeof(ib_uverbs_attr);
    std::vector<std::uint64_t> words((sizeof(ib_uverbs_ioctl_hdr) + list) / 8);
    auto *bytes = reinterpret_cast<char *>(words.data());
    // Its array of attributes of no size is an extension that clang points out when initialized.
    ib_uverbs_ioctl_hdr header;
    std::memset(&header, 0, sizeof header);
    header.length = std::uint16_t(int(sizeof header + list) + extra_length);
    header.object_id = object;
    header.method_id = method;
    header.num_attrs = std::uint16_t(attrs.size());
    header.driver_id = driver;
    header.reserved1 = reserved1;
    header.reserved2 = reserved2;
    std::memcpy(bytes, &header, sizeof header);
    if (list) std::memcpy(bytes + sizeof header, attrs.data(), list);
    const int result = ioctl(fd, request, bytes);
    const int error = errno;
    if (list) std::memcpy(attrs.data(), bytes + sizeof header, list);
    return result < 0 ? -error : result;
}

std::uint64_t raw::data(unsigned id) const {
    for (const ib_uverbs_attr &a : attrs)
        if (a.attr_id == id) return a.data;
    throw std::logic_error("no such attribute was sent");
}

std::uint16_t raw::flags(unsigned id) const {
    for (const ib_uverbs_attr &a : attrs)
        if (a.attr_id == id) return a.flags;
    throw std::logic_error("no such attribute was sent");
}

int raw_get_context(int fd, bool devx) {
    mlx5_ib_alloc_ucontext_req_v2 want{};
    mlx5_ib_alloc_ucontext_resp got{};
    want.flags = devx ? MLX5_IB_ALLOC_UCTX_DEVX : 0;
    want.max_cqe_version = 1;
    want.lib_caps = MLX5_LIB_CAP_4K_UAR | MLX5_LIB_CAP_DYN_UAR;
    return raw(UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT)
        .in(UVERBS_ATTR_UHW_IN, &want, sizeof want)
        .out(UVERBS_ATTR_UHW_OUT, &got, sizeof got)
        .send(fd);
}

} // namespace kdevx::vm
