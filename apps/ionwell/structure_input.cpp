#include "ionwell/structure_input.hpp"

#include "cli/option_words.hpp"
#include "core/chemistry/extra_particles.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/count_text.hpp"
#include "core/text/text_stream.hpp"
#include "ionwell/summaries/run_summary.hpp"
#include "solvation/simulation_cell.hpp"

namespace ionwell {
namespace {

constexpr std::size_t most_shown = 8;  // names or kinds of ions in a row

std::string describe(const KindCount& count) {
  return count_of(count.residues, "residue") + ", " + count_of(count.atoms, "atom") + ", " +
         charge_text(count.charge_e) + " e";
}

/// "13 MG (+2), 4 CL (-1)"; of many the first.
template <typename Entries, typename Describe>
std::string listed(const Entries& entries, const Describe& describe_entry) {
  std::string text;
  for (std::size_t i = 0; i < entries.size() && i < most_shown; ++i)
    text += (i == 0 ? "" : ", ") + describe_entry(entries[i]);
  if (entries.size() > most_shown)
    text += " and " + grouped(std::int64_t(entries.size() - most_shown)) + " more";
  return text;
}

void print_composition(std::ostream& out, const Composition& composition, CellUse use) {
  for (const auto& [label, count] :
       {std::pair("protein", &composition.protein), std::pair("nucleic acid", &composition.nucleic_acid),
        std::pair("lipids", &composition.lipid)})
    if (count->residues > 0) print_row(out, label, describe(*count));
  if (composition.water.residues > 0)
    print_row(out, "water", describe(composition.water),
              !composition.water_left_out                        ? "; solute"
              : use == CellUse::made                             ? "; they stay"
              : use == CellUse::open || use == CellUse::periodic ? "; ions take their places"
                                                                 : "; left out");
  if (composition.ions.residues > 0)
    print_row(out, "ions",
              listed(composition.ion_kinds,
                     [](const IonCount& ion) {
                       return grouped(ion.count) + ' ' + std::string(ion.name.view()) + " (" +
                              charge_text(ion.charge_e) + ')';
                     }),
              "; solute");
  if (composition.unknown.residues > 0)
    print_row(out, "unknown", describe(composition.unknown), ": ",
              listed(composition.unknown_names, [](const NameCount& name) {
                return grouped(name.residues) + ' ' + std::string(name.name.view());
              }));
}

/// A row that says whose cell it is, where that is a reason not to use it.
void print_owner(std::ostream& out, const Structure& structure) {
  if (structure.cell->kind == CellKind::crystal) print_row(out, "kind of cell", "a crystal's");
  if (structure.cell->kind != CellKind::undecided) return;
  if (stands_for_none(*structure.cell, structure.atoms))
    print_row(out, "kind of cell", "no larger than what is in it, as programs write it that have none");
  else
    print_row(out, "kind of cell", "a crystal's or a simulation's: the file does not say which");
}

/// "30 x 40 x 50 A, angles 90, 90, 120".
std::string describe(const UnitCell& cell) {
  const Vec3<double> length = lengths_A(cell), angle = angles_deg(cell);
  TextStream text;
  text << length.x << " x " << length.y << " x " << length.z << " A";
  if (angle != Vec3<double>{90.0, 90.0, 90.0})
    text << ", angles " << angle.x << ", " << angle.y << ", " << angle.z;
  return text.str();
}

void add_chemistry_options(OptionGroup& group, InputOptions& options) {
  group.add(
      "ligand", options.ligands, "FILE",
      "file with the charges of a residue that PDB2PQR does not know, for all residues of its name: mol2, "
      "or a topology without coordinates (prmtop, PSF, GROMACS .itp or .top); repeated for several; with "
      "--for amber also LEaP's libraries "
      "and parameters (.lib, .off, .frcmod), and leap.in loads these and mol2 files, with GAFF's types; with "
      "--for charmm topologies and parameters of CGenFF (.rtf, .str, .prm), which psfgen.tcl reads. The "
      "charges of hydrogens that the entry lacks go to their heavy atoms");
  group.describe_last_elsewhere();
  group.add(
      "pH", options.chemistry.pH, "PH",
      "protonation of proteins at this pH, by PROPKA (propka3); not given: standard states, and histidines "
      "by their hydrogen bonds");
  group.describe_last_elsewhere();
  group.add_choice("five-phosphate", options.chemistry.five_phosphate,
                   {{"remove", FivePhosphate::remove}, {"keep", FivePhosphate::keep}},
                   "what becomes of a phosphate that begins a nucleic acid: it is removed, which leaves a "
                   "hydroxyl, or kept as HPO4-, charge -1");
  group.describe_last_elsewhere();
  group.add_choice("crystal-ions", options.chemistry.crystal_ions,
                   {{"keep", CrystalIons::keep}, {"ignore", CrystalIons::ignore}},
                   "what becomes of the crystal's ions");
  group.describe_last_elsewhere();
  group.add_choice(
      "gap-ends", options.chemistry.gap_ends, {{"charged", GapEnds::charged}, {"capped", GapEnds::capped}},
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

void add_structure_options(OptionGroup& group, StructureArguments& arguments, WaterChoices choices) {
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

Input read_structure_files(const StructureArguments& arguments) {
  return read_input(arguments.files, arguments.options);
}

void print_structure_kinds(std::ostream& out, const Structure& structure, CellUse use) {
  print_solute(out, structure);
  if (structure.composition) print_composition(out, *structure.composition, use);
  const auto [drude, lone_pairs] = count_extra_particles(structure.atoms);
  if (drude > 0) print_row(out, "Drude", count_of(drude, "particle"), ", counted with their atoms");
  if (lone_pairs > 0) print_row(out, "lone pairs", grouped(lone_pairs));
}

void print_own_cell(std::ostream& out, const Structure& structure) {
  if (!structure.cell || structure.cell->kind == CellKind::simulation ||
      stands_for_none(*structure.cell, structure.atoms))
    return;
  print_row(out, "own cell", describe(*structure.cell), "; not used");
  print_owner(out, structure);
}

void print_structure(std::ostream& out, const Structure& structure, CellUse use) {
  print_structure_kinds(out, structure, use);
  if (!structure.cell) return;
  const bool is_periodic = use == CellUse::periodic || use == CellUse::images;
  print_row(out, "cell", describe(*structure.cell),
            is_periodic                 ? ", periodic"
            : use == CellUse::distances ? ", periodic for distances; the potential has no periodic images"
                                        : "; not used: the solute stands alone, without periodic images");
  if (!is_periodic) print_owner(out, structure);
}

}  // namespace ionwell
