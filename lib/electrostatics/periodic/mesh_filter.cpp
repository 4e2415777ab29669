// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/mesh_filter.hpp"

#include <cmath>

namespace ionwell {

MeshFilter::MeshFilter(const PeriodicCell& cell, const EwaldSplit& split, const Vec3<int>& points,
                       const KaiserBessel& window, Use use)
    : split_(split), volume_A3_(cell.volume_A3()) {
  const CellVectors& g = cell.reciprocal();
  constexpr double turn = 2 * EwaldSplit::pi;
  waves_per_A_ = {turn * g.a, turn * g.b, turn * g.c};
  const auto inverses = [&](int count) {
    std::vector<double> factors(static_cast<std::size_t>(count / 2 + 1));
    for (int h = 0; h <= count / 2; ++h) {
      const double transform = window.transform(turn * h / count);
      factors[std::size_t(h)] = 1 / (use == Use::interpolated ? transform : transform * transform);
    }
    factors.back() = 0.0;
    return factors;
  };
  along_x_ = inverses(points.x);
  along_y_ = inverses(points.y);
  along_z_ = inverses(points.z);
}

void MeshFilter::row(double* to, int h_y, int h_z) const {
  const MeshFactors all = factors();
  for (std::size_t x = 0; x < along_x_.size(); ++x) to[x] = all.at(int(x), h_y, h_z);
}

}  // namespace ionwell
