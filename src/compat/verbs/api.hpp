// SPDX-License-Identifier: MIT
// What this library defines: declared in headers of the users', and the only names that are seen
// outside.
#pragma once

#include "compat/mlx5dv/api.hpp"

#pragma GCC visibility push(default)
#include <infiniband/verbs.h>
#include <infiniband/verbs_exp.h>
#pragma GCC visibility pop
