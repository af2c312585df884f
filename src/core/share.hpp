// SPDX-License-Identifier: MIT
// Objects of another user of the same file.
#pragma once

#include <kdevx/share.h>

#include "core/object.hpp"
#include "core/umem.hpp"
#include "core/var.hpp"

namespace kdevx::core {

kdevx_exported export_object(const pin<object> &o) noexcept;
kdevx_exported export_umem(const pin<umem> &u) noexcept;
kdevx_exported export_var(const pin<var> &v) noexcept;

result<kdevx_object *> import_object(context &c, const kdevx_exported &e) noexcept;
result<kdevx_umem *> import_umem(context &c, const kdevx_exported &e) noexcept;
result<kdevx_var *> import_var(context &c, const kdevx_exported &e) noexcept;

} // namespace kdevx::core
