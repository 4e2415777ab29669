// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "output/hydrated_atoms.hpp"

/// Shells of water around placed ions, as the command line describes them.
namespace ionwell {

struct HydrationArguments {
  std::vector<std::string> requests;  // NAME[:N]
  HydratedAs written_as = HydratedAs::waters;
  std::string water = "tip3p";

  HydrationOptions options() const { return hydration_options(requests, water, written_as); }
};

/// --hydrate.
void add_hydrate_option(OptionGroup& group, std::vector<std::string>& requests);

/// That, and how the waters are written and which they are.
void add_hydration_options(OptionGroup& group, OptionGroup& tuning, HydrationArguments& arguments);

}  // namespace ionwell
