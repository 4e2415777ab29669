// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/images_near_cell.hpp"

#include <cmath>

#include "core/geometry/numbered.hpp"

namespace ionwell {

ImagesNearCell images_near_cell(std::span<const Vec3<double>> points_A, const PeriodicCell& cell,
                                double reach_A) {
  const Vec3<double> widths = cell.widths_A();
  const Vec3<double> reach{reach_A / widths.x, reach_A / widths.y, reach_A / widths.z};
  ImagesNearCell images;
  const auto add = [&](const Vec3<double>& fractional, std::uint32_t point, const Vec3<int>& shift) {
    images.positions_A.push_back(cell.cartesian_A(fractional));
    images.point.push_back(point);
    images.shift.push_back(shift);
  };
  std::vector<Vec3<double>> wrapped;
  const std::size_t count = numbered(points_A.size());
  for (std::uint32_t n = 0; n < count; ++n) {
    const Vec3<double> f = cell.fractional(points_A[n]);
    const Vec3<int> home{-int(std::floor(f.x)), -int(std::floor(f.y)), -int(std::floor(f.z))};
    wrapped.push_back(f + Vec3<double>{double(home.x), double(home.y), double(home.z)});
    add(wrapped.back(), n, home);
  }
  // Steps that bring a coordinate of 0 to 1 within reach of it.
  const auto first = [](double x, double beyond) { return int(std::ceil(-beyond - x)); };
  const auto last = [](double x, double beyond) { return int(std::floor(1 + beyond - x)); };
  for (std::uint32_t n = 0; n < count; ++n) {
    const Vec3<double> f = wrapped[n];
    for (int k = first(f.z, reach.z); k <= last(f.z, reach.z); ++k)
      for (int j = first(f.y, reach.y); j <= last(f.y, reach.y); ++j)
        for (int i = first(f.x, reach.x); i <= last(f.x, reach.x); ++i)
          if (i != 0 || j != 0 || k != 0)
            add(f + Vec3<double>{double(i), double(j), double(k)}, n, images.shift[n] + Vec3<int>{i, j, k});
  }
  return images;
}

}  // namespace ionwell
