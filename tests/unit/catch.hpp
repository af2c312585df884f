// SPDX-License-Identifier: MIT
// The one place that knows which Catch2 this is.
#pragma once
#ifdef KDEVX_CATCH2_V3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
