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

/// What it means beside what is said of the input's own waters. Throws UsageError for what makes no sense,
/// also together.
SolvationOptions solvation_options(const SolvationRequest& request, InputWater input_water);

/// Sets what was not given to what it is then, for a preset.
void complete(SolvationRequest& request);

}  // namespace ionwell
