// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/structure.hpp"
#include "placement/at_points/point_groups.hpp"

namespace ionwell {

/// What estimates are made for; stays where it is while they are used.
struct EstimatedPoints {
  const PointGroups& groups;  // of the points
  std::span<const Vec3<double>> positions_A;
  std::span<const double> potential_kT_e;   // before any charge is added
  std::span<const std::uint8_t> available;  // 0: no ion can go there
};

/// The potential at scattered points to within bounds, which leave few points for sums in double precision.
class PointEstimates {
 public:
  /// A point that may have the lowest energy.
  struct Candidate {
    double least_kT;  // its energy is not below this
    std::uint32_t point;
  };

  virtual ~PointEstimates() = default;

  /// From now on these charges act, too.
  virtual void add(std::span<const PointCharge> charges) = 0;

  /// From now on the point is not available.
  virtual void take_away(std::uint32_t point) = 0;

  /// All available points where charge_e times the potential may be within `tie_kT` of its lowest value, by
  /// least_kT, of equal ones the first point in front.
  virtual std::vector<Candidate> candidates(double charge_e, double tie_kT) = 0;

  /// How often a group of points was brought up to date so far; 0 where points are estimated one by one.
  virtual std::int64_t groups_updated() const { return 0; }

 protected:
  static void sort(std::vector<Candidate>& candidates);
};

using EstimatesMaker = std::function<std::unique_ptr<PointEstimates>(const EstimatedPoints&)>;

}  // namespace ionwell
