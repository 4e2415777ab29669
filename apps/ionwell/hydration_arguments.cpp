#include "ionwell/hydration_arguments.hpp"

#include "core/error.hpp"
#include "ionwell/output/hydrated_atoms.hpp"

namespace ionwell {

void add_hydration_options(OptionGroup& group, OptionGroup& tuning, HydrationArguments& arguments) {
  group.add("hydrate", arguments.requests, "NAME[:N]",
            "put waters around the ions of this name once they are placed, N of them, turned for their "
            "lowest energy; acceptors of the solute within 2.6 A of an ion "
            "are in the places of waters",
            Default{"6 for MG, ZN and NA, 7 for CA and K"});
  group.add_choice(
      "hydrate-as", arguments.written_as, {{"waters", HydratedAs::waters}, {"residue", HydratedAs::residue}},
      "how such an ion is written: behind all ions its waters, or, of an MG with six, one residue MO6 "
      "as in the PDB, without hydrogens");
  tuning.add("hydrate-water", arguments.water, "MODEL", "geometry and charges of these waters: tip3p, spce");
}

HydrationOptions hydration_options(const HydrationArguments& arguments) {
  HydrationOptions options;
  const bool as_residue = arguments.written_as == HydratedAs::residue;
  if (!arguments.given()) return options;
  const WaterModel& model = water_model(arguments.water);
  if (model.sites != 3)
    fail<UsageError>("--tune hydrate-water ", arguments.water, ": ", model.full_name, " has ", model.sites,
                     " sites, and waters around ions have three; take tip3p or spce");
  options.water = model.name;
  options.requests.reserve(arguments.requests.size());
  for (const std::string& text : arguments.requests) {
    options.requests.push_back(parse_hydration_request(text));
    if (as_residue && !is_hexahydrate(options.requests.back()))
      fail<UsageError>(
          "--hydrate ", text,
          ": --hydrate-as residue is for MG:6, of which the PDB has a residue (MO6); leave it out, and "
          "the waters are residues of their own");
  }
  return options;
}

}  // namespace ionwell
