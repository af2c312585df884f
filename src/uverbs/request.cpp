// SPDX-License-Identifier: MIT
#include "uverbs/request.hpp"

#include <rdma/ib_user_ioctl_verbs.h>

#include "uverbs/diagnosis.hpp"

namespace kdevx::uverbs {

namespace {

bool carries_bytes(kabi::attr_kind k) {
    return k == kabi::ptr_in || k == kabi::ptr_out || k == kabi::enum_in || k == kabi::handles;
}

result<void> check(const argument &a) {
    const kabi::attr &row = *a.row;
    const char *name = row.name.data();
    if (a.size > kabi::any_size)
        return fail(KDEVX_CAUSE_LIMIT, E2BIG, name, a.size, kabi::any_size);
    if (!carries_bytes(row.kind)) return {};
    if (a.size < row.bytes.least) return invalid(name, a.size, row.bytes.least);
    // A longer answer than the kernel has is no fault of the caller's: a newer one may have it.
    if (row.kind != kabi::ptr_out && a.size > row.bytes.most)
        return invalid(name, a.size, row.bytes.most);
    if (a.size && !a.data) return invalid(name);
    return {};
}

// Up to 8 bytes go in the attribute itself, except into a buffer that the kernel is to fill.
std::uint64_t payload(const argument &a) {
    if (!carries_bytes(a.row->kind)) return a.value;
    std::uint64_t v = 0;
    if (a.row->kind == kabi::ptr_out || a.size > sizeof v)
        return std::uint64_t(reinterpret_cast<std::uintptr_t>(a.data));
    if (a.size) std::memcpy(&v, a.data, a.size);
    return v;
}

ib_uverbs_attr encode(const argument &a) {
    ib_uverbs_attr w{};
    w.attr_id = a.row->id;
    w.len = std::uint16_t(a.size);
    w.flags = a.tolerated ? 0 : UVERBS_ATTR_F_MANDATORY;
    w.attr_data.enum_data.elem_id = a.element;
    w.data = payload(a);
    return w;
}

void store_results(std::span<argument> arguments, const ib_uverbs_attr *w) {
    for (argument &a : arguments) {
        if (!a.present) continue;
        if (a.handle) *a.handle = std::uint32_t(w->data);
        if (a.new_fd) *a.new_fd = int(w->data_s64);
        ++w;
    }
}

} // namespace

result<void> send(const file &f, const kabi::method_base &m, std::span<argument> arguments,
                  ib_uverbs_ioctl_hdr *wire) noexcept {
    std::memset(wire, 0, sizeof *wire);
    ib_uverbs_attr *attrs = wire->attrs;
    for (const argument &a : arguments) {
        if (!a.present) continue;
        if (result<void> r = check(a); !r) return r;
        attrs[wire->num_attrs++] = encode(a);
    }
    wire->length = std::uint16_t(sizeof *wire + wire->num_attrs * sizeof *attrs);
    wire->object_id = m.object->id;
    wire->method_id = m.id;
    wire->driver_id = RDMA_DRIVER_MLX5;
    if (int err = f.ioctl(wire, m.name)) return diagnose(f, m, err);
    store_results(arguments, attrs);
    return {};
}

} // namespace kdevx::uverbs
