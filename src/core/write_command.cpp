// SPDX-License-Identifier: MIT
#include "core/write_command.hpp"

#include <string_view>

namespace kdevx::core {

using namespace uverbs;

result<void> invoke_write(const file &f, const kabi::write_command &c, const_bytes in_box,
                          bytes out_box, const_bytes driver_in, bytes driver_out) noexcept {
    result<void> r = invoke<kabi::device::invoke_write>(
        f, in<"UVERBS_ATTR_CORE_IN">(in_box),
        when(!out_box.empty(), out<"UVERBS_ATTR_CORE_OUT">(out_box)),
        constant<"UVERBS_ATTR_WRITE_CMD">(c.number),
        when(!driver_in.empty(), in<"UVERBS_ATTR_UHW_IN">(driver_in)),
        when(!driver_out.empty(), out<"UVERBS_ATTR_UHW_OUT">(driver_out)));
    if (r) return r;
    failure why = r.failure();
    // By its text: the same name may stand in memory more than once.
    if (why.step && std::string_view(why.step) == kabi::device::invoke_write.name)
        why.step = c.name.data();
    return why;
}

} // namespace kdevx::core
