// SPDX-License-Identifier: MIT
// The C++ face: RAII types over the C interface, headers only. Errors are results; what the
// functions do and when they fail is said in the C headers.
#pragma once

#include <cstdint>
#include <span>

#include <kdevx/command.hpp>
#include <kdevx/context.h>
#include <kdevx/handle.hpp>
#include <kdevx/object.hpp>
#include <kdevx/uar.hpp>
#include <kdevx/umem.hpp>

namespace kdevx {

inline int close_context(kdevx_context *c, kdevx_failure *) noexcept {
    kdevx_context_close(c);
    return 0;
}

class context : public unique_handle<kdevx_context, close_context> {
public:
    using unique_handle::unique_handle;

    static result<context> open(const char *ibdev,
                                const kdevx_open_options *options = nullptr) noexcept {
        kdevx_context *c = nullptr;
        kdevx_failure why{};
        if (kdevx_context_open(ibdev, options, &c, &why)) return why;
        return context(c);
    }
    static result<context> open_path(const char *path,
                                     const kdevx_open_options *options = nullptr) noexcept {
        kdevx_context *c = nullptr;
        kdevx_failure why{};
        if (kdevx_context_open_path(path, options, &c, &why)) return why;
        return context(c);
    }
    static result<context> open_fd(int fd, kdevx_fd_ownership ownership,
                                   const kdevx_open_options *options = nullptr) noexcept {
        kdevx_context *c = nullptr;
        kdevx_failure why{};
        if (kdevx_context_open_fd(fd, ownership, options, &c, &why)) return why;
        return context(c);
    }
    static result<context> adopt_fd(int fd, kdevx_fd_ownership ownership,
                                    const kdevx_open_options *options = nullptr) noexcept {
        kdevx_context *c = nullptr;
        kdevx_failure why{};
        if (kdevx_context_adopt_fd(fd, ownership, options, &c, &why)) return why;
        return context(c);
    }

    int fd() const noexcept { return kdevx_context_fd(get()); }
    result<kdevx_context_info> info() const noexcept {
        kdevx_context_info i{};
        kdevx_failure why{};
        i.size = sizeof i;
        if (kdevx_context_get_info(get(), &i, &why)) return why;
        return i;
    }

    // general_cmd<prm::query_hca_cap_out>(inbox)
    template <const auto &Out, std::size_t OutTrailing = 0, const auto &In, std::size_t InTrailing>
    auto general_cmd(const prm::mailbox<In, InTrailing> &in) const noexcept {
        return send_command<Out, OutTrailing>(
            in, [this](auto... arguments) { return kdevx_general_cmd(get(), arguments...); });
    }
    result<void> general_cmd(std::span<const std::byte> in,
                             std::span<std::byte> out) const noexcept {
        kdevx_failure why{};
        if (kdevx_general_cmd(get(), in.data(), in.size(), out.data(), out.size(), &why))
            return why;
        return {};
    }

    // create<prm::create_mkey_out>(inbox); the outbox is stored through `answer` if that is not
    // null
    template <const auto &Out, std::size_t OutTrailing = 0, const auto &In, std::size_t InTrailing>
    result<object> create(const prm::mailbox<In, InTrailing> &in,
                          prm::mailbox<Out, OutTrailing> *answer = nullptr) const noexcept {
        kdevx_object *o = nullptr;
        auto out =
            send_command<Out, OutTrailing>(in, [&](const void *i, std::size_t i_size, void *o_box,
                                                   std::size_t o_size, kdevx_failure *why) {
                return kdevx_object_create(get(), i, i_size, o_box, o_size, &o, why);
            });
        if (!out) return out.failure();
        if (answer) *answer = *out;
        return object(o);
    }
    result<object> create(std::span<const std::byte> in, std::span<std::byte> out) const noexcept {
        kdevx_object *o = nullptr;
        kdevx_failure why{};
        if (kdevx_object_create(get(), in.data(), in.size(), out.data(), out.size(), &o, &why))
            return why;
        return object(o);
    }

    result<cmd_comp> create_cmd_comp() const noexcept {
        kdevx_cmd_comp *q = nullptr;
        kdevx_failure why{};
        if (kdevx_cmd_comp_create(get(), &q, &why)) return why;
        return cmd_comp(q);
    }
    result<umem> reg_umem(std::span<std::byte> memory,
                          const kdevx_umem_options *options = nullptr) const noexcept {
        kdevx_umem *u = nullptr;
        kdevx_failure why{};
        if (kdevx_umem_reg(get(), memory.data(), memory.size(), options, &u, &why)) return why;
        return umem(u);
    }
    result<umem> reg_dmabuf(int fd, std::uint64_t offset, std::uint64_t length,
                            const kdevx_umem_options *options = nullptr) const noexcept {
        kdevx_umem *u = nullptr;
        kdevx_failure why{};
        if (kdevx_umem_reg_dmabuf(get(), fd, offset, length, options, &u, &why)) return why;
        return umem(u);
    }
    result<uar> alloc_uar(std::span<const std::uint32_t> ladder) const noexcept {
        kdevx_uar *u = nullptr;
        kdevx_failure why{};
        if (kdevx_uar_alloc(get(), ladder.data(), ladder.size(), &u, &why)) return why;
        return uar(u);
    }
    result<uar> alloc_uar(kdevx_uar_type type) const noexcept {
        const std::uint32_t one = type;
        return alloc_uar({&one, 1});
    }

    result<std::uint32_t> eqn(std::uint32_t vector) const noexcept {
        std::uint32_t eqn = 0;
        kdevx_failure why{};
        if (kdevx_eqn_query(get(), vector, &eqn, &why)) return why;
        return eqn;
    }
    result<bool> has_method(std::uint16_t object, std::uint16_t method) const noexcept {
        int present = 0;
        kdevx_failure why{};
        if (kdevx_probe_method(get(), object, method, &present, &why)) return why;
        return present != 0;
    }
    result<bool> has_attr(std::uint16_t object, std::uint16_t method,
                          std::uint16_t attr) const noexcept {
        int present = 0;
        kdevx_failure why{};
        if (kdevx_probe_attr(get(), object, method, attr, &present, &why)) return why;
        return present != 0;
    }
};

} // namespace kdevx
