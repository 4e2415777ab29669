#include "electrostatics/periodic/hessian_bound.hpp"

#include <algorithm>
#include <cmath>

#include "electrostatics/periodic/ewald_split.hpp"

namespace ionwell {
namespace {

constexpr double root_pi = EwaldSplit::root_pi;

/// Of the short-range part at distances from `r_A` up; with x = alpha r and v = t r, integrals over v from x.
/// Screening takes away from each Gaussian, so that coulomb's bound is debye_hueckel's.
double short_range_bound(const EwaldSplit& split, double r_A) {
  const double x = split.alpha_per_A * r_A, x2 = x * x, e = std::exp(-x2);
  if (split.kind == PairPotential::Kind::distance_dependent)
    return (4 * e * (x2 * x2 + 2 * x2 + 2) + 2 * e * (x2 + 1)) / (r_A * r_A * r_A * r_A);
  const double fourth_power = e * (x2 * x / 2 + 3 * x / 4) + 3 * root_pi / 8 * std::erfc(x),
               second_power = e * x / 2 + root_pi / 4 * std::erfc(x);
  return 2 / root_pi * (4 * fourth_power + 2 * second_power) / (r_A * r_A * r_A);
}

/// Of the smooth part anywhere: (max over r of the Gaussian's is 2 t^2, at r = 0).
double smooth_bound(const EwaldSplit& split) {
  const double alpha = split.alpha_per_A;
  if (split.kind == PairPotential::Kind::distance_dependent) return std::pow(alpha, 4);
  return 4 * alpha * alpha * alpha / (3 * root_pi);
}

/// Of the smooth part of all images: of the sum over waves of transform k k^T / volume, a positive matrix,
/// the largest sum of a row.
double wave_bound(const EwaldSplit& split, const PeriodicCell& reduced) {
  const double highest_per_A = 10 * split.alpha_per_A;  // exp(-10^2 / 4) is 1e-11
  const auto& [a, b, c] = reduced.vectors();
  const auto count = [&](const Vec3<double>& edge) {
    return int(highest_per_A * std::sqrt(dot(edge, edge)) / (2 * EwaldSplit::pi)) + 1;
  };
  double xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;
  for (int n = -count(c); n <= count(c); ++n)
    for (int m = -count(b); m <= count(b); ++m)
      for (int l = 0; l <= count(a); ++l) {  // half of all waves, the others being the same
        const Vec3<double> k = 2 * EwaldSplit::pi *
                               (double(l) * reduced.reciprocal().a + double(m) * reduced.reciprocal().b +
                                double(n) * reduced.reciprocal().c);
        const double weight = (l == 0 ? 1.0 : 2.0) * split.transform(dot(k, k)) / reduced.volume_A3();
        xx += weight * k.x * k.x;
        yy += weight * k.y * k.y;
        zz += weight * k.z * k.z;
        xy += weight * k.x * k.y;
        yz += weight * k.y * k.z;
        zx += weight * k.z * k.x;
      }
  return std::max(
      {xx + std::abs(xy) + std::abs(zx), yy + std::abs(xy) + std::abs(yz), zz + std::abs(yz) + std::abs(zx)});
}

/// Of the short-range parts of all images but the one that is nearest.
double image_bound(const EwaldSplit& split, const PeriodicCell& reduced, double beyond_A) {
  const auto& [a, b, c] = reduced.vectors();
  const auto length = [](const Vec3<double>& v) { return std::sqrt(dot(v, v)); };
  // No place is farther from the nearest image than this: half of three orthogonal vectors' sum at most.
  const double farthest_A = 0.5 * std::sqrt(dot(a, a) + dot(b, b) + dot(c, c));
  const double range_A = 6.5 / split.alpha_per_A, reach_A = range_A + farthest_A + beyond_A;
  const Vec3<double> widths_A = reduced.widths_A();
  const auto count = [&](double width_A) { return int(reach_A / width_A) + 1; };
  double sum = 0.0;
  for (int n = -count(widths_A.z); n <= count(widths_A.z); ++n)
    for (int m = -count(widths_A.y); m <= count(widths_A.y); ++m)
      for (int l = -count(widths_A.x); l <= count(widths_A.x); ++l) {
        if (l == 0 && m == 0 && n == 0) continue;
        const double from_A = length(reduced.cartesian_A({double(l), double(m), double(n)}));
        const double nearest_A = std::max(from_A / 2, from_A - farthest_A) - beyond_A;
        if (nearest_A < range_A) sum += short_range_bound(split, std::max(nearest_A, 1e-3));
      }
  return sum;
}

}  // namespace

double hessian_bound(const PeriodicCell& cell, const PairPotential& pair, double beyond_A) {
  const PeriodicCell reduced(cell.reduced());
  double least = 1e300;
  for (const double product : {1.0, 1.4, 1.75, 2.2}) {
    const EwaldSplit split = EwaldSplit::of(pair, product / cell.inscribed_radius_A());
    least = std::min(
        least, image_bound(split, reduced, beyond_A) + smooth_bound(split) + wave_bound(split, reduced));
  }
  constexpr double left_out = 1e-9;  // waves and images beyond those that were counted
  return least * (1 + left_out);
}

}  // namespace ionwell
