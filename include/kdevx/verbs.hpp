// SPDX-License-Identifier: MIT
// Verbs objects.
#pragma once

#include <span>

#include <kdevx/context.hpp>
#include <kdevx/made.hpp>
#include <kdevx/mr.h>
#include <kdevx/typed/command.hpp>
#include <kdevx/verbs_devx.h>

namespace kdevx {

class pd : public unique_handle<kdevx_pd, kdevx_pd_dealloc> {
public:
    using unique_handle::unique_handle;

    static result<pd> alloc(const context &c) noexcept {
        return owner_of<pd>([&](auto... made) { return kdevx_pd_alloc(c.get(), made...); });
    }
    result<kdevx_pd_info> info() const noexcept { return info_of(get(), kdevx_pd_get_info); }
};

class xrcd : public unique_handle<kdevx_xrcd, kdevx_xrcd_close> {
public:
    using unique_handle::unique_handle;

    static result<xrcd> open(const context &c) noexcept {
        return owner_of<xrcd>([&](auto... made) { return kdevx_xrcd_open(c.get(), made...); });
    }
};

class dm : public unique_handle<kdevx_dm, kdevx_dm_free> {
public:
    using unique_handle::unique_handle;

    static result<dm> alloc(const context &c, kdevx_dm_type type, std::uint64_t length,
                            std::uint32_t log_align = 0) noexcept {
        return owner_of<dm>([&](auto... made) {
            return kdevx_dm_alloc(c.get(), type, length, log_align, made...);
        });
    }
    result<kdevx_dm_info> info() const noexcept { return info_of(get(), kdevx_dm_get_info); }
    // Lives as long as the memory.
    result<void *> map_op(std::uint8_t op) const noexcept {
        void *address = nullptr;
        kdevx_failure why{};
        if (kdevx_dm_map_op(get(), op, &address, &why)) return why;
        return address;
    }
};

class mr : public unique_handle<kdevx_mr, kdevx_mr_dereg> {
public:
    using unique_handle::unique_handle;

    // The device calls the memory by its own address.
    static result<mr> reg(const pd &domain, std::span<std::byte> memory,
                          std::uint32_t access) noexcept {
        auto iova = std::uint64_t(reinterpret_cast<std::uintptr_t>(memory.data()));
        return owner_of<mr>([&](auto... made) {
            return kdevx_mr_reg(domain.get(), memory.data(), memory.size(), iova, access, made...);
        });
    }
    static result<mr> reg_dm(const pd &domain, const dm &memory, std::uint64_t offset,
                             std::uint64_t length, std::uint32_t access) noexcept {
        return owner_of<mr>([&](auto... made) {
            return kdevx_mr_reg_dm(domain.get(), memory.get(), offset, length, access, made...);
        });
    }
    result<kdevx_mr_info> info() const noexcept { return info_of(get(), kdevx_mr_get_info); }
};

class ah : public unique_handle<kdevx_ah, kdevx_ah_destroy> {
public:
    using unique_handle::unique_handle;

    static result<ah> create(const pd &domain, const kdevx_address &to) noexcept {
        return owner_of<ah>(
            [&](auto... made) { return kdevx_ah_create(domain.get(), &to, made...); });
    }
    result<kdevx_ah_info> info() const noexcept { return info_of(get(), kdevx_ah_get_info); }
};

// A queue that DEVX can query and modify: typed commands whose number may be left 0.
template <
    class T, int (*Destroy)(T *, kdevx_failure *) noexcept,
    int (*Query)(T *, const void *, std::size_t, void *, std::size_t, kdevx_failure *) noexcept,
    int (*Modify)(T *, const void *, std::size_t, void *, std::size_t, kdevx_failure *) noexcept>
class verbs_queue : public unique_handle<T, Destroy> {
public:
    using unique_handle<T, Destroy>::unique_handle;

    template <typed::queries Command>
    result<typename Command::answer> query(const Command &in) const noexcept {
        return typed::send(in, [this](auto... a) { return Query(this->get(), a...); });
    }
    template <typed::modifies Command>
    result<typename Command::answer> modify(const Command &in) const noexcept {
        return typed::send(in, [this](auto... a) { return Modify(this->get(), a...); });
    }
};

class cq
    : public verbs_queue<kdevx_cq, kdevx_cq_destroy, kdevx_cq_devx_query, kdevx_cq_devx_modify> {
public:
    using verbs_queue::verbs_queue;

    static result<cq> create(const context &c, const kdevx_cq_options &o) noexcept {
        return owner_of<cq>([&](auto... made) { return kdevx_cq_create(c.get(), &o, made...); });
    }
    result<kdevx_cq_info> info() const noexcept { return info_of(get(), kdevx_cq_get_info); }
    result<void> resize(const kdevx_cq_resize_options &o) const noexcept {
        return done([&](auto *why) { return kdevx_cq_resize(get(), &o, why); });
    }
};

class srq : public verbs_queue<kdevx_srq, kdevx_srq_destroy, kdevx_srq_devx_query,
                               kdevx_srq_devx_modify> {
public:
    using verbs_queue::verbs_queue;

    static result<srq> create(const pd &domain, const kdevx_srq_options &o) noexcept {
        return owner_of<srq>(
            [&](auto... made) { return kdevx_srq_create(domain.get(), &o, made...); });
    }
    result<kdevx_srq_info> info() const noexcept { return info_of(get(), kdevx_srq_get_info); }
};

class wq
    : public verbs_queue<kdevx_wq, kdevx_wq_destroy, kdevx_wq_devx_query, kdevx_wq_devx_modify> {
public:
    using verbs_queue::verbs_queue;

    static result<wq> create(const pd &domain, const kdevx_wq_options &o) noexcept {
        return owner_of<wq>(
            [&](auto... made) { return kdevx_wq_create(domain.get(), &o, made...); });
    }
    result<kdevx_wq_info> info() const noexcept { return info_of(get(), kdevx_wq_get_info); }
};

class ind_table : public verbs_queue<kdevx_ind_table, kdevx_ind_table_destroy,
                                     kdevx_ind_table_devx_query, kdevx_ind_table_devx_modify> {
public:
    using verbs_queue::verbs_queue;

    // 2^log_size of them.
    static result<ind_table> create(const context &c, std::uint32_t log_size,
                                    kdevx_wq *const *wqs) noexcept {
        return owner_of<ind_table>(
            [&](auto... made) { return kdevx_ind_table_create(c.get(), log_size, wqs, made...); });
    }
    result<kdevx_ind_table_info> info() const noexcept {
        return info_of(get(), kdevx_ind_table_get_info);
    }
};

class qp
    : public verbs_queue<kdevx_qp, kdevx_qp_destroy, kdevx_qp_devx_query, kdevx_qp_devx_modify> {
public:
    using verbs_queue::verbs_queue;

    static result<qp> create(const pd &domain, const kdevx_qp_options &o) noexcept {
        return owner_of<qp>(
            [&](auto... made) { return kdevx_qp_create(domain.get(), &o, made...); });
    }
    static result<qp> create_xrc_tgt(const context &c, const kdevx_qp_options &o) noexcept {
        return owner_of<qp>(
            [&](auto... made) { return kdevx_qp_create_xrc_tgt(c.get(), &o, made...); });
    }
    result<kdevx_qp_info> info() const noexcept { return info_of(get(), kdevx_qp_get_info); }

    // The verbs way.
    result<void> modify_verbs(const kdevx_qp_attr &attr, std::uint32_t mask) const noexcept {
        return done([&](kdevx_failure *why) { return kdevx_qp_modify(get(), &attr, mask, why); });
    }
    result<kdevx_qp_attr> query_verbs(std::uint32_t mask) const noexcept {
        kdevx_qp_attr attr{};
        kdevx_failure why{};
        attr.size = sizeof attr;
        if (kdevx_qp_query(get(), mask, &attr, &why)) return why;
        return attr;
    }
};

} // namespace kdevx
