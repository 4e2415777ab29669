// SPDX-License-Identifier: BSD-3-Clause
#include "core/periodic/images_near_box.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include "core/geometry/numbered.hpp"

namespace ionwell {

std::vector<PointImage> images_near_box(std::span<const Vec3<double>> points_A, const PeriodicCell& cell,
                                        const Box& box, double reach_A) {
  const PeriodicCell shortest(
      cell.reduced());  // fewer images are looked at and not wanted than by long vectors
  const Vec3<double> reach{reach_A, reach_A, reach_A};
  const Vec3<double> lowest_A = box.lowest_A - reach, highest_A = box.highest_A + reach;
  Box corners{shortest.fractional(lowest_A), shortest.fractional(lowest_A)};
  for (const double x : {lowest_A.x, highest_A.x})
    for (const double y : {lowest_A.y, highest_A.y})
      for (const double z : {lowest_A.z, highest_A.z})
        corners = extended(corners, shortest.fractional({x, y, z}));
  const auto is_inside = [&](const Vec3<double>& p) {
    return p.x >= lowest_A.x && p.x <= highest_A.x && p.y >= lowest_A.y && p.y <= highest_A.y &&
           p.z >= lowest_A.z && p.z <= highest_A.z;
  };
  const auto first = [](double lowest, double x) { return int(std::ceil(lowest - x)); };
  const auto last = [](double highest, double x) { return int(std::floor(highest - x)); };
  const auto& [a, b, c] = shortest.vectors();
  std::vector<PointImage> images;
  const std::size_t count = numbered(points_A.size());
  for (std::uint32_t n = 0; n < count; ++n) {
    const Vec3<double> f = shortest.fractional(points_A[n]);
    for (int k = first(corners.lowest_A.z, f.z); k <= last(corners.highest_A.z, f.z); ++k)
      for (int j = first(corners.lowest_A.y, f.y); j <= last(corners.highest_A.y, f.y); ++j)
        for (int i = first(corners.lowest_A.x, f.x); i <= last(corners.highest_A.x, f.x); ++i) {
          if (i == 0 && j == 0 && k == 0) continue;
          const Vec3<double> at_A = points_A[n] + double(i) * a + double(j) * b + double(k) * c;
          if (is_inside(at_A)) images.push_back({n, at_A});
        }
  }
  return images;
}

}  // namespace ionwell
