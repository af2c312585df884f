// SPDX-License-Identifier: MIT
#include "log.hpp"

namespace kdevx::hca {

logger::~logger() {
    if (owned_) std::fclose(to_);
}

bool logger::open(const std::string &path) {
    owned_ = path != "-";
    to_ = owned_ ? std::fopen(path.c_str(), "we") : stderr;
    if (!to_) owned_ = false;
    if (to_) std::setvbuf(to_, nullptr, _IOLBF, BUFSIZ);
    return to_ != nullptr;
}

void logger::write(const std::string &line) {
    std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
    std::fputs(fmt::format("{:9.3f} {}\n", since.count(), line).c_str(), to_);
}

} // namespace kdevx::hca
