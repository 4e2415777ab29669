#include "ionwell/hydration_arguments.hpp"

namespace ionwell {

void add_hydrate_option(OptionGroup& group, std::vector<std::string>& requests) {
  group.add("hydrate", requests, "NAME[:N]",
            "put waters around the ions of this name once they are placed, N of them, turned for their "
            "lowest energy; acceptors of the solute within 2.6 A of an ion "
            "are in the places of waters",
            Default{"6 for MG, ZN and NA, 7 for CA and K"});
}

void add_hydration_options(OptionGroup& group, OptionGroup& tuning, HydrationArguments& arguments) {
  add_hydrate_option(group, arguments.requests);
  group.add_choice(
      "hydrate-as", arguments.written_as, {{"waters", HydratedAs::waters}, {"residue", HydratedAs::residue}},
      "how such an ion is written: behind all ions its waters, or, of an MG with six, one residue MO6 "
      "as in the PDB, without hydrogens");
  tuning.add("hydrate-water", arguments.water, "MODEL", "geometry and charges of these waters: tip3p, spce");
}

}  // namespace ionwell
