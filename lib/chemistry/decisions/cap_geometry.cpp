// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/cap_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/geometry/cross_product.hpp"

namespace ionwell {
namespace {

using Point = Vec3<double>;

constexpr double nme_nitrogen_A = 1.335, nme_carbon_A = 1.449, ace_carbon_A = 1.335, ace_methyl_A = 1.522,
                 ace_oxygen_A = 1.229, amide_hydrogen_A = 1.010, methyl_hydrogen_A = 1.090;
// CA-C-N, C-N-CA, O-C-N and C-N-H of a peptide bond; methyl groups are tetrahedral.
constexpr double at_carbon = 116.6, at_nitrogen = 121.9, at_carbonyl = 122.9, at_hydrogen = 119.0,
                 at_methyl = 109.5;

Point unit(const Point& v) {
  return (1.0 / std::sqrt(dot(v, v))) * v;
}

/// To the decimals that PDB2PQR writes.
Point rounded(const Point& p) {
  const auto round = [](double x) { return std::round(x * 1000.0) / 1000.0 + 0.0; };  // + 0.0: no -0
  return {round(p.x), round(p.y), round(p.z)};
}

/// Three atoms in a row, to the last of which one is bound.
struct BondedRow {
  Point first_A, second_A, third_A;
};

struct BondGeometry {
  double length_A, angle_degrees, torsion_degrees;
};

/// The point with that distance from the third atom, the angle to the second, and the torsion to the first.
Point placed(const BondedRow& row, const BondGeometry& bond) {
  constexpr double degree = std::numbers::pi / 180.0;
  const double angle = bond.angle_degrees * degree, torsion = bond.torsion_degrees * degree;
  const Point along = unit(row.third_A - row.second_A);
  const Point normal = unit(cross(row.second_A - row.first_A, along));
  const Point across = cross(normal, along);
  return row.third_A +
         bond.length_A * (-std::cos(angle) * along + (std::sin(angle) * std::cos(torsion)) * across +
                          (std::sin(angle) * std::sin(torsion)) * normal);
}

class CapMaker {
 public:
  CapMaker(const char* residue, const Atom& like) : atom_(like) {
    atom_.residue = residue;
    atom_.charge_e = atom_.radius_A = 0.0;
    atom_.ends_chain = false;
  }

  Point add(const char* name, const char* element, const Point& position_A) {
    atom_.name = name;
    atom_.element = element;
    atom_.position_A = rounded(position_A);
    atoms_.push_back(atom_);
    return position_A;
  }

  /// Three, staggered to the first atom of the row.
  void add_methyl_hydrogens(const BondedRow& row) {
    constexpr const char* names[] = {"H1", "H2", "H3"};
    for (int n = 0; n < 3; ++n)
      add(names[n], "H", placed(row, {methyl_hydrogen_A, at_methyl, 60.0 + 120.0 * n}));
  }

  std::vector<Atom> take() { return std::move(atoms_); }

 private:
  Atom atom_;
  std::vector<Atom> atoms_;
};

/// The first atom of that name; or nullptr.
template <typename Atoms>
auto named(Atoms atoms, const char* name) {
  const auto found =
      std::find_if(atoms.begin(), atoms.end(), [name](const Atom& atom) { return atom.name == Label(name); });
  return found == atoms.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Atom> built_nme(const PeptideAnchor& anchor, const Atom& like) {
  CapMaker cap("NME", like);
  const Point &alpha = anchor.alpha_A, &carbon = anchor.end_A;
  const Point nitrogen =
      cap.add("N", "N", placed({anchor.plane_A, alpha, carbon}, {nme_nitrogen_A, at_carbon, 180.0}));
  const BondedRow row{alpha, carbon, nitrogen};
  cap.add("H", "H", placed(row, {amide_hydrogen_A, at_hydrogen, 0.0}));
  const Point methyl = cap.add("C", "C", placed(row, {nme_carbon_A, at_nitrogen, 180.0}));
  cap.add_methyl_hydrogens({carbon, nitrogen, methyl});
  return cap.take();
}

std::vector<Atom> built_ace(const PeptideAnchor& anchor, const Atom& like) {
  CapMaker cap("ACE", like);
  const Point &alpha = anchor.alpha_A, &nitrogen = anchor.end_A;
  const Point carbon = placed({anchor.plane_A, alpha, nitrogen}, {ace_carbon_A, at_nitrogen, 180.0});
  const BondedRow row{alpha, nitrogen, carbon};
  const Point methyl = cap.add("CH3", "C", placed(row, {ace_methyl_A, at_carbon, 180.0}));
  cap.add_methyl_hydrogens({nitrogen, carbon, methyl});
  cap.add("C", "C", carbon);
  cap.add("O", "O", placed(row, {ace_oxygen_A, at_carbonyl, 0.0}));
  return cap.take();
}

Vec3<double> hydrogen_of_phi(const Vec3<double>& nitrogen_A, const Vec3<double>& alpha_A,
                             const Vec3<double>& carbon_A, double phi_degrees) {
  return placed({carbon_A, alpha_A, nitrogen_A}, {amide_hydrogen_A, at_hydrogen, phi_degrees + 180.0});
}

void turn_amide_hydrogen(std::span<Atom> answer, std::span<const Atom> file, std::span<const Atom> cap) {
  if (named(file, "H") != nullptr || named(file, "HN") != nullptr) return;
  const Atom *const carbon = named(cap, "C"), *const nitrogen = named(answer, "N"),
                    *const alpha = named(answer, "CA");
  Atom* const hydrogen = named(answer, "H");
  if (carbon == nullptr || nitrogen == nullptr || alpha == nullptr || hydrogen == nullptr) return;
  const Point& n = nitrogen->position_A;
  const Point bisector = unit(carbon->position_A - n) + unit(alpha->position_A - n);
  if (dot(bisector, bisector) > 1e-6) hydrogen->position_A = rounded(n - amide_hydrogen_A * unit(bisector));
}

void mend_carboxylate(std::span<Atom> residue) {
  constexpr double carboxylate_A = 1.25, longest_A = 1.6;
  const Atom *const carbon = named(residue, "C"), *const alpha = named(residue, "CA"),
                    *const oxygen = named(residue, "O");
  Atom* const other = named(residue, "OXT");
  if (carbon == nullptr || alpha == nullptr || oxygen == nullptr || other == nullptr) return;
  const Point& c = carbon->position_A;
  if (distance_squared(c, other->position_A) < longest_A * longest_A) return;
  const Point bisector = unit(alpha->position_A - c) + unit(oxygen->position_A - c);
  if (dot(bisector, bisector) > 1e-6) other->position_A = rounded(c - carboxylate_A * unit(bisector));
}

}  // namespace ionwell
