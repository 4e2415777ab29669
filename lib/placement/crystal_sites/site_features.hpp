// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/cell_list.hpp"
#include "core/large_array.hpp"
#include "electrostatics/simd/simd_level.hpp"
#include "placement/crystal_sites/simd/site_kernels.hpp"
#include "placement/crystal_sites/site_atom.hpp"

namespace ionwell {

/// What a learned score knows of a point: who is how far away. In this order, atoms below 10 A counting:
///   shell          for each class of atoms: the sum of exp(-(r - c)^2 / (2 w^2)) over its atoms, for each
///                  of nine distances c with a width w
///   nearest        for each class: the distance of its nearest atom [A], 10 when there is none
///   density        of acceptors, phosphorus, other heavy atoms and all heavy atoms: the sum of
///                  exp(-r^2 / (2 w^2)), for each of five widths
///   potential      of the charges, sum of q exp(-r / l) / r, for screening lengths l of 2, 3.04, 5 and 8 A;
///   gradient       its size; and
///   curvature      the eigenvalues of its second derivative, lowest first
///   energy         E of the model's terms [kT]
///   basin          F of the same [kT]
///   contacts       acceptors between 4 and 4.6 A
///   nearest_heavy  [A]
/// Radial functions are constant over 1/64 A2 of r^2: what they are in its middle.
constexpr int site_feature_shells = site_atom_classes * site_shells;
constexpr int site_feature_count =
    site_feature_shells + site_atom_classes + 4 * site_widths + 5 * site_screenings + 4;

/// "shell_phosphate_oxygen_2.8", "nearest_n7", ...: as fits and their reports name them.
std::string site_feature_name(int feature);

/// Radial functions, a row of site_row numbers for each bin of r^2 (simd/site_kernels.hpp): the shells, the
/// widths of the densities and the contacts; and by screening length l of the charges the potential
/// exp(-r / l) / r, what its gradient is times the vector to the atom, and what its second derivative is
/// times that vector's products with itself.
struct SiteTables {
  LargeArray<float> by_class, of_charges;

  SiteTables();
};

const SiteTables& site_tables();

/// Atoms farther than this from a point have no part in its features.
double site_features_reach_A();

/// Features of points around one solute. May be used by several threads.
class SiteFeatures {
 public:
  SiteFeatures(std::span<const SiteAtom> atoms, SimdLevel simd);

  /// Those of points that are near each other, where E and F are `energies_kT` and `basins_kT`: feature f of
  /// point p goes to features[f * points + p]. O(atoms near them * points).
  void of(std::span<const Vec3<double>> points_A, std::span<const float> energies_kT,
          std::span<const float> basins_kT, std::vector<float>* features) const;

 private:
  std::vector<SiteAtom> atoms_;
  std::vector<Vec3<double>> positions_A_;
  CellList cells_;
  const SiteKernels& kernels_;
};

}  // namespace ionwell
