// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/plain_ewald.hpp"
#include "core/geometry/cross_product.hpp"

#include <algorithm>
#include <cmath>

namespace ionwell {
namespace {

constexpr double pi = 3.14159265358979323846;
using Kind = PairPotential::Kind;

double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

double short_part(const PairPotential& pair, double r, double alpha) {
  if (pair.kind == Kind::distance_dependent) return std::exp(-alpha * alpha * r * r) / (r * r);
  const double kappa = pair.kind == Kind::debye_hueckel ? pair.kappa_per_A : 0.0, b = kappa / (2 * alpha);
  return 0.5 / r *
         (std::erfc(alpha * r + b) * std::exp(kappa * r) + std::erfc(alpha * r - b) * std::exp(-kappa * r));
}

double wave_part(const PairPotential& pair, double k, double alpha) {
  if (pair.kind == Kind::distance_dependent) return 2 * pi * pi / k * std::erfc(k / (2 * alpha));
  const double kappa = pair.kind == Kind::debye_hueckel ? pair.kappa_per_A : 0.0;
  const double k2 = k * k + kappa * kappa;
  return 4 * pi / k2 * std::exp(-k2 / (4 * alpha * alpha));
}

/// A cell's reciprocal vectors, without 2 pi, and its volume.
struct Reciprocal {
  Vec3<double> a, b, c;
  double volume;

  explicit Reciprocal(const CellVectors& cell) {
    const double signed_volume = dot(cell.a, cross(cell.b, cell.c));
    a = 1 / signed_volume * cross(cell.b, cell.c);
    b = 1 / signed_volume * cross(cell.c, cell.a);
    c = 1 / signed_volume * cross(cell.a, cell.b);
    volume = std::abs(signed_volume);
  }
};

double wave_sum_of(const CellVectors& cell, const PairPotential& pair, const Vec3<double>& d, double alpha,
                   double reach) {
  const auto& [ga, gb, gc, volume] = Reciprocal(cell);
  const double highest = 2 * reach * alpha;
  const auto waves = [&](const Vec3<double>& v) { return int(std::floor(highest * length(v) / (2 * pi))); };
  double wave_sum = 0.0;
  for (int l = -waves(cell.a); l <= waves(cell.a); ++l)
    for (int m = -waves(cell.b); m <= waves(cell.b); ++m)
      for (int n = -waves(cell.c); n <= waves(cell.c); ++n) {
        const Vec3<double> k = 2 * pi * (double(l) * ga + double(m) * gb + double(n) * gc);
        const double size = length(k);
        if (size > highest) continue;
        if (l == 0 && m == 0 && n == 0) {
          if (pair.kind == Kind::debye_hueckel) wave_sum += wave_part(pair, 0.0, alpha);
          continue;
        }
        wave_sum += wave_part(pair, size, alpha) * std::cos(dot(k, d));
      }
  return wave_sum;
}

/// Of one unit charge, with prefactor 1: at a difference, or (`own`) at 0 what its images alone do.
double unit_potential(const CellVectors& cell, const PairPotential& pair, Vec3<double> d, double alpha,
                      double reach, bool own) {
  const auto& [ga, gb, gc, volume] = Reciprocal(cell);
  const double range = reach / alpha;
  const Vec3<double> f{dot(ga, d), dot(gb, d), dot(gc, d)};
  double sum = 0.0;
  const auto images = [&](double x, const Vec3<double>& g, int sign) {
    return int(sign > 0 ? std::ceil(range * length(g) + x) : std::floor(x - range * length(g)));
  };
  for (int l = images(f.x, ga, -1); l <= images(f.x, ga, 1); ++l)
    for (int m = images(f.y, gb, -1); m <= images(f.y, gb, 1); ++m)
      for (int n = images(f.z, gc, -1); n <= images(f.z, gc, 1); ++n) {
        const Vec3<double> image = d - double(l) * cell.a - double(m) * cell.b - double(n) * cell.c;
        const double r = length(image);
        if (own && l == 0 && m == 0 && n == 0) continue;
        if (r > range) continue;
        // Below the smallest distance the pair potential is cut off, and all else goes on.
        const double least = smallest_distance_A;
        sum += short_part(pair, std::max(r, least), alpha);
        if (r < least) {
          const auto smooth_slope = [&](double s) {  // what the smooth part loses from 0 to s
            if (pair.kind == Kind::distance_dependent) return std::pow(alpha, 4) * s * s / 2;
            const double kappa = pair.kind == Kind::debye_hueckel ? pair.kappa_per_A : 0.0;
            const double b = kappa / (2 * alpha), e1 = 2 * alpha / std::sqrt(pi) * std::exp(-b * b);
            return -((kappa * kappa - 2 * alpha * alpha) * e1 - kappa * kappa * kappa * std::erfc(b)) * s *
                   s / 6;
          };
          sum += smooth_slope(r) - smooth_slope(least);
        }
      }
  sum += wave_sum_of(cell, pair, d, alpha, reach) / volume;
  if (pair.kind == Kind::coulomb) sum -= pi / (alpha * alpha * volume);
  if (pair.kind == Kind::distance_dependent) sum -= 2 * std::pow(pi, 1.5) / (alpha * volume);
  if (!own) return sum;
  // The limit of f(r) less the short part.
  if (pair.kind == Kind::coulomb) return sum - 2 * alpha / std::sqrt(pi);
  if (pair.kind == Kind::distance_dependent) return sum - alpha * alpha;
  const double b = pair.kappa_per_A / (2 * alpha);
  return sum - (2 * alpha / std::sqrt(pi) * std::exp(-b * b) - pair.kappa_per_A * std::erfc(b));
}

}  // namespace

double plain_ewald(const CellVectors& cell, const PairPotential& pair, std::span<const PointCharge> charges,
                   const Vec3<double>& point_A, double alpha_per_A, double reach) {
  double sum = 0.0;
  for (const PointCharge& q : charges)
    sum += q.charge_e * unit_potential(cell, pair, point_A - q.position_A, alpha_per_A, reach, false);
  return pair.prefactor * sum;
}

double plain_smooth_ewald(const CellVectors& cell, const PairPotential& pair,
                          std::span<const PointCharge> charges, const Vec3<double>& point_A,
                          double alpha_per_A) {
  constexpr double reach = 6.5;
  double sum = 0.0;
  for (const PointCharge& q : charges)
    sum += q.charge_e * wave_sum_of(cell, pair, point_A - q.position_A, alpha_per_A, reach);
  return pair.prefactor * sum / Reciprocal(cell).volume;
}

double plain_own_images(const CellVectors& cell, const PairPotential& pair, double alpha_per_A) {
  return pair.prefactor * unit_potential(cell, pair, {}, alpha_per_A, 6.5, true);
}

std::vector<NamedCell> cells_of_all_shapes() {
  return {{"cube", cell_vectors({{20, 20, 20}, {90, 90, 90}})},
          {"tiny cube", cell_vectors({{3, 3, 3}, {90, 90, 90}})},
          {"rectangular", cell_vectors({{10, 25, 40}, {90, 90, 90}})},
          {"hexagonal prism", cell_vectors({{20, 20, 30}, {90, 90, 60}})},
          {"rhombic dodecahedron", cell_vectors({{30, 30, 30}, {60, 60, 90}})},
          {"truncated octahedron", cell_vectors({{30, 30, 30}, {70.528779, 109.471221, 70.528779}})},
          {"triclinic", cell_vectors({{11, 17, 23}, {81, 67, 103}})},
          {"a vector beyond the others", {{10, 0, 0}, {27, 12, 0}, {-33, 41, 9}}},
          {"left-handed", {{0, 9, 0}, {11, 0, 0}, {0, 0, 13}}},
          {"long", cell_vectors({{10, 10, 300}, {90, 90, 90}})}};
}

}  // namespace ionwell
