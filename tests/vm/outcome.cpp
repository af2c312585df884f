// SPDX-License-Identifier: MIT
#include "outcome.hpp"

#include "kdevx/prm/status.hpp"

namespace kdevx::vm {

bool operator==(const outcome &got, const expectation &expected) {
    if (got.err != expected.err || got.why.cause != expected.cause) return false;
    if (!expected.reason) return true;
    const prm::value *status = prm::statuses.find(expected.reason->status);
    return status && got.why.outbox_valid && got.why.fw_status == status->number &&
           got.why.fw_syndrome == expected.reason->syndrome;
}

std::ostream &operator<<(std::ostream &to, const outcome &got) {
    if (!got.err) return to << "ok";
    char text[300];
    kdevx_failure_text(&got.why, text, sizeof text);
    return to << "-" << strerrorname_np(got.err) << " " << text;
}

std::ostream &operator<<(std::ostream &to, const expectation &expected) {
    if (!expected.err) return to << "ok";
    to << "-" << strerrorname_np(expected.err) << " " << kdevx_cause_name(expected.cause);
    if (!expected.reason) return to;
    return to << ", " << expected.reason->status << ", syndrome 0x" << std::hex
              << std::setfill('0') << std::setw(8) << expected.reason->syndrome << std::dec << " ("
              << expected.reason->name << ")";
}

} // namespace kdevx::vm
