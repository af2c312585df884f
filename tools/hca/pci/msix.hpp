// SPDX-License-Identifier: MIT
// MSI-X: an eventfd for each vector, which the client turns into an interrupt.
#pragma once

#include "unique_fd.hpp"

#include <vector>

namespace kdevx::hca::pci {

class msix {
public:
    explicit msix(unsigned vectors) : vectors_(vectors) {}

    unsigned count() const { return unsigned(vectors_.size()); }
    void connect(unsigned v, unique_fd eventfd) { vectors_[v].eventfd = std::move(eventfd); }
    // A masked vector remembers that it had something to say.
    void mask(unsigned v, bool masked);
    void trigger(unsigned v);

private:
    struct vector {
        unique_fd eventfd;
        bool masked = false, pending = false;
    };
    std::vector<vector> vectors_;
};

} // namespace kdevx::hca::pci
