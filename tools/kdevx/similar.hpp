// SPDX-License-Identifier: MIT
// "did you mean": the names of a list that come closest to one that is not in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kdevx::tool {

// At most `most` of them, the closest first; empty if nothing resembles it.
std::vector<std::string_view>
similar(std::string_view name, const std::vector<std::string_view> &names, std::size_t most = 4);

// "did you mean log_max_qp, log_max_cq?", or `otherwise` if nothing resembles it.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view> &names,
                         std::string otherwise = {});

} // namespace kdevx::tool
