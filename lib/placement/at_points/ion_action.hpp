// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/structure.hpp"
#include "placement/at_points/point_groups.hpp"

namespace ionwell {

/// A group of scattered points and the potential there; places without a point may get anything.
struct GroupValues {
  const PointGroups& groups;
  std::size_t number;
  std::span<const Vec3<double>> positions_A;  // of all points
  double* values_kT_e;                        // of the group's places
};

/// A potential over a ball: value + slope . u at u from the centre, to within `rest` [kT/e].
struct LinearPotential {
  double value_kT_e = 0.0;
  Vec3<double> slope_kT_e_A{};
  double rest_kT_e = 0.0;  // may be infinite
};

/// How a unit charge acts at a distance, with all its images where space repeats [kT/e]. Safe to use from
/// several threads.
class IonAction {
 public:
  virtual ~IonAction() = default;

  /// The potential at `difference_A` from it, in double precision.
  virtual double at(const Vec3<double>& difference_A) const = 0;

  /// The shortest of a difference's images: the difference itself where space does not repeat.
  virtual Vec3<double> shortest(const Vec3<double>& difference_A) const = 0;

  /// A difference that is shorter is the shortest of its images.
  virtual double unique_A() const { return 0.0; }

  /// Whether all images of a difference are seen at once to be longer.
  virtual bool is_surely_longer(const Vec3<double>&, double) const { return false; }

  /// Adds charges to the potential at a group's points, and returns by how much that may be off [kT/e]:
  /// little, for so many points at once are summed with fewer digits.
  virtual double add(std::span<const PointCharge> charges, const GroupValues& group) const = 0;

  /// What `add` adds, with its error, for a unit charge at `from_A` from the centre of a ball with a radius
  /// of at most largest_group_radius_A.
  virtual LinearPotential linear(const Vec3<double>& from_A, double radius_A) const = 0;

  /// The potential of charges at points, in double precision: the same for any number of threads.
  virtual std::vector<double> sum(std::span<const PointCharge> charges,
                                  std::span<const Vec3<double>> points_A, int threads) const = 0;
};

}  // namespace ionwell
