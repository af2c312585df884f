// SPDX-License-Identifier: MIT
// From an errno to a cause. Where one errno stands for several facts the kernel is asked again,
// with requests that cannot have an effect: they lack a mandatory attribute, and the order of the
// kernel's checks (unknown method, device gone, attributes) tells which fact it was.
#pragma once

#include "kabi/table.hpp"
#include "uverbs/file.hpp"

namespace kdevx::uverbs {

failure diagnose(const file &f, const kabi::method_base &m, int err) noexcept;

// The errno of a request for the method that has no attribute but `attr_id`, or none at all; 0 is
// impossible for a method with another mandatory attribute.
int ask(const file &f, std::uint16_t object_id, std::uint16_t method_id) noexcept;
int ask(const file &f, std::uint16_t object_id, std::uint16_t method_id,
        const kabi::attr &attr) noexcept;

// Whether the file is mlx5's: 0, or ENOTTY (not a uverbs file), EINVAL (another driver's).
int not_mlx5(const file &f) noexcept;
bool has_devx_objects(const file &f) noexcept;
bool is_gone(const file &f) noexcept;

} // namespace kdevx::uverbs
