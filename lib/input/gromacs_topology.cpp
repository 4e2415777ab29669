#include "input/gromacs_topology.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "chemistry/naming/named_residues.hpp"
#include "core/chemistry/composition.hpp"
#include "core/chemistry/residue_runs.hpp"
#include "core/error.hpp"
#include "core/text/charge_text.hpp"
#include "files/input_file.hpp"
#include "files/output_file.hpp"
#include "programs/scratch_folder.hpp"
#include "structures/engines/engine_water.hpp"
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

NamedResidues gromacs_residues(std::span<const Atom> atoms, const std::string& force_field) {
  const std::string program = "the files of GROMACS's " + force_field;
  return named_residues(atoms, {.scheme = scheme_of(force_field), .program = program, .has = pdb2gmx_has});
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

/// The entry's atoms as the topology has them, with the chains, numbers and roles of its residues.
SystemParts joined(const System& entry, const System& made) {
  SystemParts parts{.whole = made.acting(), .links = made.links(), .header_records = entry.header_records()};
  Structure& whole = parts.whole;
  whole.path = entry.acting().path;
  whole.composition = entry.acting().composition;
  whole.cell = entry.acting().cell;
  whole.warnings.insert(whole.warnings.begin(), entry.acting().warnings.begin(),
                        entry.acting().warnings.end());
  const std::span<const Atom> before = entry.atoms();
  const std::vector<std::size_t> numbers = entry.numbers_in_files();
  std::size_t n = 0;
  for (std::size_t begin = 0; begin < before.size(); begin = end_of_residue(before, begin)) {
    if (n == whole.atoms.size())
      fail(whole.path, ": the topology that GROMACS made lacks ", describe_residue(before[begin]));
    for (const std::size_t end = end_of_residue(std::span<const Atom>(whole.atoms), n); n < end; ++n) {
      Atom& atom = whole.atoms[n];
      atom.chain = before[begin].chain;
      atom.segment = before[begin].segment;
      atom.residue_number = before[begin].residue_number;
      atom.insertion_code = before[begin].insertion_code;
      if (!entry.roles().empty()) parts.roles.push_back(entry.roles()[numbers[begin]]);
    }
  }
  if (n < whole.atoms.size())
    fail(whole.path, ": the topology that GROMACS made has ", describe_residue(whole.atoms[n]),
         ", which the structure lacks");
  return parts;
}

/// A topology knows a residue by its number: those of ions and the like differ from their neighbours', and a
/// piece that has insertion codes is numbered from 1.
void number_residues(const Chemistry& chemistry, std::vector<Atom>& atoms) {
  const auto number = [&](const PerceivedResidue& residue, int n) {
    constexpr int most = 9'999;
    for (std::uint32_t i = residue.begin; i < residue.end; ++i) {
      atoms[i].residue_number = n % most + 1;
      atoms[i].insertion_code = ' ';
    }
  };
  int loose = 0;
  for (const PerceivedResidue& residue : chemistry.residues)
    if (residue.piece == nothing && residue.role != ResidueRole::water) number(residue, loose++);
  for (const ChainPiece& piece : chemistry.pieces) {
    const bool has_codes = std::any_of(piece.residues.begin(), piece.residues.end(), [&](std::uint32_t r) {
      return atoms[chemistry.residues[r].begin].insertion_code != ' ';
    });
    int in_piece = 0;
    if (has_codes)
      for (const std::uint32_t r : piece.residues) number(chemistry.residues[r], in_piece++);
  }
}

}  // namespace

void check_pdb2gmx(const Pdb2gmxOptions& options) {
  if (!is_amber(options.force_field) && options.force_field != "charmm27")
    fail<UsageError>("--force-field ", options.force_field,
                     ": names of residues and atoms are known for GROMACS's ports of AMBER's force fields "
                     "(amber99sb-ildn ...) and for charmm27; take one of these, or give the topology (.top) "
                     "that pdb2gmx makes");
}

std::vector<Atom> pdb2gmx_atoms(std::span<const Atom> atoms, const std::string& force_field) {
  const NamedResidues named = gromacs_residues(atoms, force_field);
  const NamingScheme scheme = scheme_of(force_field);
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
  number_residues(named.chemistry, result);
  return with_engine_waters(result, Engine::openmm);
}

void make_gromacs_topology(Input& entry, const Pdb2gmxOptions& options,
                           const std::function<void(double seconds)>& progress) {
  check_pdb2gmx(options);
  const std::vector<Atom> atoms = pdb2gmx_atoms(entry.system.atoms(), options.force_field);
  const SignalNotes notes;
  remove_left_scratch();
  const auto folder = std::make_shared<const ScratchFolder>(std::nullopt);
  write_file(*folder / "input.pdb", pdb_text({.solute = atoms, .names = SoluteNames::own}));
  run_pdb2gmx(
      folder->path(), options, notes, progress ? progress : [](double) {});
  drop_cell(*folder / "conf.pdb");
  InputOptions as_it_is;
  as_it_is.water = InputWater::solute;
  as_it_is.may_be_uncharged = true;
  const Input made = read_input({*folder / "topol.top", *folder / "conf.pdb"}, as_it_is);
  System system(joined(entry.system, made.system));
  const double before_e = net_charge_e(entry.system.acting().atoms),
               after_e = net_charge_e(system.acting().atoms);
  constexpr double tolerance_e = 0.01;
  if (std::abs(after_e - before_e) > tolerance_e)
    fail(entry.system.acting().path, ": has a charge of ", charge_text(before_e), " e, and ",
         charge_text(after_e), " e in the topology that GROMACS made by ", options.force_field,
         "; make the topology (.top) yourself, and give it with its coordinates in place of the entry");
  entry.system = std::move(system);
  entry.topology = made.topology;
  entry.topology_folder = folder;
}

}  // namespace ionwell
