#include "ionwell/structure_input.hpp"

#include "cli/command_rules.hpp"
#include "cli/option_words.hpp"

namespace ionwell {
namespace {

void add_chemistry_options(OptionGroup& group, InputOptions& options) {
  group.add(
      "ligand", options.ligands, "FILE",
      "file with the charges of a residue that PDB2PQR does not know, for all residues of its name: mol2, "
      "or a topology without coordinates (prmtop, PSF, GROMACS .itp or .top); repeated for several; with "
      "--for amber also LEaP's libraries "
      "and parameters (.lib, .off, .frcmod), and leap.in loads these and mol2 files, with GAFF's types; with "
      "--for charmm topologies and parameters of CGenFF (.rtf, .str, .prm), which psfgen.tcl reads; with "
      "--for openmm force fields (.xml), which run.py reads. The charges of hydrogens that the entry lacks "
      "go "
      "to their heavy atoms; of an .xml, and of an .itp with --for gromacs, the hydrogens are built");
  group.describe_last_elsewhere();
  group.add(
      "pH", options.chemistry.pH, "PH",
      "protonation of proteins at this pH, by PROPKA (propka3); not given: standard states, and histidines "
      "by their hydrogen bonds");
  group.describe_last_elsewhere();
  group.add_choice("five-phosphate", options.chemistry.five_phosphate, five_phosphate_words(),
                   "what becomes of a phosphate that begins a nucleic acid: it is removed, which leaves a "
                   "hydroxyl, or kept as HPO4-, charge -1");
  group.describe_last_elsewhere();
  group.add_choice("crystal-ions", options.chemistry.crystal_ions, crystal_ions_words(),
                   "what becomes of the crystal's ions");
  group.describe_last_elsewhere();
  group.add_choice(
      "gap-ends", options.chemistry.gap_ends, gap_ends_words(),
      "how a protein ends where residues are missing in a chain: with NH3+ and COO-, as at the "
      "ends of the chain, or neutral, with caps that are built: NME before the gap, ACE behind it");
  group.describe_last_elsewhere();
  group.add_flag("replace-nonstandard", options.chemistry.replace_nonstandard,
                 "build what modified residues were made from: U for PSU, TYR for PTR, MET for MSE");
  group.describe_last_elsewhere();
  group.add_flag(
      "allow-missing", options.chemistry.allow_missing,
      "leave out residues of chains that have no charges, and atoms that PDB2PQR drops, instead of "
      "stopping with their list");
  group.describe_last_elsewhere();
}

}  // namespace

void add_topology_options(OptionGroup& group, StructureArguments& arguments) {
  InputOptions& options = arguments.options;
  group.add("define", options.defines, "NAME", "word defined for a GROMACS topology, as behind -D");
  group.add("include", options.includes, "DIR", "folder of a GROMACS topology's includes, as behind -I");
}

void add_structure_options(CommandLine& line, StructureArguments& arguments, WaterChoices choices) {
  line.add_rules(structure_rules());
  OptionGroup& group = line.group("Structure");
  InputOptions& options = arguments.options;
  const bool needs_charges = options.needs_charges;
  group.add("solute", options.solute, "SELECTION",
            needs_charges ? "the atoms that act and keep ions away, for example 'nucleic or segid PROA'"
                          : "the atoms to take, for example 'nucleic or segid PROA'",
            Default{"all"});
  group.add("ignore", options.ignore, "SELECTION",
            choices == WaterChoices::crystal
                ? "atoms to remove: they are neither counted nor written, for example 'resname SO4'"
            : needs_charges ? "atoms that do neither, for example 'water or resname CLA'"
                            : "atoms to leave out, for example 'resname SO4'");
  if (choices == WaterChoices::with_replace)
    group.add_choice(
        "input-water", options.water,
        {{"replace", InputWater::replace}, {"ignore", InputWater::ignore}, {"solute", InputWater::solute}},
        "what waters in STRUCTURE are: places for ions, left out of everything, or part of the solute",
        Default{"places for ions where they fill the cell, otherwise solute, with a warning"});
  else
    group.add_choice("input-water", options.water, input_water_words(),
                     needs_charges && choices != WaterChoices::crystal
                         ? "what waters in STRUCTURE are: left out of everything, or part of the solute"
                         : "what waters in STRUCTURE are: left out, or kept however many there are",
                     Default{needs_charges && choices != WaterChoices::crystal
                                 ? "solute, with a warning"
                                 : "crystal waters are kept, bulk water is refused"});
  group.add_choice("charges", options.charges, charges_words(),
                   needs_charges
                       ? "force field whose charges PDB2PQR gives a PDB or mmCIF file"
                       : "force field whose charges and hydrogens PDB2PQR gives a PDB or mmCIF file",
                   Default{needs_charges ? "amber" : "the file's atoms are used as they are"});
  group.add("keep-pdb2pqr", options.keep_scratch, "DIR",
            "keep PDB2PQR's files in this folder; if it is not empty, in a new subfolder run-N");
  add_chemistry_options(group, options);
  group.add("assembly", options.assembly, "NAME",
            "biological assembly to build from a PDB or mmCIF file, for example 1");
  group.add("frame", options.frame.number, "N", "frame of a trajectory; -1 is the last");
  add_topology_options(group, arguments);
}

}  // namespace ionwell
