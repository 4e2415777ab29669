// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

#include "electrostatics/multilevel/multilevel_plan.hpp"

namespace ionwell {

/// How the potential of the solute is summed. The ions do not depend on it: fp64 sums decide.
enum class Method { automatic, direct, multilevel };

/// "auto", "direct", "msm": as the command line and the report call it.
std::string_view to_string(Method method);

/// The solute's charges, summed here.
struct SummationOptions {
  Method method = Method::automatic;
  MultilevelOptions multilevel;
  /// Given: the largest relative error of the values (no unit), for which both are chosen: see for_accuracy.
  std::optional<double> accuracy = {};
};

}  // namespace ionwell
