// SPDX-License-Identifier: BSD-3-Clause
#include "input/gromacs_topology.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "chemistry/naming/named_residues.hpp"
#include "core/chemistry/composition.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/chemistry/residue_runs.hpp"
#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "core/text/lines.hpp"
#include "files/input_file.hpp"
#include "files/output_file.hpp"
#include "input/entry_shares.hpp"
#include "input/gromacs_ligands.hpp"
#include "programs/scratch_folder.hpp"
#include "structures/engines/engine_water.hpp"
#include "structures/pdb/pqr_record.hpp"
#include "structures/writers/pdb_writer.hpp"

namespace ionwell {
namespace {

bool is_amber(const std::string& force_field) {
  return force_field.starts_with("amber");
}

NamingScheme scheme_of(const std::string& force_field) {
  return is_amber(force_field) ? NamingScheme::gromacs : NamingScheme::gromacs_charmm;
}

/// Of the ions that its force fields define, pdb2gmx knows those in their residue databases.
bool pdb2gmx_has(const ResidueTemplate& residue) {
  constexpr std::string_view ions[] = {"NA", "MG", "K", "CS", "CA", "CL", "ZN", "RB", "LI"};
  return residue.atoms.size() > 1 ||
         std::find(std::begin(ions), std::end(ions), residue.name.view()) != std::end(ions);
}

NamedResidues gromacs_residues(std::span<const Atom> atoms, const std::string& force_field,
                               std::span<const RecordedBond> links,
                               const std::function<bool(std::string_view)>& knows = {}) {
  const std::string program = "the files of GROMACS's " + force_field;
  const bool has_caps = is_amber(force_field);  // pdb2gmx does not end chains of charmm27 by them
  NamedResidues named = named_residues(
      atoms, {.scheme = scheme_of(force_field),
              .program = program,
              .knows = knows,
              .links = links,
              .remedy = "give the topology of a ligand (.itp) with --ligand, or write for AMBER or CHARMM",
              .has = [has_caps](const ResidueTemplate& residue) {
                return pdb2gmx_has(residue) && (has_caps || residue.kind != ResidueClass::cap);
              }});
  check_ends(atoms, named, program);
  for (const ResidueLink& link : named.chemistry.links)
    if (link.kind != LinkKind::disulfide)
      fail(program, " have no ", to_string(link.kind), " bond of ", describe(atoms[link.first]), " to ",
           describe(atoms[link.second]), "; leave one of them out with --ignore");
  return named;
}

/// Whether a chain ends there: at the end of a piece, and between ions, waters and all else.
bool ends_block(const Chemistry& chemistry, std::uint32_t r) {
  const PerceivedResidue& residue = chemistry.residues[r];
  if (r + 1 == chemistry.residues.size()) return true;
  if (residue.piece != nothing) return residue.after != r + 1;
  return chemistry.residues[r + 1].role != residue.role;
}

/// The lines of a PDB file that pdb2gmx wrote, without its cell, which is none.
void drop_cell(const std::string& path) {
  const FileBytes bytes = read_input_file(path);
  std::string text(bytes.text());
  if (const std::size_t at = text.find("CRYST1"); at != text.npos)
    text.erase(at, text.find('\n', at) - at + 1);
  write_file(path, text);
}

/// Of a topology only whole residues can act, or not.
void refuse_parts_of_residues(const System& system) {
  if (system.roles().empty()) return;
  const std::span<const Atom> atoms = system.atoms();
  const std::vector<std::size_t> numbers = system.numbers_in_files();
  for (std::size_t begin = 0; begin < atoms.size();) {
    const std::size_t end = end_of_residue(atoms, begin);
    for (std::size_t n = begin; n < end; ++n)
      if (system.roles()[numbers[n]] != system.roles()[numbers[begin]])
        fail<UsageError>(
            "--solute selects a part of ", describe_residue(atoms[begin]),
            ", but --for gromacs makes a topology of whole residues; select all of it or nothing");
    begin = end;
  }
}

/// Throws where a ligand is not a molecule of its own.
void check_ligands(std::span<const Atom> atoms, const std::string& force_field,
                   std::span<const RecordedBond> links, const GromacsLigands& ligands) {
  const NamedResidues named =
      gromacs_residues(atoms, force_field, links, [&](std::string_view name) { return ligands.has(name); });
  for (const PerceivedResidue& residue : named.chemistry.residues)
    if (ligands.has(atoms[residue.begin].residue.view()) &&
        (residue.before != nothing || residue.after != nothing))
      fail("--ligand: ", describe_residue(atoms[residue.begin]),
           " is a residue of a chain, but .itp files are for separate molecules; write for AMBER or CHARMM");
}

/// Puts the ligands into what pdb2gmx made, in front of the water.
void add_ligands(const ScratchFolder& folder, const GromacsLigands& ligands, std::span<const Atom> atoms) {
  if (atoms.empty()) return;
  const std::string topology = folder / "topol.top", coordinates = folder / "conf.pdb";
  write_file(topology, ligands.with_molecules(std::string(read_input_file(topology).text()), atoms));
  for (const GromacsLigands::File& file : ligands.files()) write_file(folder / file.name, file.text);
  std::string all;
  bool are_added = false;
  const auto add = [&] {
    if (std::exchange(are_added, true)) return;
    const std::string lines = pdb_text({.solute = atoms, .names = SoluteNames::own});
    LineScanner scanner(lines);
    for (std::string_view line; scanner.next(line);)
      if (is_atom_record(line)) all.append(line) += '\n';
  };
  const std::string text(read_input_file(coordinates).text());
  LineScanner scanner(text);
  for (std::string_view line; scanner.next(line);) {
    const bool is_water =
        is_atom_record(line) && residue_kind(trim(columns(line, 17, 4))) == ResidueKind::water;
    if (is_water || line.starts_with("END")) add();
    all.append(line) += '\n';
  }
  add();
  write_file(coordinates, all);
}

/// The entry's atoms as the topology has them, with the chains, numbers and roles of its residues; `order`:
/// of the entry's atoms in it. `begins`: of residues that are not ligands.
SystemParts joined(const System& entry, const System& made, const std::vector<std::size_t>& order,
                   const GromacsLigands& ligands, std::vector<std::size_t>& begins) {
  SystemParts parts{.whole = made.acting(), .links = made.links(), .header_records = entry.header_records()};
  Structure& whole = parts.whole;
  whole.path = entry.acting().path;
  whole.cell = entry.acting().cell;
  whole.warnings = entry.acting().warnings;  // those of the topology would name a folder that is gone
  const std::vector<Atom> before = with_numbers(entry.atoms(), order);
  std::vector<std::size_t> numbers = entry.numbers_in_files();
  if (!numbers.empty())
    std::ranges::transform(order, numbers.begin(), [all = numbers](std::size_t i) { return all[i]; });
  std::size_t n = 0;
  for (std::size_t begin = 0; begin < before.size();
       begin = end_of_residue(std::span<const Atom>(before), begin)) {
    if (n == whole.atoms.size())
      fail(whole.path, ": the topology that GROMACS made lacks ", describe_residue(before[begin]));
    if (!ligands.has(before[begin].residue.view())) begins.push_back(n);
    for (const std::size_t end = end_of_residue(std::span<const Atom>(whole.atoms), n); n < end; ++n) {
      Atom& atom = whole.atoms[n];
      atom.chain = before[begin].chain;
      atom.segment = before[begin].segment;
      atom.residue_number = before[begin].residue_number;
      atom.insertion_code = before[begin].insertion_code;
      if (!entry.roles().empty()) parts.roles.push_back(entry.roles()[numbers[begin]]);
    }
  }
  begins.push_back(n);
  if (n < whole.atoms.size())
    fail(whole.path, ": the topology that GROMACS made has ", describe_residue(whole.atoms[n]),
         ", which the structure lacks");
  return parts;
}

/// A topology knows a residue by its number alone: each has one that differs from its neighbours'. A chain
/// must not end where numbers go down.
void number_residues(const Chemistry& chemistry, std::vector<Atom>& atoms) {
  constexpr int most = 9'999;
  const auto number = [&](const PerceivedResidue& residue, std::size_t n) {
    for (std::uint32_t i = residue.begin; i < residue.end; ++i) {
      atoms[i].residue_number = int(n % most) + 1;
      atoms[i].insertion_code = ' ';
    }
  };
  std::size_t loose = 0;
  for (const PerceivedResidue& residue : chemistry.residues)
    if (residue.piece == nothing) number(residue, loose++);
  for (const ChainPiece& piece : chemistry.pieces)
    for (std::size_t n = 0; n < piece.residues.size(); ++n) number(chemistry.residues[piece.residues[n]], n);
}

/// The lengths of disulfides that pdb2gmx would not find: its own list has 2.0 A, and it takes what is within
/// 10 %.
/// pdb2gmx gives them the ends of proteins, unless somebody answers its questions.
void refuse_nucleotides(std::span<const Atom> atoms, const Chemistry& chemistry,
                        const std::string& force_field) {
  for (const PerceivedResidue& residue : chemistry.residues)
    if (residue.role == ResidueRole::nucleotide)
      fail("pdb2gmx finds no ends of nucleic acids in ", force_field, " (",
           describe_residue(atoms[residue.begin]),
           " is one); use an AMBER force field (--force-field amber99sb-ildn), or write for CHARMM or NAMD "
           "(--for charmm)");
}

/// pdb2gmx stops where it finds both in a chain. `atoms`: under its names.
void refuse_mixed_strands(std::span<const Atom> entry, std::span<const Atom> atoms,
                          const Chemistry& chemistry) {
  for (const ChainPiece& piece : chemistry.pieces) {
    const auto begin = [&](std::uint32_t r) { return chemistry.residues[r].begin; };
    const std::uint32_t first = begin(piece.residues.front());
    if (chemistry.residues[piece.residues.front()].role != ResidueRole::nucleotide) continue;
    for (const std::uint32_t r : piece.residues)
      if (atoms[begin(r)].residue.view().front() != atoms[first].residue.view().front())
        fail("pdb2gmx makes no chain of both DNA and RNA, and ", describe_residue(entry[begin(r)]),
             " is bound in one that begins with ", describe_residue(entry[first]),
             "; write for AMBER, CHARMM, NAMD or OpenMM (--for amber, charmm, openmm)");
  }
}

std::string special_bonds(const Chemistry& chemistry) {
  std::string lines = "CYS SG 1 CYS SG 1 0.2 CYS2 CYS2\n";
  int count = 1;
  for (const ResidueLink& link : chemistry.links) {
    if (link.distance_A > 1.81 && link.distance_A < 2.19) continue;
    lines += "CYS SG 1 CYS SG 1 " + std::to_string(link.distance_A / 10.0) + " CYS2 CYS2\n";
    ++count;
  }
  return std::to_string(count) + "\n" + lines;
}

bool joins_pieces(const Chemistry& chemistry) {
  const auto piece_of = [&](std::uint32_t atom) {
    return chemistry.residues[chemistry.residue_of(atom)].piece;
  };
  return std::any_of(chemistry.links.begin(), chemistry.links.end(),
                     [&](const ResidueLink& link) { return piece_of(link.first) != piece_of(link.second); });
}

/// Throws where the topology has other bonds between sulfurs than the entry, or lacks one between neighbours
/// of a chain. `begins`: of the topology's residues.
void check_bonds(const std::string& path, std::span<const Atom> entry, const Chemistry& chemistry,
                 const System& made, const std::vector<std::size_t>& begins) {
  std::set<std::pair<std::size_t, std::size_t>> bonds;
  std::size_t sulfur_bonds = 0;
  const std::span<const Atom> atoms = made.atoms();
  for (const AtomLink& link : made.links()) {
    const std::pair<std::size_t, std::size_t> pair = std::minmax<std::size_t>(link.first, link.second);
    if (bonds.insert(pair).second && atoms[pair.first].name == Label("SG") &&
        atoms[pair.second].name == Label("SG"))
      ++sulfur_bonds;
  }
  const auto named = [&](std::uint32_t r, std::string_view name) {
    std::size_t n = begins[r];
    while (n + 1 < begins[r + 1] && atoms[n].name.view() != name) ++n;
    return n;
  };
  const auto require_bond = [&](std::uint32_t r, std::string_view first, std::uint32_t other,
                                std::string_view second) {
    if (bonds.contains(std::minmax(named(r, first), named(other, second)))) return;
    fail(path, ": the topology that GROMACS made lacks the bond of ",
         describe_residue(entry[chemistry.residues[r].begin]), " to ",
         describe_residue(entry[chemistry.residues[other].begin]),
         "; make the topology (.top) yourself, and give it with its coordinates instead of the entry");
  };
  for (const ResidueLink& link : chemistry.links)
    require_bond(chemistry.residue_of(link.first), "SG", chemistry.residue_of(link.second), "SG");
  for (std::uint32_t r = 0; r < chemistry.residues.size(); ++r) {
    const PerceivedResidue& residue = chemistry.residues[r];
    if (residue.after == nothing) continue;
    if (residue.role == ResidueRole::nucleotide)
      require_bond(r, "O3'", residue.after, "P");
    else
      require_bond(r, "C", residue.after, "N");
  }
  if (sulfur_bonds != chemistry.links.size())
    fail(path, ": the topology that GROMACS made has ", sulfur_bonds, " disulfides instead of ",
         chemistry.links.size(),
         "; make the topology (.top) yourself, and give it with its coordinates instead of the entry");
}

/// Has pdb2gmx make topol.top and conf.pdb.
void run_on(const Pdb2gmxStructure& structure, const ScratchFolder& folder, const Pdb2gmxOptions& options,
            const SignalNotes& notes, const std::function<void(double seconds)>& progress) {
  write_file(folder / "input.pdb", pdb_text({.solute = structure.atoms, .names = SoluteNames::own}));
  write_file(folder / "specbond.dat", special_bonds(structure.chemistry));
  Pdb2gmxOptions how = options;
  how.merges_chains = joins_pieces(structure.chemistry);
  run_pdb2gmx(folder.path(), how, notes, progress);
}

/// The same files where all atoms are those of ligands, and pdb2gmx would have none.
void write_topology_without_molecules(const ScratchFolder& folder, const Pdb2gmxOptions& options) {
  std::string text;
  for (const std::string& file : {std::string("forcefield"), options.water, std::string("ions")})
    text += "#include \"" + options.force_field + ".ff/" + file + ".itp\"\n";
  write_file(folder / "topol.top", text + "\n[ system ]\nLigands\n\n[ molecules ]\n");
  write_file(folder / "conf.pdb", "END\n");
}

}  // namespace

void check_pdb2gmx(const Pdb2gmxOptions& options) {
  if (!is_amber(options.force_field) && options.force_field != "charmm27")
    fail<UsageError>("--force-field ", options.force_field,
                     ": ionwell knows the names of residues and atoms in GROMACS's AMBER force fields "
                     "(amber99sb-ildn ...) and in charmm27; use one of these (the GROMACS of Debian has no "
                     "OL3, OL15 or CHARMM36), or give the topology (.top) that pdb2gmx makes");
}

Pdb2gmxStructure pdb2gmx_structure(std::span<const Atom> atoms, const std::string& force_field,
                                   std::span<const RecordedBond> links) {
  NamedResidues named = gromacs_residues(atoms, force_field, links);
  const NamingScheme scheme = scheme_of(force_field);
  if (scheme == NamingScheme::gromacs_charmm) refuse_nucleotides(atoms, named.chemistry, force_field);
  std::vector<Atom> result(atoms.begin(), atoms.end());
  for (std::size_t r = 0; r < named.residues.size(); ++r) {
    const PerceivedResidue& residue = named.chemistry.residues[r];
    const NamedResidue& name = named.residues[r];
    result[residue.end - 1].ends_chain = ends_block(named.chemistry, std::uint32_t(r));
    if (name.as == nullptr) continue;
    const bool is_bridged = name.as->name == Label("CYX");
    for (std::uint32_t n = residue.begin; n < residue.end; ++n) {
      result[n].residue = is_bridged ? Label("CYS") : name.as->called_in(scheme)->residue;
      result[n].name = name.atoms[n - residue.begin];
    }
  }
  refuse_mixed_strands(atoms, result, named.chemistry);
  number_residues(named.chemistry, result);
  return {with_engine_waters(result, Engine::openmm), std::move(named.chemistry)};
}

void make_gromacs_topology(Input& entry, const Pdb2gmxOptions& options,
                           const std::function<void(double seconds)>& progress) {
  check_pdb2gmx(options);
  const GromacsLigands ligands(entry.ligands);
  EntryShares shares = shares_of(entry.system.atoms(), ligands);
  if (!ligands.empty()) check_ligands(entry.system.atoms(), options.force_field, entry.entry_links, ligands);
  std::vector<Atom> sent = with_numbers(entry.system.atoms(), shares.of_pdb2gmx);
  Pdb2gmxStructure structure;
  if (!sent.empty()) structure = pdb2gmx_structure(sent, options.force_field, entry.entry_links);
  if (!sent.empty() && put_along_bonds(entry.system.atoms(), structure.chemistry, shares)) {
    sent = with_numbers(entry.system.atoms(), shares.of_pdb2gmx);
    structure = pdb2gmx_structure(sent, options.force_field, entry.entry_links);
  }
  refuse_parts_of_residues(entry.system);
  const SignalNotes notes;
  remove_left_scratch();
  const auto folder = std::make_shared<const ScratchFolder>(std::nullopt);
  if (sent.empty())
    write_topology_without_molecules(*folder, options);
  else
    run_on(
        structure, *folder, options, notes, progress ? progress : [](double) {});
  drop_cell(*folder / "conf.pdb");
  add_ligands(*folder, ligands, with_numbers(entry.system.atoms(), shares.of_ligands));
  InputOptions as_it_is;
  as_it_is.water = InputWater::solute;
  as_it_is.may_be_uncharged = true;
  const Input made = read_input({*folder / "topol.top", *folder / "conf.pdb"}, as_it_is);
  std::vector<std::size_t> begins;  // of residues
  System system(joined(entry.system, made.system, shares.in_order(), ligands, begins));
  check_bonds(entry.system.acting().path, sent, structure.chemistry, made.system, begins);
  system.acting().composition = composition_of(system.acting().atoms);
  system.acting().composition->water_left_out = entry.system.acting().composition->water_left_out;
  const double before_e = net_charge_e(entry.system.acting().atoms),
               after_e = net_charge_e(system.acting().atoms);
  constexpr double tolerance_e = 0.01;
  if (std::abs(after_e - before_e) > tolerance_e)
    fail(entry.system.acting().path, ": has a charge of ", charge_text(before_e), " e, and ",
         charge_text(after_e), " e in the topology that GROMACS made with ", options.force_field,
         "; make the topology (.top) yourself, and give it with its coordinates instead of the entry");
  entry.system = std::move(system);
  entry.topology = made.topology;
  entry.topology_folder = folder;
}

}  // namespace ionwell
