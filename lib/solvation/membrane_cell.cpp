// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/membrane_cell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/chemistry/composition.hpp"
#include "core/periodic_cell.hpp"
#include "solvation/ions/membrane.hpp"
#include "structures/molecules/residue_bonds.hpp"

namespace ionwell {
namespace {

/// In which image of the bilayer a position is: a whole number, and a part that all positions share.
double image_of(const Membrane& membrane, const PeriodicCell& cell, const Vec3<double>& position_A) {
  return dot(cell.reciprocal().c, position_A) - membrane.height_A(position_A) / cell.widths_A().z;
}

bool is_lipid(const Residue& residue) {
  return residue.kind == ResidueKind::lipid;
}

Vec3<double> middle_of(std::span<const Atom> atoms) {
  Vec3<double> sum{};
  for (const Atom& atom : atoms) sum = sum + atom.position_A;
  return (1.0 / double(atoms.size())) * sum;
}

/// Puts every molecule next to the same image of the bilayer, where its lipids are next to several.
void gather(std::span<Atom> atoms, const PeriodicCell& cell, const Membrane& membrane,
            std::span<const AtomLink> links) {
  std::optional<double> of_first;
  bool is_parted = false;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    if (is_lipid(residue)) {
      const double image = image_of(membrane, cell, middle_of(atoms.subspan(begin, residue.end - begin)));
      if (!of_first) of_first = image;
      is_parted |= std::abs(image - *of_first) > 0.5;
    }
    begin = residue.end;
  }
  if (!is_parted) return;
  for (const AtomsOfMolecule& molecule : molecules_of(atoms, links)) {
    Vec3<double> middle_A{};
    for (const std::uint32_t n : molecule) middle_A = middle_A + atoms[n].position_A;
    middle_A = (1.0 / double(molecule.size())) * middle_A;
    const double away = std::rint(image_of(membrane, cell, middle_A) - *of_first);
    for (const std::uint32_t n : molecule)
      atoms[n].position_A = atoms[n].position_A - away * cell.vectors().c;
  }
}

}  // namespace

std::optional<CellVectors> cell_of_membrane(std::span<Atom> atoms, const UnitCell& own, double padding_A,
                                            std::span<const AtomLink> links) {
  const PeriodicCell cell(own);
  const std::optional<Membrane> membrane = find_membrane(atoms, cell);
  if (!membrane) return {};
  gather(atoms, cell, *membrane, links);
  const double width_A = cell.widths_A().z;
  double lowest_A = std::numeric_limits<double>::infinity(), highest_A = -lowest_A;
  for (const Atom& atom : atoms) {
    const double along_A = width_A * dot(cell.reciprocal().c, atom.position_A);
    lowest_A = std::min(lowest_A, along_A);
    highest_A = std::max(highest_A, along_A);
  }
  return CellVectors{own.a, own.b, ((highest_A - lowest_A + 2 * padding_A) / width_A) * own.c};
}

bool holds_bilayer(std::span<const Atom> atoms) {
  constexpr double beyond_A = 1000.0;
  const Box box = bounding_box(atoms);
  const Vec3<double> edges = box.highest_A - box.lowest_A + Vec3<double>{beyond_A, beyond_A, beyond_A};
  return find_membrane(atoms, PeriodicCell(cell_vectors({edges}))).has_value();
}

}  // namespace ionwell
