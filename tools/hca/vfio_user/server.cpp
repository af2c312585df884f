// SPDX-License-Identifier: MIT
#include "vfio_user/server.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>

namespace kdevx::hca::vfio_user {
namespace {

template <class T>
std::optional<T> front(std::span<const std::byte> body) {
    if (body.size() < sizeof(T)) return std::nullopt;
    T t;
    std::memcpy(&t, body.data(), sizeof t);
    return t;
}

template <class T>
void append(std::vector<std::byte> &to, const T &t) {
    auto bytes = std::as_bytes(std::span(&t, 1));
    to.insert(to.end(), bytes.begin(), bytes.end());
}

} // namespace

// ---- receiving ---------------------------------------------------------------------------------

header server::head() const {
    return *front<header>(message_);
}

// The header is read alone so that descriptors stay with the message they came with.
std::size_t server::wanted() const {
    std::size_t whole = message_.size() < sizeof(header) ? sizeof(header) : head().size;
    return whole - message_.size();
}

void server::keep_fds(const msghdr &m) {
    for (cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(const_cast<msghdr *>(&m), c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) continue;
        for (std::size_t i = 0; CMSG_LEN((i + 1) * sizeof(int)) <= c->cmsg_len; ++i) {
            int fd;
            std::memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            fds_.emplace_back(fd);
        }
    }
    lost_fds_ = lost_fds_ || (m.msg_flags & MSG_CTRUNC) || fds_.size() > max_msg_fds;
}

bool server::receive(std::size_t n) {
    std::size_t had = message_.size();
    message_.resize(had + n);
    iovec part{message_.data() + had, n};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(max_msg_fds * sizeof(int))> control;
    msghdr m{};
    m.msg_iov = &part;
    m.msg_iovlen = 1;
    m.msg_control = control.data();
    m.msg_controllen = control.size();
    ssize_t got = ::recvmsg(socket_.get(), &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    int error = errno;
    message_.resize(had + (got > 0 ? std::size_t(got) : 0));
    if (got > 0) keep_fds(m);
    return got > 0 || (got < 0 && (error == EAGAIN || error == EINTR));
}

bool server::on_readable() {
    if (!receive(wanted())) return false;
    if (message_.size() < sizeof(header)) return true;
    if (head().size < sizeof(header) || head().size > max_message_size) {
        log_.line("vfio-user: a message of {} bytes is no message, closing", head().size);
        return false;
    }
    return message_.size() < head().size || handle();
}

bool server::handle() {
    const header h = head();
    if ((h.flags & type_mask) != type_command) {
        log_.line("vfio-user: a reply to nothing, closing");
        return false;
    }
    int error = lost_fds_ ? EMFILE : dispatch(std::span(message_).subspan(sizeof(header)));
    bool keep = h.flags & flag_no_reply || send_reply(error);
    message_.clear();
    fds_.clear(); // whatever the handler did not take is closed
    reply_.clear();
    lost_fds_ = false;
    return keep;
}

bool server::send_reply(int error) {
    if (error) reply_.clear();
    header h = head();
    h.size = std::uint32_t(sizeof h + reply_.size());
    h.flags = type_reply | (error ? flag_error : 0);
    h.error = std::uint32_t(error);
    std::vector<std::byte> out;
    out.reserve(h.size);
    append(out, h);
    out.insert(out.end(), reply_.begin(), reply_.end());
    for (std::size_t sent = 0; sent < out.size();) {
        ssize_t n = ::send(socket_.get(), out.data() + sent, out.size() - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        sent += std::size_t(n);
    }
    return true;
}

// ---- commands ----------------------------------------------------------------------------------

int server::dispatch(std::span<const std::byte> body) {
    const auto command = head().command;
    if (!introduced_ && command != VERSION) return EPROTO;
    switch (command) {
    case VERSION:
        return on_version(body);
    case DMA_MAP:
        return on_dma_map(body);
    case DMA_UNMAP:
        return on_dma_unmap(body);
    case DEVICE_GET_INFO:
        return on_device_info(body);
    case DEVICE_GET_REGION_INFO:
        return on_region_info(body);
    case DEVICE_GET_IRQ_INFO:
        return on_irq_info(body);
    case DEVICE_SET_IRQS:
        return on_set_irqs(body);
    case REGION_READ:
        return on_region_read(body);
    case REGION_WRITE:
        return on_region_write(body);
    case REGION_WRITE_MULTI:
        return on_region_write_multi(body);
    case DEVICE_RESET:
        return device_.reset(), 0;
    }
    log_.line("vfio-user: command {} is not served", command);
    return EOPNOTSUPP;
}

int server::on_version(std::span<const std::byte> body) {
    auto v = front<version>(body);
    if (!v || introduced_) return EINVAL;
    log_.line("vfio-user: client speaks {}.{}", v->major, v->minor);
    if (v->major != major_version) return EINVAL;
    introduced_ = true;
    append(reply_, *v);
    std::string capabilities = fmt::format(
        R"({{"capabilities":{{"max_msg_fds":{},"max_data_xfer_size":{},"write_multiple":true}}}})",
        max_msg_fds, max_data_xfer_size);
    auto text = std::as_bytes(std::span(capabilities.c_str(), capabilities.size() + 1));
    reply_.insert(reply_.end(), text.begin(), text.end());
    return 0;
}

int server::on_dma_map(std::span<const std::byte> body) {
    auto m = front<dma_map>(body);
    if (!m || m->flags & ~(dma_readable | dma_writable) || fds_.size() > 1) return EINVAL;
    unique_fd fd;
    if (!fds_.empty()) fd = std::move(fds_.front());
    return device_.dma_map(m->address, m->size, m->flags & dma_writable, std::move(fd), m->offset);
}

int server::on_dma_unmap(std::span<const std::byte> body) {
    auto m = front<dma_unmap>(body);
    if (!m || m->flags & ~unmap_all) return EINVAL;
    int error = 0;
    if (m->flags & unmap_all)
        device_.dma_unmap_all();
    else
        error = device_.dma_unmap(m->address, m->size);
    append(reply_, *m);
    return error;
}

int server::on_device_info(std::span<const std::byte>) {
    append(reply_, device_info{sizeof(device_info), device_flag_reset | device_flag_pci,
                               num_regions, num_irqs});
    return 0;
}

int server::on_region_info(std::span<const std::byte> body) {
    auto asked = front<region_info>(body);
    if (!asked || asked->index >= num_regions) return EINVAL;
    std::uint64_t size = device_.region_size(asked->index);
    std::uint32_t flags = size ? region_readable | region_writable : 0;
    append(reply_, region_info{sizeof(region_info), flags, asked->index, 0, size, 0});
    return 0;
}

int server::on_irq_info(std::span<const std::byte> body) {
    auto asked = front<irq_info>(body);
    if (!asked || asked->index >= num_irqs) return EINVAL;
    unsigned count = device_.irq_count(asked->index);
    std::uint32_t flags = count ? irq_flag_eventfd | irq_flag_noresize : 0;
    append(reply_, irq_info{sizeof(irq_info), flags, asked->index, count});
    return 0;
}

int server::on_set_irqs(std::span<const std::byte> body) {
    auto set = front<irq_set>(body);
    if (!set || set->index >= num_irqs) return EINVAL;
    unsigned count = device_.irq_count(set->index);
    // Of an interrupt kind that the device has not, connecting is taken and comes to nothing.
    if (count == 0) return 0;
    if (set->start > count || set->count > count - set->start) return EINVAL;
    if (set->flags & irq_data_bool) return EOPNOTSUPP;
    if (set->flags & irq_data_eventfd)
        connect_irqs(*set);
    else if (set->count == 0 && set->flags & irq_trigger)
        for (unsigned v = 0; v < count; ++v)
            device_.irq_connect(v, unique_fd());
    else
        for (unsigned v = set->start; v < set->start + set->count; ++v)
            set->flags &irq_trigger ? device_.irq_trigger(v)
                                    : device_.irq_mask(v, set->flags & irq_mask);
    return 0;
}

// Fewer descriptors than vectors: the last ones lose theirs.
void server::connect_irqs(const irq_set &set) {
    for (std::uint32_t i = 0; i < set.count; ++i)
        device_.irq_connect(set.start + i, i < fds_.size() ? std::move(fds_[i]) : unique_fd());
}

int server::check_access(const region_access &a) const {
    if (a.region >= num_regions || a.count > max_data_xfer_size) return EINVAL;
    std::uint64_t size = device_.region_size(a.region);
    return a.offset > size || a.count > size - a.offset ? EINVAL : 0;
}

int server::on_region_read(std::span<const std::byte> body) {
    auto a = front<region_access>(body);
    if (!a) return EINVAL;
    if (int error = check_access(*a)) return error;
    append(reply_, *a);
    reply_.resize(sizeof *a + a->count);
    device_.region_read(a->region, a->offset, std::span(reply_).subspan(sizeof *a));
    return 0;
}

int server::on_region_write(std::span<const std::byte> body) {
    auto a = front<region_access>(body);
    if (!a) return EINVAL;
    if (int error = check_access(*a)) return error;
    auto data = body.subspan(sizeof *a);
    if (data.size() < a->count) return EINVAL;
    device_.region_write(a->region, a->offset, data.first(a->count));
    append(reply_, *a);
    return 0;
}

int server::on_region_write_multi(std::span<const std::byte> body) {
    struct one_write {
        region_access access;
        std::array<std::byte, 8> data;
    };
    auto count = front<std::uint64_t>(body);
    if (!count || *count > write_multi_max) return EINVAL;
    for (std::size_t i = 0; i < *count; ++i) {
        auto at = sizeof *count + i * sizeof(one_write);
        auto w = at <= body.size() ? front<one_write>(body.subspan(at)) : std::nullopt;
        if (!w || w->access.count > w->data.size()) return EINVAL;
        if (int error = check_access(w->access)) return error;
        device_.region_write(w->access.region, w->access.offset,
                             std::span(w->data).first(w->access.count));
    }
    append(reply_, *count);
    return 0;
}

} // namespace kdevx::hca::vfio_user
