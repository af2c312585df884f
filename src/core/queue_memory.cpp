// SPDX-License-Identifier: MIT
#include "core/queue_memory.hpp"

namespace kdevx::core {

namespace {

constexpr std::size_t dbrec_size = 8, register_offset = 0x800;

// Where the caller wants it. `address` and `dmabuf` stay empty if that is left to the library.
struct place {
    void *address = nullptr;
    buffer_desc dmabuf{};
    bool left_to_us = false;
};

result<place> place_of(const kdevx_buffer &b, std::uint64_t size, const char *name) {
    place p;
    if (b.kind > KDEVX_BUFFER_DMABUF) return invalid(name, b.kind, KDEVX_BUFFER_DMABUF);
    p.left_to_us = b.kind == KDEVX_BUFFER_OWNED;
    if (p.left_to_us) return p;
    if (b.length < size) return invalid(name, b.length, size);
    if (b.kind == KDEVX_BUFFER_DMABUF) {
        if (b.fd < 0) return fail(KDEVX_CAUSE_INVALID, EBADF, name);
        p.dmabuf = {0, b.fd, 0, 0, b.address, size};
    } else {
        if (!b.address) return invalid(name);
        p.address = reinterpret_cast<void *>(std::uintptr_t(b.address));
    }
    return p;
}

} // namespace

kdevx_queue_memory queue_memory::describe() const noexcept {
    kdevx_queue_memory d{};
    d.buffer = buffers[0].address;
    d.buffer_size = buffers[0].size;
    d.sq_buffer = buffers[1].address;
    d.sq_buffer_size = buffers[1].size;
    d.dbrec = static_cast<std::uint32_t *>(dbrec);
    d.uar = uar_base;
    d.uar_reg = uar_base ? static_cast<std::byte *>(uar_base) + register_offset : nullptr;
    d.uar_page_id = uar_page_id;
    return d;
}

result<void> queue_setup::fill(queue_buffer &b, buffer_desc &dmabuf, const kdevx_buffer &wanted,
                               std::uint64_t size, const char *name) noexcept {
    result<place> p = place_of(wanted, size, name);
    if (!p) return p.failure();
    b = {p->address, size, false};
    dmabuf = p->dmabuf;
    if (!p->left_to_us || !size) return {};
    b.address = map_pages(c_.sys(), std::size_t(size));
    if (!b.address) return no_memory(name);
    b.owned = true;
    return {};
}

result<void> queue_setup::dbrec(const kdevx_buffer &wanted) noexcept {
    result<place> p = place_of(wanted, dbrec_size, "dbrec");
    if (!p) return p.failure();
    m_.dbrec = p->address;
    dbrec_dmabuf_ = p->dmabuf;
    if (!p->left_to_us) return {};
    m_.dbrec = c_.doorbell_records.take();
    if (!m_.dbrec) return no_memory("dbrec");
    m_.owns_dbrec = true;
    return {};
}

result<void> queue_setup::uar(const pin<core::uar> *wanted) noexcept {
    if (wanted) {
        if (&wanted->context() != &c_) return invalid("uar");
        m_.uar = &wanted->at();
        ++(*wanted)->users;
        m_.uar_base = (*wanted)->page.base;
        m_.uar_page_id = (*wanted)->page.page_id;
        return {};
    }
    result<uar_page> p = share_page(c_);
    if (!p) return p.failure();
    m_.uar_base = p->base;
    m_.uar_page_id = p->page_id;
    return {};
}

queue_setup::~queue_setup() {
    if (!kept_) give_back(c_, m_);
}

void give_back(context &c, queue_memory &m) noexcept {
    for (const queue_buffer &b : m.buffers)
        if (b.owned) unmap_pages(c.sys(), b.address, std::size_t(b.size));
    if (m.owns_dbrec) c.doorbell_records.give_back(m.dbrec);
    if (m.uar) --m.uar->body<uar>().users;
    if (m.uar_base && !m.uar) unshare_page(c);
    m = {};
}

} // namespace kdevx::core
