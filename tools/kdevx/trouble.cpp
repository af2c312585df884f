// SPDX-License-Identifier: MIT
#include "trouble.hpp"

#include <cstring>

#include <fmt/format.h>

namespace kdevx::tool {

exit_code exit_code_of(const kdevx_failure &why) {
    switch (why.cause) {
    case KDEVX_CAUSE_NONE:
        return exit_code::ok;
    case KDEVX_CAUSE_INVALID:
        return exit_code::usage;
    case KDEVX_CAUSE_NO_DEVICE:
    case KDEVX_CAUSE_NOT_MLX5:
        return exit_code::no_device;
    case KDEVX_CAUSE_KERNEL_TOO_OLD:
    case KDEVX_CAUSE_FIRMWARE_NO_UCTX:
    case KDEVX_CAUSE_NO_DEVX_UID:
    case KDEVX_CAUSE_NOT_SUPPORTED:
        return exit_code::no_devx;
    case KDEVX_CAUSE_NO_PERMISSION:
        return exit_code::no_permission;
    case KDEVX_CAUSE_FIRMWARE_REFUSED:
        return exit_code::refused;
    case KDEVX_CAUSE_COMMAND_NOT_EXECUTED:
    case KDEVX_CAUSE_DEVICE_GONE:
        return exit_code::not_executed;
    default:
        return exit_code::failed;
    }
}

std::string text_of(const kdevx_failure &why) {
    std::string text(kdevx_failure_text(&why, nullptr, 0), '\0');
    kdevx_failure_text(&why, text.data(), text.size() + 1);
    return text;
}

json json_of(const kdevx_failure &why) {
    json j{{"cause", kdevx_cause_name(why.cause)},
           {"step", why.step ? why.step : ""},
           {"errno", why.err},
           {"errno_text", std::strerror(why.err)}};
    if (why.outbox_valid) {
        j["status"] = why.fw_status;
        j["status_name"] = kdevx_status_name(why.fw_status);
        j["syndrome"] = fmt::format("{:#010x}", why.fw_syndrome);
    }
    return j;
}

trouble::trouble(const std::string &doing, const kdevx_failure &why)
    : std::runtime_error(doing + ": " + text_of(why)), code(exit_code_of(why)),
      cause(kdevx_cause_name(why.cause)), hint(kdevx_failure_hint(&why)), facts(json_of(why)) {}

namespace {
exit_code exit_code_of(const kdevx_nl_failure &why) {
    switch (why.cause) {
    case KDEVX_NL_NO_DEVICE:
        return exit_code::no_device;
    case KDEVX_NL_NO_RDMA:
    case KDEVX_NL_NO_CHARDEV:
        return exit_code::no_devx;
    case KDEVX_NL_NO_PERMISSION:
        return exit_code::no_permission;
    default:
        return exit_code::failed;
    }
}
} // namespace

trouble::trouble(const std::string &doing, const kdevx_nl_failure &why)
    : std::runtime_error(fmt::format("{}: {}: {}, errno {} ({})", doing, why.step,
                                     kdevx_nl_cause_name(why.cause), why.error,
                                     std::strerror(why.error))),
      code(exit_code_of(why)), cause(kdevx_nl_cause_name(why.cause)),
      hint(kdevx_nl_cause_hint(why.cause)), facts{{"step", why.step}, {"errno", why.error}} {}

json trouble::to_json() const {
    json j{{"cause", cause}, {"message", what()}, {"exit", int(code)}};
    if (!hint.empty()) j["hint"] = hint;
    for (const auto &[key, value] : facts.items())
        if (!j.contains(key)) j[key] = value;
    return json{{"error", j}};
}

} // namespace kdevx::tool
