// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "input/read_input.hpp"
#include "solvation/solvate.hpp"

namespace ionwell {

/// What a user says of a cell and its water; what is not given is as usual.
struct SolvationRequest {
  SolvationOptions options;
  std::optional<CellShape> shape;
  std::optional<double> padding_A;
};

/// The options that it means, given the use of the waters of the input. Throws UsageError for invalid
/// requests, also together.
SolvationOptions solvation_options(const SolvationRequest& request, InputWater input_water);

/// Sets what was not given to what it is then, for a preset.
void complete(SolvationRequest& request);

}  // namespace ionwell
