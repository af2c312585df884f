// SPDX-License-Identifier: MIT
#include "kabi_names.hpp"

namespace kdevx::tool {

const char *name_of(kabi::attr_kind kind) {
    switch (kind) {
    case kabi::ptr_in:
        return "ptr_in";
    case kabi::ptr_out:
        return "ptr_out";
    case kabi::const_in:
        return "const_in";
    case kabi::flags_in:
        return "flags_in";
    case kabi::enum_in:
        return "enum_in";
    case kabi::handle:
        return "handle";
    case kabi::new_handle:
        return "new_handle";
    case kabi::destroy:
        return "destroy";
    case kabi::fd:
        return "fd";
    case kabi::new_fd:
        return "new_fd";
    case kabi::raw_fd:
        return "raw_fd";
    case kabi::handles:
        return "handles";
    }
    return "?";
}

namespace {
struct presence_text {
    const char *name, *needs;
};
constexpr presence_text text_of(kabi::presence when) {
    switch (when) {
    case kabi::presence::always:
        return {"always", ""};
    case kabi::presence::log_max_uctx:
        return {"log_max_uctx", "needs firmware with user contexts (log_max_uctx)"};
    case kabi::presence::packet_pacing_uid:
        return {"packet_pacing_uid", "needs the capability packet_pacing_uid"};
    case kabi::presence::virtio_net_q:
        return {"virtio_net_q", "needs the general object VIRTIO_NET_Q"};
    case kabi::presence::shared_objects:
        return {"shared_objects", "needs the capability shared_object_to_user_object_allowed"};
    case kabi::presence::device_memory:
        return {"device_memory", "needs memory on the device"};
    case kabi::presence::memory_windows:
        return {"memory_windows", "needs memory windows"};
    case kabi::presence::ethernet:
        return {"ethernet", "needs an Ethernet port"};
    case kabi::presence::steering_tags:
        return {"steering_tags", "needs steering tags of PCIe"};
    }
    return {"?", ""};
}
} // namespace

const char *name_of(kabi::presence when) {
    return text_of(when).name;
}
const char *needs_of(kabi::presence when) {
    return text_of(when).needs;
}

} // namespace kdevx::tool
