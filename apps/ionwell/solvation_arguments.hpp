#pragma once

#include <optional>

#include "cli/command_line.hpp"
#include "run/read_input.hpp"
#include "solvation/solvate.hpp"

/// The options of a cell and its water, as the command line describes them.
namespace ionwell {

struct SolvationArguments {
  SolvationOptions options;
  std::optional<CellShape> shape;
  std::optional<double> padding_A;
};

/// The cell: its shape, and how large it is.
void add_cell_options(OptionGroup& group, SolvationArguments& arguments);

/// The water, and where there is none.
void add_water_options(OptionGroup& group, SolvationArguments& arguments);

/// What they mean beside what is said of the input's own waters. Throws UsageError for what makes no sense,
/// also together.
SolvationOptions solvation_options(const SolvationArguments& arguments, InputWater input_water);

/// Sets what was not given to what it is then, for a preset.
void complete(SolvationArguments& arguments);

}  // namespace ionwell
