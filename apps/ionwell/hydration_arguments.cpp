// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/hydration_arguments.hpp"

namespace ionwell {

void add_hydrate_option(OptionGroup& group, std::vector<std::string>& requests) {
  group.add("hydrate", requests, "NAME[:N]",
            "put N waters around each placed ion of this name, oriented for the lowest energy; solute "
            "acceptors within 2.6 A of the ion take the places of waters. N is 6 for MG, ZN and NA, and 7 "
            "for CA and K if not given. May be repeated");
}

void add_hydration_options(OptionGroup& group, OptionGroup& tuning, HydrationArguments& arguments) {
  add_hydrate_option(group, arguments.requests);
  group.add_choice(
      "hydrate-as", arguments.written_as, {{"waters", HydratedAs::waters}, {"residue", HydratedAs::residue}},
      "how hydrated ions are written: their waters after all ions, or an MG with six waters as one residue "
      "MO6 without hydrogens, as in the PDB");
  tuning.add("hydrate-water", arguments.water, "MODEL", "geometry and charges of these waters: tip3p, spce");
}

}  // namespace ionwell
