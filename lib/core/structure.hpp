#pragma once

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/chemistry/composition.hpp"
#include "core/label.hpp"
#include "core/vec3.hpp"

namespace ionwell {

struct PointCharge {
  Vec3<double> position_A;
  double charge_e = 0.0;
};

struct Atom {
  Vec3<double> position_A;
  double charge_e = 0.0;
  double radius_A = 0.0;
  Label name, residue, chain;
  int residue_number = 0;
  char insertion_code = ' ';
  bool ends_chain = false;  // a TER record follows
};

/// The cell of a crystal or of a simulation.
struct UnitCell {
  Vec3<double> lengths_A;
  Vec3<double> angles_deg;  // alpha, beta, gamma
};

/// A solute with charges, as a file gave it: atoms in the order of the file, coordinates untouched.
struct Structure {
  std::string path;
  std::vector<Atom> atoms;
  std::vector<std::string> warnings;       // what the reader had to decide, ready to show
  std::optional<Composition> composition;  // of all that the file holds; none where no reader has told
  std::optional<UnitCell> cell;            // only to be told of: nothing here is periodic
};

struct Box {
  Vec3<double> lowest_A, highest_A;

  friend constexpr bool operator==(const Box&, const Box&) = default;
};

/// "(0, 0, 0) to (10, 20, 30)".
std::ostream& operator<<(std::ostream& out, const Box& box);

/// Whether two boxes have a point in common.
bool overlap(const Box& a, const Box& b);

/// Smallest box around the atoms' centres; there must be at least one atom.
Box bounding_box(std::span<const Atom> atoms);

double net_charge_e(std::span<const Atom> atoms);

/// The charges that make a potential: atoms of charge zero are left out.
std::vector<PointCharge> point_charges(std::span<const Atom> atoms);

/// "ASP 12 A": how a message names an atom's residue.
std::string describe_residue(const Atom& atom);

/// "ASP 12 A OD1": how a message names an atom.
std::string describe(const Atom& atom);

}  // namespace ionwell
