// SPDX-License-Identifier: BSD-3-Clause
#include "ionwell/structure_input.hpp"

#include "cli/command_rules.hpp"
#include "cli/option_words.hpp"

namespace ionwell {
namespace {

void add_protonation_options(OptionGroup& group, InputOptions& options) {
  group.add_choice("charges", options.charges, charges_words(),
                   options.needs_charges
                       ? "force field whose charges PDB2PQR assigns to a PDB or mmCIF file"
                       : "force field whose charges and hydrogens PDB2PQR assigns to a PDB or mmCIF file",
                   Default{options.needs_charges ? "amber" : "the atoms of the file are used as they are"});
  group.add("pH", options.chemistry.pH, "PH",
            "protonate proteins for this pH by PROPKA (propka3); otherwise residues have their standard "
            "states, and hydrogen bonds decide the protonation of histidines");
  group.list_last_as_chemistry();
  group.add(
      "ligand", options.ligands, "FILE",
      "file with the charges of a residue that PDB2PQR does not know, used for all residues of that name: "
      "mol2, or a topology without coordinates (prmtop, PSF, GROMACS .itp or .top). With --for amber also "
      "LEaP libraries and parameters (.lib, .off, .frcmod); leap.in loads these, and mol2 files with GAFF "
      "types. With --for charmm also CGenFF topologies and parameters (.rtf, .str, .prm), which psfgen.tcl "
      "reads. With --for openmm also force fields (.xml), which run.py reads. Charges of hydrogens that the "
      "entry lacks are added to their heavy atoms, except that with an .xml, or an .itp with --for gromacs, "
      "the hydrogens are built. May be repeated",
      Default{"none"});
  group.list_last_as_chemistry();
  group.add_choice(
      "five-phosphate", options.chemistry.five_phosphate, five_phosphate_words(),
      "phosphate at the 5' end of a nucleic acid: remove it, which leaves a hydroxyl, or keep it "
      "as HPO4-, charge -1");
  group.list_last_as_chemistry();
  group.add_choice("crystal-ions", options.chemistry.crystal_ions, crystal_ions_words(),
                   "keep or ignore the ions of the crystal");
  group.list_last_as_chemistry();
  group.add_choice("gap-ends", options.chemistry.gap_ends, gap_ends_words(),
                   "ends of a protein where residues of a chain are missing: charged (NH3+ and COO-), as at "
                   "the ends of the chain, or capped, which builds neutral caps (NME before the gap, ACE "
                   "after it)");
  group.list_last_as_chemistry();
  group.add_flag("replace-nonstandard", options.chemistry.replace_nonstandard,
                 "replace modified residues by the residues that they were made from: PSU by U, PTR by TYR, "
                 "MSE by MET");
  group.list_last_as_chemistry();
  group.add_flag("allow-missing", options.chemistry.allow_missing,
                 "leave out chain residues that have no charges, and atoms that PDB2PQR drops, instead of "
                 "stopping with a list of them");
  group.list_last_as_chemistry();
  group.add("keep-pdb2pqr", options.keep_scratch, "DIR",
            "keep the files of PDB2PQR in this folder, or in a new subfolder run-N if it is not empty");
}

}  // namespace

void add_topology_options(OptionGroup& group, StructureArguments& arguments) {
  InputOptions& options = arguments.options;
  group.add("define", options.defines, "NAME",
            "define this word for the preprocessor of a GROMACS topology, like -D; may be repeated",
            Default{"none"});
  group.add("include", options.includes, "DIR",
            "search this folder for files that a GROMACS topology includes, like -I; may be repeated",
            Default{"none"});
}

void add_structure_options(CommandLine& line, StructureArguments& arguments, WaterChoices choices) {
  line.add_rules(structure_rules());
  OptionGroup& group = line.group("Structure");
  InputOptions& options = arguments.options;
  const bool needs_charges = options.needs_charges;
  group.add("solute", options.solute, "SELECTION",
            needs_charges ? "the atoms whose charges count and that keep ions away, for example 'nucleic or "
                            "segid PROA'"
                          : "the atoms to use, for example 'nucleic or segid PROA'",
            Default{"all"});
  group.add("ignore", options.ignore, "SELECTION",
            choices == WaterChoices::crystal
                ? "atoms to remove: they are neither counted nor written, for example 'resname SO4'"
            : needs_charges ? "atoms to ignore: their charges do not count and they do not keep ions away, "
                              "for example 'water or resname CLA'"
                            : "atoms to leave out, for example 'resname SO4'",
            Default{"none"});
  if (choices == WaterChoices::with_replace)
    group.add_choice(
        "input-water", options.water,
        {{"replace", InputWater::replace}, {"ignore", InputWater::ignore}, {"solute", InputWater::solute}},
        "use of the waters in STRUCTURE: ions replace them, they are ignored, or they are part of the solute",
        Default{"replace if they fill the cell, otherwise solute, with a warning"});
  else
    group.add_choice("input-water", options.water, input_water_words(),
                     needs_charges && choices != WaterChoices::crystal
                         ? "use of the waters in STRUCTURE: they are ignored, or part of the solute"
                         : "use of the waters in STRUCTURE: they are removed, or kept however many there are",
                     Default{needs_charges && choices != WaterChoices::crystal
                                 ? "solute, with a warning"
                                 : "crystal waters are kept, bulk water is refused"});
  group.add("assembly", options.assembly, "NAME",
            "biological assembly to build from a PDB or mmCIF file, for example 1",
            Default{"the coordinates of the file"});
  group.add("frame", options.frame.number, "N", "frame of a trajectory to read; -1 is the last");
  add_topology_options(group, arguments);
  add_protonation_options(line.group("Protonation and charges"), options);
}

}  // namespace ionwell
