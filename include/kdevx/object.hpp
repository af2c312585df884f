// SPDX-License-Identifier: MIT
// Firmware objects and the queue of asynchronous answers.
#pragma once

#include <span>

#include <kdevx/command.hpp>
#include <kdevx/handle.hpp>
#include <kdevx/object.h>

namespace kdevx {

class cmd_comp : public unique_handle<kdevx_cmd_comp, kdevx_cmd_comp_destroy> {
public:
    using unique_handle::unique_handle;

    int fd() const noexcept { return kdevx_cmd_comp_fd(get()); }
    std::uint32_t in_flight() const noexcept { return kdevx_cmd_comp_in_flight(get()); }

    // The answer's bytes go to `out`, of which they may fill less.
    result<kdevx_completion> take(std::span<std::byte> out,
                                  int timeout_ms = KDEVX_FOREVER) const noexcept {
        kdevx_completion c{};
        kdevx_failure why{};
        c.size = sizeof c;
        if (kdevx_cmd_comp_get(get(), out.data(), out.size(), timeout_ms, &c, &why)) return why;
        return c;
    }
};

class object : public unique_handle<kdevx_object, kdevx_object_destroy> {
public:
    using unique_handle::unique_handle;

    result<kdevx_object_info> info() const noexcept {
        kdevx_object_info i{};
        kdevx_failure why{};
        i.size = sizeof i;
        if (kdevx_object_get_info(get(), &i, &why)) return why;
        return i;
    }

    // query<prm::query_qp_out>(inbox), modify<prm::rst2init_qp_out>(inbox)
    template <const auto &Out, std::size_t OutTrailing = 0, const auto &In, std::size_t InTrailing>
    auto query(const prm::mailbox<In, InTrailing> &in) const noexcept {
        return send_command<Out, OutTrailing>(
            in, [this](auto... arguments) { return kdevx_object_query(get(), arguments...); });
    }
    template <const auto &Out, std::size_t OutTrailing = 0, const auto &In, std::size_t InTrailing>
    auto modify(const prm::mailbox<In, InTrailing> &in) const noexcept {
        return send_command<Out, OutTrailing>(
            in, [this](auto... arguments) { return kdevx_object_modify(get(), arguments...); });
    }
    result<void> query(std::span<const std::byte> in, std::span<std::byte> out) const noexcept {
        kdevx_failure why{};
        if (kdevx_object_query(get(), in.data(), in.size(), out.data(), out.size(), &why))
            return why;
        return {};
    }
    result<void> modify(std::span<const std::byte> in, std::span<std::byte> out) const noexcept {
        kdevx_failure why{};
        if (kdevx_object_modify(get(), in.data(), in.size(), out.data(), out.size(), &why))
            return why;
        return {};
    }
    result<void> query_async(std::span<const std::byte> in, std::size_t out_size,
                             std::uint64_t wr_id, const cmd_comp &comp) const noexcept {
        kdevx_failure why{};
        if (kdevx_object_query_async(get(), in.data(), in.size(), out_size, wr_id, comp.get(),
                                     &why))
            return why;
        return {};
    }
};

} // namespace kdevx
