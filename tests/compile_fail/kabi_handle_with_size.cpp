// SPDX-License-Identifier: MIT
// expect: a_handle_or_fd_has_no_size
#include "kabi/table.hpp"
using namespace kdevx::kabi;
inline constexpr object thing{"OBJECT", 1};
inline constexpr method act{thing,
                            "METHOD",
                            0,
                            v6_1,
                            {
#ifdef WRONG
                                {"HANDLE", 0, handle, exactly(4), M},
#else
                                {"HANDLE", 0, handle, none, M},
#endif
                            }};
