// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/output/system_options.hpp"

#include "cli/file_words.hpp"
#include "cli/option_words.hpp"

namespace ionwell {

void add_engine_option(OptionGroup& group, SystemOutput& output) {
  group.add_choice("for", output.engine, engine_words(),
                   "make -o a folder with input files for this program (charmm: also for NAMD), with the "
                   "names of its force field");
  group.add("force-field", output.force_field, "NAME",
            "GROMACS force field for the topology that pdb2gmx makes of a PDB or mmCIF file with --for "
            "gromacs: amber... or charmm27. The GROMACS of Debian has no OL3, OL15 or CHARMM36");
  group.list_last_as_chemistry();
}

void add_serials_option(OptionGroup& group, SystemOutput& output) {
  group.add_choice("pdb-serials", output.serials, pdb_serials_words(),
                   "serial numbers above 99,999 in PDB files: start again at 0, or write them like VMD (hex) "
                   "or cctbx (hybrid36)");
}

void add_ion_names_option(OptionGroup& group, SystemOutput& output) {
  group.add_choice("ion-names", output.naming, ion_names_words(), "residue and atom names of ions");
}

void add_water_names_option(OptionGroup& group, SystemOutput& output) {
  group.add_choice("water-names", output.water_names, water_names_words(),
                   "residue and atom names of waters; pdb is also for OpenMM",
                   Default{"gromacs in .gro, charmm in .crd, otherwise pdb"});
}

}  // namespace ionwell
