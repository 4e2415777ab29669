// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/structure.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

/// A sum over charges for places that are far from most of them: groups of charges act by their charge,
/// dipole and quadrupole where they are far enough away (Barnes and Hut, Nature 324:446, 1986). A group's
/// part is off by 0.6 % of what the sizes of its charges would give at most, that of some hundred charges by
/// some 0.1 %; exact where all groups are near.
class DistantCharges {
 public:
  /// O(charges log charges).
  DistantCharges(const PairPotential& pair, std::span<const PointCharge> charges);

  /// The potential [kT/e] at a position. Some hundreds of terms.
  double potential_kT_e(const Vec3<double>& position_A) const;

 private:
  /// A group, its moments around its middle, and the groups in it.
  struct Group {
    Vec3<double> middle_A;
    double radius_A = 0.0;
    double charge_e = 0.0;
    Vec3<double> dipole_eA;
    Vec3<double> quadrupole_x_eA2, quadrupole_y_eA2, quadrupole_z_eA2;  // rows of the sum of q d d
    std::size_t first = 0, last = 0;                                    // of the charges
    int first_part = -1, parts = 0;                                     // of the groups
  };

  void divide(int group);
  double moments_kT_e(const Group& group, const Vec3<double>& away_A, double distance2_A2) const;

  PairPotential pair_;
  std::vector<PointCharge> charges_;
  std::vector<Group> groups_;
};

}  // namespace ionwell
