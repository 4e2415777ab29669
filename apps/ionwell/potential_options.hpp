// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "compute/ion_update.hpp"
#include "potential/request/source_options.hpp"

/// Options of maps to place in.
namespace ionwell {

struct ImportedMapArguments {
  MapFiles files;
  IonUpdate update;

  bool solved = false;  // the maps are those of a solver that this run starts

  bool given() const { return solved || !files.paths.empty(); }
};

/// `with_pb`: how ions act on each other in the solution of --pb where --update is not given.
void add_map_options(OptionGroup& group, OptionGroup& tuning, ImportedMapArguments& map, Update with_pb);

/// Throws UsageError for a map that is named twice, and values out of range.
void validate(const ImportedMapArguments& map, const ElectrostaticsOptions& electrostatics);

}  // namespace ionwell
