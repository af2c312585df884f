// SPDX-License-Identifier: MIT
// Serves one vfio-user client on a connected stream socket. It takes what has arrived and never
// waits for more, so a client that stops in the middle of a message stops nobody.
#pragma once

#include "log.hpp"
#include "unique_fd.hpp"
#include "vfio_user/device.hpp"
#include "vfio_user/protocol.hpp"

#include <sys/socket.h>
#include <vector>

namespace kdevx::hca::vfio_user {

class server {
public:
    server(unique_fd socket, device &served, logger &log)
        : socket_(std::move(socket)), device_(served), log_(log) {}

    int fd() const { return socket_.get(); }
    // Call when the socket is readable. False: the client is gone, or sent what no client may send.
    bool on_readable();

private:
    unique_fd socket_;
    device &device_;
    logger &log_;
    std::vector<std::byte> message_; // header and body, as far as they have arrived
    std::vector<unique_fd> fds_;     // that came with it
    bool introduced_ = false;        // VERSION was spoken
    bool lost_fds_ = false;

    header head() const;
    std::size_t wanted() const;
    bool receive(std::size_t n);
    void keep_fds(const msghdr &m);
    bool handle();

    int dispatch(std::span<const std::byte> body);
    int on_version(std::span<const std::byte> body);
    int on_dma_map(std::span<const std::byte> body);
    int on_dma_unmap(std::span<const std::byte> body);
    int on_device_info(std::span<const std::byte> body);
    int on_region_info(std::span<const std::byte> body);
    int on_irq_info(std::span<const std::byte> body);
    int on_set_irqs(std::span<const std::byte> body);
    int on_region_read(std::span<const std::byte> body);
    int on_region_write(std::span<const std::byte> body);
    int on_region_write_multi(std::span<const std::byte> body);
    void connect_irqs(const irq_set &set);

    int check_access(const region_access &access) const;
    std::vector<std::byte> reply_; // body of the answer to the message at hand
    bool send_reply(int error);
};

} // namespace kdevx::hca::vfio_user
