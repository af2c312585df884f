// SPDX-License-Identifier: MIT
#include "netlink.hpp"

namespace kdevx::tool {
namespace {

// Lists change while they are read, on a busy machine: the kernel says so, and is asked again.
constexpr int attempts = 5;

template <class Element, class Ask>
std::vector<Element> ask_list(const char *doing, Ask ask) {
    kdevx_nl_failure why{};
    for (int i = 0; i < attempts; ++i) {
        std::vector<Element> list;
        if (ask(list, why) >= 0) return list;
        if (why.cause != KDEVX_NL_CHANGED) break;
    }
    throw trouble(doing, why);
}

template <class Element>
int append(const Element *e, void *list) {
    static_cast<std::vector<Element> *>(list)->push_back(*e);
    return 0;
}

std::optional<kdevx_nl_uverbs> uverbs_of(struct kdevx_nl *nl, std::uint32_t index) {
    kdevx_nl_uverbs uverbs{};
    kdevx_nl_failure why{};
    if (kdevx_nl_get_uverbs(nl, index, &uverbs, &why) == 0) return uverbs;
    // Without ib_uverbs, or gone since: a device without a node, which is worth listing as such.
    if (why.cause == KDEVX_NL_NO_CHARDEV || why.cause == KDEVX_NL_NO_DEVICE) return {};
    throw trouble("asking for the uverbs node", why);
}

} // namespace

netlink::netlink() : nl_(nullptr) {
    kdevx_nl_failure why{};
    if (kdevx_nl_open(&nl_, &why) < 0) throw trouble("opening RDMA netlink", why);
}

std::vector<netlink_device> netlink::devices() {
    auto found = ask_list<kdevx_nl_device>("listing devices", [&](auto &list, auto &why) {
        return kdevx_nl_list_devices(nl_, append<kdevx_nl_device>, &list, &why);
    });
    std::vector<netlink_device> devices;
    for (const kdevx_nl_device &d : found)
        devices.push_back({d, uverbs_of(nl_, d.index)});
    return devices;
}

std::vector<std::pair<std::string, std::uint64_t>> netlink::summary(std::uint32_t index) {
    using pair = std::pair<std::string, std::uint64_t>;
    return ask_list<pair>("counting resources", [&](auto &list, auto &why) {
        return kdevx_nl_get_summary(
            nl_, index,
            [](const char *kind, uint64_t count, void *arg) {
                static_cast<std::vector<pair> *>(arg)->emplace_back(kind, count);
                return 0;
            },
            &list, &why);
    });
}

std::vector<kdevx_nl_resource> netlink::resources(std::uint32_t index, kdevx_nl_kind kind) {
    return ask_list<kdevx_nl_resource>("listing resources", [&](auto &list, auto &why) {
        return kdevx_nl_list_resources(nl_, index, kind, append<kdevx_nl_resource>, &list, &why);
    });
}

} // namespace kdevx::tool
