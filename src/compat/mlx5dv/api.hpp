// SPDX-License-Identifier: MIT
// What this library defines: declared in a header of the users', and the only names that are seen
// outside.
#pragma once

#pragma GCC visibility push(default)
#include <infiniband/mlx5dv.h>
#pragma GCC visibility pop
