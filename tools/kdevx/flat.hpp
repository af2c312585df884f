// SPDX-License-Identifier: MIT
// A decoded layout as one line a field: the form for grep and awk.
#pragma once

#include "decode/item.hpp"

#include <functional>
#include <string>

namespace kdevx::tool {

// "qpc.log_rq_size" "3": every number and byte string of the tree in PRM order, under the paths
// that `kdevx cmd` takes. Bits without a name come as "UNKNOWN@0x1c".
void each_field(const decode::item &tree,
                const std::function<void(const std::string &path, const decode::item &)> &f);

// Decimal up to 16 bits wide, hex above, the name behind it where it has one; bytes as hex.
std::string value_text(const decode::item &i);

} // namespace kdevx::tool
