// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "meshes/point_set.hpp"

namespace ionwell {

/// Points of low potential that lie together: on a surface those that edges connect and that belong to the
/// lowest tenth of its area; of points alone the lowest one of those within 5 A.
struct LowPatch {
  std::size_t lowest_point = 0;
  double lowest_kT_e = 0.0, mean_kT_e = 0.0;
  double area_A2 = 0.0;      // 0 for points alone
  Vec3<double> centre_A;     // mean position
  std::string nearest_atom;  // to the lowest point
};

struct HistogramBin {
  double from_kT_e, to_kT_e;
  double share;  // of the area, or of the points
};

/// What a summary says of the values; NaN do not count. With areas, means and shares are by area.
struct PointStatistics {
  std::int64_t valued = 0;  // points that have a value
  double lowest_kT_e = 0.0, highest_kT_e = 0.0, mean_kT_e = 0.0, deviation_kT_e = 0.0;
  double area_A2 = 0.0;                 // 0 for points alone
  double typical_kT_e = 0.0;            // 95 % of the values are no larger, whatever the sign: for colours
  std::vector<HistogramBin> histogram;  // between the 1st and the 99th percentile, the rest in its ends
  std::vector<LowPatch> patches;        // the most negative first: by mean times area, or by value
};

/// `areas_A2` is empty for points alone. O(points log points).
PointStatistics point_statistics(const PointSet& points, std::span<const double> potential_kT_e,
                                 std::span<const double> areas_A2, std::span<const Atom> atoms);

}  // namespace ionwell
