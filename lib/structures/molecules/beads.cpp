// SPDX-License-Identifier: BSD-3-Clause
#include "structures/molecules/beads.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/cell_list.hpp"
#include "core/chemistry/composition.hpp"

namespace ionwell {
namespace {

constexpr double longest_bond_A = 2.2;  // S-S has 2.05 A; Martini's shortest, of rings, have 2.3 to 2.9 A
constexpr double most_bonded = 0.2;     // of beads: virtual sites, rings of tiny beads

/// Of Martini's proteins, nucleic acids and lipids, and of SIRAH's backbones.
bool is_bead_name(const Label& name) {
  constexpr std::array<Label, 14> names = {"BB",  "BAS", "BB1", "BB2", "BB3", "NC3", "NH3",
                                           "PO4", "GL1", "GL2", "ROH", "GN",  "GC",  "GO"};
  const std::string_view text = name.view();
  return std::find(names.begin(), names.end(), name) != names.end() ||
         (text.size() == 3 && text.starts_with("SC") && text[2] >= '1' && text[2] <= '9');
}

/// Of Martini and SIRAH.
bool is_bead_of_water(std::string_view residue) {
  constexpr std::array<std::string_view, 6> names = {"W", "WF", "SW", "TW", "PW", "WT4"};
  return std::find(names.begin(), names.end(), residue) != names.end();
}

bool are_bonded(const Vec3<double>& p, const Vec3<double>& q) {
  return distance_squared(p, q) <= longest_bond_A * longest_bond_A;
}

/// Counts points that have the one before or after them within a bond's length.
class BondedInFile {
 public:
  void add(const Vec3<double>& p) {
    const bool is_bonded = points_++ > 0 && are_bonded(last_A_, p);
    bonded_ += is_bonded + (is_bonded && !last_is_bonded_);
    last_is_bonded_ = is_bonded;
    last_A_ = p;
  }
  std::size_t points() const { return points_; }
  std::size_t bonded() const { return bonded_; }

 private:
  Vec3<double> last_A_;
  bool last_is_bonded_ = false;
  std::size_t points_ = 0, bonded_ = 0;
};

/// Water and ions, which are not bonded to other residues.
bool is_left_out(const Residue& residue, std::string_view name) {
  return residue.kind == ResidueKind::water || residue.kind == ResidueKind::ion || is_bead_of_water(name);
}

/// Positions of the atoms that are not left out.
std::vector<Vec3<double>> positions_to_bond(std::span<const Atom> atoms) {
  std::vector<Vec3<double>> positions_A;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const bool is_out = is_left_out(residue, atoms[begin].residue.view());
    for (; begin < residue.end; ++begin)
      if (!is_out) positions_A.push_back(atoms[begin].position_A);
  }
  return positions_A;
}

/// How many of the points have another one within a bond's length.
std::size_t count_bonded(const std::vector<Vec3<double>>& positions_A) {
  const CellList list(positions_A, longest_bond_A);
  std::size_t bonded = 0;
  for (std::size_t n = 0; n < positions_A.size(); ++n) {
    const Vec3<double>& p = positions_A[n];
    bool is_bonded = false;
    list.near({p, p}, longest_bond_A,
              [&](std::uint32_t other) { is_bonded |= other != n && are_bonded(p, positions_A[other]); });
    bonded += is_bonded;
  }
  return bonded;
}

}  // namespace

bool are_beads(std::span<const Atom> atoms) {
  BondedInFile in_file;
  std::size_t named = 0, without_element = 0, lone_CA = 0, lone_P = 0, waters = 0;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const bool is_out = is_left_out(residue, atoms[begin].residue.view());
    const bool is_lone = residue.end - begin == 1;
    waters += is_lone && is_bead_of_water(atoms[begin].residue.view());
    lone_CA += is_lone && residue.kind == ResidueKind::protein && atoms[begin].name == "CA";
    lone_P += is_lone && residue.kind == ResidueKind::nucleic_acid && atoms[begin].name == "P";
    for (; begin < residue.end; ++begin) {
      if (is_out) continue;
      in_file.add(atoms[begin].position_A);
      named += is_bead_name(atoms[begin].name);
      without_element += atoms[begin].element.empty();
    }
  }
  constexpr std::size_t fewest = 3, few = 20;  // of a few, only names tell
  const std::size_t count = in_file.points();
  if (count < fewest) return waters >= fewest;
  if (2 * named > count) return true;
  const bool can_be =
      2 * lone_CA > count || (count > few && (2 * lone_P > count || 2 * without_element > count));
  const auto are_few = [count](std::size_t bonded) { return double(bonded) <= most_bonded * double(count); };
  // Most atoms are bonded to one that is next to them in the file.
  return can_be && are_few(in_file.bonded()) && are_few(count_bonded(positions_to_bond(atoms)));
}

}  // namespace ionwell
