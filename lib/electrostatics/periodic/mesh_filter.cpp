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

void MeshFilter::row(double* factors, int h_y, int h_z) const {
  const double of_row =
      along_y_[std::size_t(std::abs(h_y))] * along_z_[std::size_t(std::abs(h_z))] / volume_A3_;
  const Vec3<double> yz = double(h_y) * waves_per_A_.b + double(h_z) * waves_per_A_.c;
  for (std::size_t x = 0; x < along_x_.size(); ++x) {
    const Vec3<double> k = double(x) * waves_per_A_.a + yz;
    factors[x] = of_row * along_x_[x] * split_.transform(dot(k, k));
  }
}

}  // namespace ionwell
