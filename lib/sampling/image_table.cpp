// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/image_table.hpp"

#include "electrostatics/periodic/periodic_pair.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {

ImageTable::ImageTable(const Box& box, const PairPotential& pair, int threads, SimdLevel simd)
    : edge_A_(box.highest_A - box.lowest_A), values_kT_e_(std::size_t(points * points * points)) {
  if (pair.prefactor == 0.0) return;
  const PeriodicCell cell(CellVectors{{edge_A_.x, 0, 0}, {0, edge_A_.y, 0}, {0, 0, edge_A_.z}});
  constexpr double tolerance = 1e-6;  // of single precision's 6e-8, and far less than interpolation leaves
  const PeriodicPair all(cell, pair, {.tolerance = tolerance, .threads = threads, .simd = simd});
  own_images_kT_e_ = all.of_own_images_kT_e();
  const double step = 0.5 / (points - 1);
  parallel_for({threads}, points * points, [&](std::int64_t row) {
    const std::int64_t j = row % points, k = row / points;
    for (std::int64_t i = 0; i < points; ++i) {
      const Vec3<double> d_A{edge_A_.x * step * double(i), edge_A_.y * step * double(j),
                             edge_A_.z * step * double(k)};
      const double r2_A2 = dot(d_A, d_A);
      values_kT_e_[std::size_t(i + points * row)] =
          float(r2_A2 > 0.0 ? all.at(d_A) - pair.at(r2_A2) : own_images_kT_e_);
    }
  });
}

}  // namespace ionwell
