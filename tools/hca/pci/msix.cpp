// SPDX-License-Identifier: MIT
#include "pci/msix.hpp"

#include <cstdint>
#include <unistd.h>

namespace kdevx::hca::pci {

void msix::mask(unsigned v, bool masked) {
    vectors_[v].masked = masked;
    if (!masked && std::exchange(vectors_[v].pending, false)) trigger(v);
}

void msix::trigger(unsigned v) {
    if (v >= vectors_.size()) return;
    vector &to = vectors_[v];
    if (to.masked) {
        to.pending = true;
    } else if (to.eventfd) {
        const std::uint64_t one = 1;
        // It can only fail when 2^64 - 2 interrupts are unread.
        [[maybe_unused]] ssize_t n = ::write(to.eventfd.get(), &one, sizeof one);
    }
}

} // namespace kdevx::hca::pci
