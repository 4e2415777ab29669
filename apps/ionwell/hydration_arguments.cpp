#include "ionwell/hydration_arguments.hpp"

#include "core/error.hpp"
#include "ionwell/output/hydrated_atoms.hpp"

namespace ionwell {

void add_hydration_options(OptionGroup& group, HydrationArguments& arguments) {
  group.add(
      "hydrate", arguments.requests, "NAME[:N]",
      "put waters around the ions of this name once they are placed, N of them (not given: 6 for MG, ZN and "
      "NA, 7 for CA and K), turned for their lowest energy; acceptors of the solute within 2.6 A of an ion "
      "are in the places of waters");
  group.add_choice(
      "hydrate-as", arguments.written_as, {{"waters", HydratedAs::waters}, {"residue", HydratedAs::residue}},
      "how such an ion is written: behind all ions its waters, or, of an MG with six, one residue MO6 "
      "as in the PDB, without hydrogens");
  group.add("hydrate-water", arguments.water, "MODEL", "geometry and charges of these waters: tip3p, spce");
}

HydrationOptions hydration_options(const HydrationArguments& arguments, const SystemOutput& output) {
  HydrationOptions options;
  const bool as_residue = arguments.written_as == HydratedAs::residue;
  if (!arguments.given()) {
    if (as_residue || arguments.water != HydrationArguments{}.water)
      fail<UsageError>(
          as_residue ? "--hydrate-as" : "--hydrate-water",
          " is given, but --hydrate is not; give it, for example --hydrate MG:6, or leave it out");
    return options;
  }
  const WaterModel& model = water_model(arguments.water);
  if (model.sites != 3)
    fail<UsageError>("--hydrate-water ", arguments.water, ": ", model.full_name, " has ", model.sites,
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
  if (as_residue && output.engine)
    fail<UsageError>(
        "--hydrate-as residue is given beside --for, and no engine's force field has MO6; leave it out");
  return options;
}

}  // namespace ionwell
