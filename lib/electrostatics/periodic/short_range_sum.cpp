// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/short_range_sum.hpp"

#include <algorithm>
#include <cmath>

#include "electrostatics/periodic/chebyshev_fit.hpp"

namespace ionwell {
namespace {

std::vector<Vec3<double>> positions_A(std::span<const PointCharge> charges) {
  std::vector<Vec3<double>> positions(charges.size());
  for (std::size_t n = 0; n < charges.size(); ++n) positions[n] = charges[n].position_A;
  return positions;
}

constexpr double charges_together = 12, points_together = 6;

}  // namespace

double short_range_cell_A(const PeriodicCell& cell, double cutoff_A, std::size_t points, double together) {
  return std::clamp(std::cbrt(together * cell.volume_A3() / double(points + 1)), cutoff_A / 8, cutoff_A / 3);
}

ShortPolynomial short_polynomial(const EwaldSplit& split, double cutoff_A) {
  const bool of_square = split.kind == PairPotential::Kind::distance_dependent;
  constexpr double negligible = 3e-17;
  const auto without_power = [&](long double s) {
    const double r_A = cutoff_A * double(of_square ? std::sqrt((s + 1) / 2) : (s + 1) / 2);
    return split.short_range(r_A) * (of_square ? r_A * r_A : r_A);
  };
  const std::vector<double> coefficients =
      chebyshev_fit(ShortPolynomial::most_terms, negligible, without_power);
  ShortPolynomial p{
      .terms = int(coefficients.size()), .cutoff2_A2 = cutoff_A * cutoff_A, .of_square = of_square};
  std::copy(coefficients.begin(), coefficients.end(), p.coefficients);
  return p;
}

ShortRangeSum::ShortRangeSum(const PeriodicCell& cell, const EwaldSplit& split, double cutoff_A,
                             std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A)
    : split_(split),
      cutoff_A_(cutoff_A),
      polynomial_(short_polynomial(split, cutoff_A)),
      charges_(cell, positions_A(charges),
               short_range_cell_A(cell, cutoff_A, charges.size(), charges_together)),
      points_(cell, points_A, short_range_cell_A(cell, cutoff_A, points_A.size(), points_together)) {
  for (std::vector<double>* one : {&x_A_, &y_A_, &z_A_, &charge_e_}) one->resize(charges.size());
  for (std::size_t at = 0; at < charges.size(); ++at) {
    const Vec3<double>& image_A = charges_.images_A()[at];
    x_A_[at] = image_A.x;
    y_A_[at] = image_A.y;
    z_A_[at] = image_A.z;
    charge_e_[at] = charges[charges_.order()[at]].charge_e;
  }
}

/// What charges closer than the smallest distance lack: at that distance only the pair potential is cut off.
double ShortRangeSum::correction(const std::vector<ChargeRun>& runs, const Vec3<double>& point_A) const {
  double sum = 0.0;
  for (const ChargeRun& run : runs)
    for (std::size_t at = run.first; at < run.last; ++at) {
      const Vec3<double> shift_A{run.shift_A[0], run.shift_A[1], run.shift_A[2]};
      const double r2_A2 = distance_squared(charges_.images_A()[at] + shift_A, point_A);
      if (r2_A2 < smallest_distance_A * smallest_distance_A)
        sum += charge_e_[at] * (split_.smooth(smallest_distance_A) - split_.smooth(std::sqrt(r2_A2)));
    }
  return sum;
}

void ShortRangeSum::add(std::int64_t first_group, std::int64_t last_group, const PeriodicKernels& kernels,
                        std::span<double> values) const {
  const RunCharges charges{x_A_.data(), y_A_.data(), z_A_.data(), charge_e_.data()};
  const double reach_A = cutoff_A_ + points_.grid().radius_A();
  std::vector<ChargeRun> runs;
  for (std::int64_t group = first_group; group < last_group; ++group) {
    if (points_.begin(group) == points_.begin(group + 1)) continue;
    runs.clear();
    charges_.near_ranges(points_.grid().centre_A(group), reach_A,
                         [&](std::size_t first, std::size_t last, const Vec3<double>& shift_A) {
                           runs.push_back({first, last, {shift_A.x, shift_A.y, shift_A.z}});
                         });
    if (runs.empty()) continue;
    for (std::size_t at = points_.begin(group); at < points_.begin(group + 1); ++at) {
      const Vec3<double>& point_A = points_.images_A()[at];
      const double from_A[3] = {point_A.x, point_A.y, point_A.z};
      double closest_A2 = 0.0;
      double sum = kernels.short_sum(runs.data(), int(runs.size()), charges, from_A, polynomial_,
                                     smallest_distance_A, &closest_A2);
      if (closest_A2 < smallest_distance_A * smallest_distance_A) sum += correction(runs, point_A);
      values[points_.order()[at]] += sum;
    }
  }
}

}  // namespace ionwell
