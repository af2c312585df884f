// SPDX-License-Identifier: MIT
// A software RDMA device of another driver (rxe on the loopback interface), as long as it lives.
#pragma once

#include <string>

namespace kdevx::vm {

class soft_device {
    std::string name_;

public:
    explicit soft_device(std::string name);
    ~soft_device();
    soft_device(const soft_device &) = delete;

    std::string node() const;
};

} // namespace kdevx::vm
