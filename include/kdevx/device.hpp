// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include <kdevx/device.h>
#include <kdevx/handle.hpp>

namespace kdevx {

inline int free_device_list(kdevx_device_list *l, kdevx_failure *) noexcept {
    kdevx_device_list_free(l);
    return 0;
}

class device_list : public unique_handle<kdevx_device_list, free_device_list> {
public:
    using unique_handle::unique_handle;

    static result<device_list> find(const kdevx_device_list_options *options = nullptr) noexcept {
        kdevx_device_list *l = nullptr;
        kdevx_failure why{};
        if (kdevx_device_list_get(options, &l, &why)) return why;
        return device_list(l);
    }
    std::span<const kdevx_device> devices() const noexcept {
        return {kdevx_device_list_at(get(), 0), kdevx_device_list_count(get())};
    }
    kdevx_layer missing() const noexcept { return kdevx_layer(kdevx_device_list_missing(get())); }
};

} // namespace kdevx
