// SPDX-License-Identifier: MIT
// Verbs objects through DEVX: from a verbs object to the numbers that the firmware knows it by, and
// what an inbox must say so that the kernel takes it for that object.
#pragma once

#include <kdevx/verbs_devx.h>

#include "core/object.hpp"
#include "core/qp.hpp"

namespace kdevx::core {

// One thing of the firmware's: by the opcode that creates such things, as the kernel files it.
struct device_id {
    std::uint16_t object;
    std::uint32_t number;
};
class device_ids {
    device_id all_[4]{};
    std::size_t count_ = 0;
    bool several_ = false;

public:
    void add(std::uint16_t object, std::uint32_t number) noexcept {
        all_[count_++] = {object, number};
    }
    const device_id *begin() const noexcept { return all_; }
    const device_id *end() const noexcept { return all_ + count_; }
    bool empty() const noexcept { return !count_; }
    // They are different things, not names of one.
    void are_several() noexcept { several_ = true; }
    bool several() const noexcept { return several_; }
};

device_ids ids_of(const cq &q) noexcept;
device_ids ids_of(const qp &q) noexcept; // none: an RSS QP, or a DCT that is not RTR yet
device_ids ids_of(const srq &q) noexcept;
device_ids ids_of(const wq &q) noexcept;
device_ids ids_of(const ind_table &t) noexcept;

struct verbs_handle {
    const uverbs::file &file;
    std::uint32_t handle;
    device_ids ids;
};
template <class Body>
verbs_handle verbs_handle_of(const pin<Body> &o) noexcept {
    return {o.file(), o.handle(), ids_of(*o)};
}

result<void> devx_query(const verbs_handle &h, uverbs::const_bytes in, uverbs::bytes out) noexcept;
result<void> devx_modify(const verbs_handle &h, uverbs::const_bytes in, uverbs::bytes out) noexcept;

// For QPs: what went through is noted, what a QP's state forbade is told with the state believed.
result<void> devx_query_qp(const pin<qp> &q, uverbs::const_bytes in, uverbs::bytes out) noexcept;
result<void> devx_modify_qp(const pin<qp> &q, uverbs::const_bytes in, uverbs::bytes out) noexcept;

} // namespace kdevx::core
