// SPDX-License-Identifier: MIT
#include "core/command.hpp"

#include "kabi/devx.hpp"

namespace kdevx::core {

using namespace uverbs;

result<void> with_outbox(const result<void> &r, const_bytes in, const_bytes out) {
    if (r || r.failure().err != EREMOTEIO) return r;
    failure f = r.failure();
    f.outbox_valid = 1;
    f.fw_status = status_of(out);
    f.fw_syndrome = syndrome_of(out);
    f.detail[0] = opcode_of(in);
    f.detail[1] = op_mod_of(in);
    return f;
}

failure refused_without_outbox(const failure &given) {
    failure f = given;
    bool of_a_status = f.err == EINVAL || f.err == EAGAIN || f.err == ENOMEM ||
                       f.err == EREMOTEIO ||
                       (f.err == EIO && f.cause == KDEVX_CAUSE_COMMAND_NOT_EXECUTED);
    if (of_a_status) f.cause = KDEVX_CAUSE_FIRMWARE_REFUSED;
    return f;
}

result<void> general_cmd(context &c, const_bytes in_box, bytes out_box) noexcept {
    result<void> r =
        invoke<kabi::devx::other>(c.file(), in<"MLX5_IB_ATTR_DEVX_OTHER_CMD_IN">(in_box),
                                  out<"MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT">(out_box));
    return with_outbox(r, in_box, out_box);
}

} // namespace kdevx::core
