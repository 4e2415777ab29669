// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/simulation_cell.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/chemistry/composition.hpp"
#include "core/error.hpp"
#include "core/periodic_cell.hpp"
#include "core/text/text_stream.hpp"
#include "solvation/whole_molecules.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

/// Without ions of one atom, which may have come later.
Box box_around_molecules(std::span<const Atom> atoms) {
  std::optional<Box> box;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    if (residue.kind != ResidueKind::ion || residue.end - residue.begin > 1) {
      const Box own = bounding_box(atoms.subspan(begin, residue.end - begin));
      box = box ? extended(extended(*box, own.lowest_A), own.highest_A) : own;
    }
    begin = residue.end;
  }
  return box ? *box : bounding_box(atoms);
}

/// As GROMACS's pdb2gmx writes it.
bool is_smallest_box(const UnitCell& cell, std::span<const Atom> atoms) {
  constexpr double rounding_A = 0.02;
  const Box box = box_around_molecules(atoms);
  const Vec3<double> off = box.highest_A - box.lowest_A - lengths_A(cell);
  return std::abs(off.x) < rounding_A && std::abs(off.y) < rounding_A && std::abs(off.z) < rounding_A;
}

/// Whether a cell can have these atoms, and is not merely what a program wrote for lack of one.
bool holds(const UnitCell& cell, std::span<const Atom> atoms) {
  constexpr double smallest_A = 5.0, least_A3_per_atom = 3.0;
  const Vec3<double> lengths = lengths_A(cell);
  if (atoms.empty() || !(lengths.x > smallest_A && lengths.y > smallest_A && lengths.z > smallest_A))
    return false;
  if (!has_volume(cell) || PeriodicCell(cell).volume_A3() <= least_A3_per_atom * double(atoms.size()))
    return false;
  return !is_smallest_box(cell, atoms);
}

std::string describe_cell(const UnitCell& cell) {
  const Vec3<double> lengths = lengths_A(cell);
  TextStream text;
  text << lengths.x << " x " << lengths.y << " x " << lengths.z << " A";
  return text.str();
}

}  // namespace

bool fill_cell(std::int64_t heavy_atoms, double cell_A3) {
  constexpr double heavy_atom_A3 = 30.0,
                   least_part = 0.2;  // water 30, methanol 34, benzene 25, chloroform 34
  return heavy_atom_A3 * double(heavy_atoms) > least_part * cell_A3;
}

bool is_full_of_solvent(std::span<const Atom> atoms, double cell_A3) {
  constexpr std::int64_t fewest = 20, most_atoms = 15;  // molecules of one kind; their atoms but hydrogens
  struct Kind {
    std::int64_t molecules = 0, heavy_atoms = 0;
  };
  Kind water, lipids;
  std::map<std::pair<std::string_view, std::int64_t>, Kind> others;  // by name and size
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const std::string_view name = atoms[begin].residue.view();
    std::int64_t heavy = 0;
    for (; begin < residue.end; ++begin) {
      const std::string_view element = element_of(atoms[begin]);
      heavy += !element.empty() && element != "H";
    }
    const auto add = [&](Kind& kind, std::int64_t heavy_atoms) {
      ++kind.molecules;
      kind.heavy_atoms += heavy_atoms;
    };
    if (residue.kind == ResidueKind::water) add(water, 1);
    if (residue.kind == ResidueKind::lipid) add(lipids, heavy);
    if (residue.kind == ResidueKind::unknown && heavy <= most_atoms) add(others[{name, heavy}], heavy);
  }
  std::int64_t heavy_atoms = water.heavy_atoms;
  if (lipids.molecules >= fewest) heavy_atoms += lipids.heavy_atoms;
  for (const auto& [name_and_size, kind] : others)
    if (kind.molecules >= fewest) heavy_atoms += kind.heavy_atoms;
  return fill_cell(heavy_atoms, cell_A3);
}

bool stands_for_none(const UnitCell& cell, std::span<const Atom> atoms) {
  return !holds(cell, atoms);
}

void decide_cell(Structure& structure, std::span<const Atom> atoms) {
  if (!structure.cell) return;
  if (!atoms.empty() && is_smallest_box(*structure.cell, atoms)) {
    if (structure.cell->kind == CellKind::simulation) structure.cell->kind = CellKind::undecided;
    return;
  }
  if (structure.cell->kind != CellKind::undecided) return;
  if (has_volume(*structure.cell) && is_full_of_solvent(atoms, PeriodicCell(*structure.cell).volume_A3()))
    structure.cell->kind = CellKind::simulation;
}

std::optional<UnitCell> simulation_cell(const Structure& structure) {
  const bool is_one = structure.cell && structure.cell->kind == CellKind::simulation &&
                      holds(*structure.cell, structure.atoms);
  return is_one ? structure.cell : std::nullopt;
}

std::vector<std::string> torn_molecule_warnings(const Structure& structure) {
  if (!structure.cell || structure.cell->kind != CellKind::undecided ||
      !holds(*structure.cell, structure.atoms))
    return {};
  std::vector<Atom> atoms = structure.atoms;
  if (make_whole(atoms, PeriodicCell(*structure.cell)) == 0) return {};
  return {structure.path + ": parts of a molecule are at opposite faces of its cell, " +
          describe_cell(*structure.cell) +
          ", and the file does not state whether that is the cell of a simulation or of a crystal, so no "
          "atom was moved; if it is that of a simulation, give it in a .gro, .xsc or .rst7 file"};
}

std::optional<UnitCell> written_cell(const Structure& structure) {
  const bool is_one = structure.cell && structure.cell->kind == CellKind::simulation;
  return is_one ? structure.cell : std::nullopt;
}

std::string why_not_periodic(const Structure& structure) {
  const std::string way_out = "; give a file that has one (.gro, .xsc, .rst7), or --boundary open";
  if (!structure.cell) return structure.path + ": has no cell, but a periodic box needs one" + way_out;
  const std::string cell = structure.path + ": its cell, " + describe_cell(*structure.cell) + ", is ";
  if (!holds(*structure.cell, structure.atoms)) return cell + "no larger than its contents" + way_out;
  if (structure.cell->kind == CellKind::crystal)
    return cell + "of a crystal, but a periodic box needs that of a simulation" + way_out;
  return cell + "of a simulation or a crystal, and the file does not state which" + way_out;
}

}  // namespace ionwell
