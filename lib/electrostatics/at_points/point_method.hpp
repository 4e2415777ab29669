// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace ionwell {

/// How the potential at scattered points is summed.
enum class PointMethod {
  automatic,   // by predicted time
  direct,      // every pair, in fp64
  hcp,         // hierarchical charge partitioning
  multilevel,  // multilevel summation
};

/// "auto", "direct", "hcp", "multilevel": as the command line and the report call it.
std::string_view to_string(PointMethod method);

}  // namespace ionwell
