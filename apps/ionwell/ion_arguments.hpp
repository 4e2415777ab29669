// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "compute/stages.hpp"
#include "input/chemistry_row.hpp"
#include "jobs/place/job/result.hpp"
#include "placement/place_ions.hpp"

/// Which ions to place and how far from what, as the command line describes them.
namespace ionwell {

struct IonArguments {
  std::vector<std::string> ions;
  std::optional<double> ion_solute_A, ion_ion_A;
  std::optional<double> max_energy_kT;
  bool allow_fewer = false;
};

/// The distances requested, otherwise the usual ones.
ExclusionOptions exclusion_of(const IonArguments& arguments);

void add_ion_options(OptionGroup& group, IonArguments& arguments);

/// Whether a run placed fewer ions than it was to, which `reason` tells (see too_few_message): then it is a
/// warning where fewer are allowed, and otherwise TooFewPlaced, for which the report is still written.
bool placed_too_few(const IonArguments& arguments, const std::optional<std::string>& report,
                    std::span<const ChemistryRow> chemistry, const std::string& reason, Result& result,
                    Stages& stages);

}  // namespace ionwell
