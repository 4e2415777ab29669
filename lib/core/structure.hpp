// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/box.hpp"
#include "core/chemistry/composition.hpp"
#include "core/label.hpp"
#include "core/unit_cell.hpp"
#include "core/vec3.hpp"

namespace ionwell {

/// A charge without a radius, the source of a potential.
struct PointCharge {
  Vec3<double> position_A;
  double charge_e = 0.0;
};

/// An atom of a file.
struct Atom {
  Vec3<double> position_A;
  double charge_e = 0.0;
  double radius_A = 0.0;
  Label name, residue, chain, segment;
  int residue_number = 0;
  ElementSymbol element;  // where the file tells it; see element_of in structures/solute_elements.hpp
  char insertion_code = ' ';
  bool ends_chain = false;  // a TER record follows
};

/// A solute with charges: atoms in the order of the file, with unchanged coordinates.
struct Structure {
  std::string path;
  std::vector<Atom> atoms;
  std::vector<std::string> warnings;       // what the reader had to decide, ready to show
  std::optional<Composition> composition;  // of all that the file holds; none where no reader has told
  std::optional<UnitCell> cell;            // only to be told of: nothing here is periodic
};

/// Smallest box [A] around the atoms' centres; there must be at least one atom. O(atoms).
Box bounding_box(std::span<const Atom> atoms);

/// Sum of the charges [e] in the order of the atoms.
double net_charge_e(std::span<const Atom> atoms);

/// The charges that are the sources of the potential, in the order of the atoms and without those of charge
/// zero.
std::vector<PointCharge> point_charges(std::span<const Atom> atoms);

/// "12", "12B": the residue's number and insertion code.
std::string residue_id_text(const Atom& atom);

/// "ASP 12 A": the residue of an atom in messages.
std::string describe_residue(const Atom& atom);

/// "ASP 12 A OD1": an atom in messages.
std::string describe(const Atom& atom);

}  // namespace ionwell
