// SPDX-License-Identifier: MIT
// expect: two_attributes_of_this_method_have_the_same_number
#include "kabi/table.hpp"
using namespace kdevx::kabi;
inline constexpr object thing{"OBJECT", 1};
inline constexpr method act{thing,
                            "METHOD",
                            0,
                            v6_1,
                            {
                                {"FIRST", 0, handle, none, M},
#ifdef WRONG
                                {"SECOND", 0, ptr_in, exactly(4), o},
#else
                                {"SECOND", 1, ptr_in, exactly(4), o},
#endif
                            }};
