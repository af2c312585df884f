// SPDX-License-Identifier: MIT
// Tells a story step by step, as it happens: a numbered line each, and a summary at the end.
#pragma once

#include "session.hpp"

#include <string>
#include <vector>

namespace kdevx::tool {

class narrator {
    struct step {
        std::string name, text;
        bool good;
    };
    session &s_;
    std::vector<step> steps_;

public:
    explicit narrator(session &s) : s_(s) {}

    // What happened was meant to happen.
    void tell(const std::string &name, const std::string &text) { add(name, text, true); }
    // It was not; the story goes on.
    void regret(const std::string &name, const std::string &text) { add(name, text, false); }
    // A line that belongs to the step before.
    void detail(const std::string &text);

    unsigned failures() const;
    unsigned steps() const { return unsigned(steps_.size()); }
    json to_json() const;

private:
    void add(const std::string &name, const std::string &text, bool good);
};

} // namespace kdevx::tool
