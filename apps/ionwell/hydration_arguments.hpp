#pragma once

#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "solvation/hydration/hydrate.hpp"

/// Shells of water around placed ions, as the command line describes them.
namespace ionwell {

/// How a hydrated ion is written: the ion and its waters, or one residue.
enum class HydratedAs { waters, residue };

struct HydrationArguments {
  std::vector<std::string> requests;  // NAME[:N]
  HydratedAs written_as = HydratedAs::waters;
  std::string water = "tip3p";

  bool given() const { return !requests.empty(); }
};

void add_hydration_options(OptionGroup& group, OptionGroup& tuning, HydrationArguments& arguments);

/// What a job takes. Throws UsageError for a shell that is not known, a water model that has not three sites,
/// and what cannot be written as one residue.
HydrationOptions hydration_options(const HydrationArguments& arguments);

}  // namespace ionwell
