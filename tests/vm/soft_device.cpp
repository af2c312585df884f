// SPDX-License-Identifier: MIT
#include "soft_device.hpp"

#include "guest.hpp"

#include <cstring>
#include <filesystem>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;

namespace kdevx::vm {
namespace {

// One RDMA_NLDEV request and its acknowledgement.
class request {
    std::vector<char> bytes_ = std::vector<char>(NLMSG_HDRLEN);

public:
    explicit request(int command) {
        nlmsghdr h{};
        h.nlmsg_type = std::uint16_t(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command));
        h.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
        std::memcpy(bytes_.data(), &h, sizeof h);
    }
    request &add(int attribute, const void *value, std::size_t size) {
        const nlattr head{std::uint16_t(NLA_HDRLEN + size), std::uint16_t(attribute)};
        const std::size_t at = bytes_.size();
        bytes_.resize(at + NLA_ALIGN(NLA_HDRLEN + size));
        std::memcpy(bytes_.data() + at, &head, sizeof head);
        std::memcpy(bytes_.data() + at + NLA_HDRLEN, value, size);
        return *this;
    }
    request &add(int attribute, const std::string &text) {
        return add(attribute, text.c_str(), text.size() + 1);
    }
    // 0 or -errno, by the kernel.
    int send() {
        const auto length = std::uint32_t(bytes_.size());
        std::memcpy(bytes_.data(), &length, sizeof length);
        const int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
        char answer[4096];
        int result = -EPROTO;
        if (fd >= 0 && ::send(fd, bytes_.data(), bytes_.size(), 0) == ssize_t(bytes_.size()) &&
            recv(fd, answer, sizeof answer, 0) >= ssize_t(NLMSG_HDRLEN + sizeof(int)))
            std::memcpy(&result, answer + NLMSG_HDRLEN, sizeof result);
        close(fd);
        return result;
    }
};

std::string uverbs_of(const std::string &ibdev) {
    for (const auto &entry : fs::directory_iterator("/sys/class/infiniband_verbs"))
        if (fs::exists(entry.path() / "ibdev") && read_file(entry.path() / "ibdev") == ibdev)
            return entry.path().filename();
    return {};
}

} // namespace

soft_device::soft_device(std::string name) : name_(std::move(name)) {
    if (kernel() < version{6, 15}) load_module("crc32_generic"); // its checksum was a module then
    load_module("rdma_rxe");
    const int result = request(RDMA_NLDEV_CMD_NEWLINK)
                           .add(RDMA_NLDEV_ATTR_DEV_NAME, name_)
                           .add(RDMA_NLDEV_ATTR_LINK_TYPE, "rxe")
                           .add(RDMA_NLDEV_ATTR_NDEV_NAME, "lo")
                           .send();
    if (result) throw std::runtime_error("rxe on lo: " + std::string(std::strerror(-result)));
    const auto appeared = [&] { return fs::exists(node()); };
    if (!wait_for(std::chrono::seconds(5), appeared))
        throw std::runtime_error(name_ + " has no uverbs node");
}

soft_device::~soft_device() {
    unload_module("rdma_rxe"); // takes its devices along
}

std::string soft_device::node() const {
    const std::string uverbs = uverbs_of(name_);
    return uverbs.empty() ? std::string{} : "/dev/infiniband/" + uverbs;
}

} // namespace kdevx::vm
