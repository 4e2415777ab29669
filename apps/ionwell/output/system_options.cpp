#include "ionwell/output/system_options.hpp"

#include "cli/file_words.hpp"
#include "cli/option_words.hpp"

namespace ionwell {

void add_engine_option(OptionGroup& group, SystemOutput& output) {
  group.add_choice("for", output.engine, engine_words(),
                   "makes -o a folder of files that this program (charmm: also NAMD) takes as they are, with "
                   "the names of its force field");
  group.add(
      "force-field", output.force_field, "NAME",
      "GROMACS's force field of the topology that pdb2gmx makes where --for gromacs gets a PDB or mmCIF "
      "file: an amber... or charmm27. Debian's GROMACS has no OL3, OL15 or CHARMM36");
  group.describe_last_elsewhere();
}

void add_serials_option(OptionGroup& group, SystemOutput& output) {
  group.add_choice("pdb-serials", output.serials, pdb_serials_words(),
                   "serial numbers past 99,999 in PDB files: from 0 again, as VMD or as cctbx writes them");
}

void add_ion_names_option(OptionGroup& group, SystemOutput& output) {
  group.add_choice("ion-names", output.naming, ion_names_words(), "whose residue and atom names ions get");
}

void add_water_names_option(OptionGroup& group, SystemOutput& output) {
  group.add_choice(
      "water-names", output.water_names, water_names_words(),
      "whose names the waters get; pdb is for OpenMM, too (not given: gromacs in .gro, charmm in "
      ".crd, otherwise pdb)");
}

}  // namespace ionwell
