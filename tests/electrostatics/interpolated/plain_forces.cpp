// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/interpolated/plain_forces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ionwell::test {
namespace {

/// The matrix whose product with a spline's n + 2 coefficients is its n values, with two rows for the ends.
/// Solved for one right-hand side by Gaussian elimination.
std::vector<double> spline_coefficients(const std::vector<double>& values) {
  const std::size_t n = values.size(), size = n + 2;
  if (n == 1) return std::vector<double>(4, values[0]);
  std::vector<std::vector<double>> rows(size, std::vector<double>(size + 1, 0.0));
  for (std::size_t i = 0; i < n; ++i) {
    rows[i][i] = rows[i][i + 2] = 1.0 / 6.0;
    rows[i][i + 1] = 4.0 / 6.0;
    rows[i][size] = values[i];
  }
  // The fourth difference is 0 at both ends: the third derivative does not jump. Of three points the third
  // one is, and of two the second.
  const auto difference = [&](std::vector<double>& row, std::size_t first) {
    const std::vector<double> weights = n == 2   ? std::vector<double>{1, -2, 1}
                                        : n == 3 ? std::vector<double>{1, -3, 3, -1}
                                                 : std::vector<double>{1, -4, 6, -4, 1};
    for (std::size_t w = 0; w < weights.size(); ++w) row[first + w] = weights[w];
  };
  difference(rows[n], 0);
  difference(rows[n + 1], n == 2 || n == 3 ? 1 : size - 5);
  for (std::size_t c = 0; c < size; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < size; ++r)
      if (std::abs(rows[r][c]) > std::abs(rows[pivot][c])) pivot = r;
    std::swap(rows[c], rows[pivot]);
    for (std::size_t r = 0; r < size; ++r) {
      if (r == c) continue;
      const double factor = rows[r][c] / rows[c][c];
      for (std::size_t k = c; k <= size; ++k) rows[r][k] -= factor * rows[c][k];
    }
  }
  std::vector<double> coefficients(size);
  for (std::size_t c = 0; c < size; ++c) coefficients[c] = rows[c][size] / rows[c][c];
  return coefficients;
}

/// Coefficients in place of values along one axis of nx x ny x nz numbers.
std::vector<double> along_axis(const std::vector<double>& from, Vec3<std::int64_t>* counts, int axis) {
  const std::int64_t n[3] = {counts->x, counts->y, counts->z};
  std::int64_t m[3] = {n[0], n[1], n[2]};
  m[axis] = std::max<std::int64_t>(n[axis], 2) + 2;
  std::vector<double> to(std::size_t(m[0] * m[1] * m[2]));
  const int other = (axis + 1) % 3, third = (axis + 2) % 3;
  std::int64_t at[3];
  for (at[other] = 0; at[other] < n[other]; ++at[other])
    for (at[third] = 0; at[third] < n[third]; ++at[third]) {
      std::vector<double> line;
      for (at[axis] = 0; at[axis] < n[axis]; ++at[axis])
        line.push_back(from[std::size_t(at[0] + n[0] * (at[1] + n[1] * at[2]))]);
      const std::vector<double> coefficients = spline_coefficients(line);
      for (at[axis] = 0; at[axis] < m[axis]; ++at[axis])
        to[std::size_t(at[0] + m[0] * (at[1] + m[1] * at[2]))] = coefficients[std::size_t(at[axis])];
    }
  *counts = {m[0], m[1], m[2]};
  return to;
}

/// The cubic B-spline around 0, and its derivative.
double spline(double x) {
  const double a = std::abs(x);
  if (a < 1) return 2.0 / 3 - a * a + a * a * a / 2;
  return a < 2 ? (2 - a) * (2 - a) * (2 - a) / 6 : 0.0;
}
double spline_slope(double x) {
  const double a = std::abs(x), sign = x < 0 ? -1 : 1;
  if (a < 1) return sign * (-2 * a + 1.5 * a * a);
  return a < 2 ? -sign * (2 - a) * (2 - a) / 2 : 0.0;
}

/// The piecewise linear function of one node.
double hat(double x) {
  return std::max(0.0, 1 - std::abs(x));
}

}  // namespace

PlainInterpolation::PlainInterpolation(const LatticeGeometry& lattice, const std::vector<double>& values,
                                       ForceInterpolation interpolation)
    : lattice_(lattice), interpolation_(interpolation), counts_(lattice.counts), nodes_(values) {
  if (interpolation == ForceInterpolation::trilinear) return;
  for (int axis = 0; axis < 3; ++axis) nodes_ = along_axis(nodes_, &counts_, axis);
}

ValueAndGradient PlainInterpolation::at(const Vec3<double>& position_A) const {
  const bool is_spline = interpolation_ == ForceInterpolation::cubic_spline;
  const double u[3] = {(position_A.x - lattice_.origin_A.x) / lattice_.spacing_A.x,
                       (position_A.y - lattice_.origin_A.y) / lattice_.spacing_A.y,
                       (position_A.z - lattice_.origin_A.z) / lattice_.spacing_A.z};
  const std::int64_t n[3] = {counts_.x, counts_.y, counts_.z};
  const std::int64_t points[3] = {lattice_.counts.x, lattice_.counts.y, lattice_.counts.z};
  std::vector<double> weight[3], slope[3];
  for (int a = 0; a < 3; ++a) {
    const double cell = std::min(std::floor(u[a]), double(std::max<std::int64_t>(points[a] - 2, 0)));
    for (std::int64_t i = 0; i < n[a]; ++i) {
      const double x = u[a] - double(is_spline ? i - 1 : i);
      weight[a].push_back(is_spline ? spline(x) : hat(x));
      const double linear = points[a] == 1 ? 0.0 : double(double(i) == cell + 1) - double(double(i) == cell);
      slope[a].push_back(is_spline ? spline_slope(x) : linear);
    }
  }
  ValueAndGradient sum;
  for (std::int64_t k = 0; k < n[2]; ++k)
    for (std::int64_t j = 0; j < n[1]; ++j)
      for (std::int64_t i = 0; i < n[0]; ++i) {
        const auto a = std::size_t(i), b = std::size_t(j), c = std::size_t(k);
        const double node = nodes_[std::size_t(i + n[0] * (j + n[1] * k))];
        sum.value += node * weight[0][a] * weight[1][b] * weight[2][c];
        sum.gradient.x += node * slope[0][a] * weight[1][b] * weight[2][c] / lattice_.spacing_A.x;
        sum.gradient.y += node * weight[0][a] * slope[1][b] * weight[2][c] / lattice_.spacing_A.y;
        sum.gradient.z += node * weight[0][a] * weight[1][b] * slope[2][c] / lattice_.spacing_A.z;
      }
  return sum;
}

std::vector<PointCharge> charges_in_cells(const LatticeGeometry& lattice, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> within(1e-4, 1 - 1e-4), charge_e(-2.0, 2.0);
  const auto along = [&](double origin_A, double spacing_A, std::int64_t points) {
    if (points == 1) return origin_A;
    std::uniform_int_distribution<std::int64_t> cell(0, points - 2);
    const double part = within(random);
    return origin_A + spacing_A * (double(cell(random)) + part);
  };
  std::vector<PointCharge> charges(count);
  const Vec3<double>&origin = lattice.origin_A, &spacing = lattice.spacing_A;
  const Vec3<std::int64_t>& n = lattice.counts;
  for (PointCharge& q : charges) {
    q.position_A.x = along(origin.x, spacing.x, n.x);
    q.position_A.y = along(origin.y, spacing.y, n.y);
    q.position_A.z = along(origin.z, spacing.z, n.z);
    q.charge_e = charge_e(random);
  }
  return charges;
}

std::vector<double> random_potential(const LatticeGeometry& lattice, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1.0, 1.0);
  std::vector<double> values(std::size_t(lattice.size()));
  for (double& v : values) v = value(random);
  return values;
}

std::vector<ChargeForce> forces_of(const InterpolatedForces& forces, const std::vector<PointCharge>& charges,
                                   std::int64_t outside) {
  std::vector<ChargeForce> to(charges.size());
  CHECK(forces.on_charges(charges, to) == outside);
  return to;
}

Rotation rotation_by(const Turn& turn) {
  const auto& [x, y, z] = (1 / std::sqrt(dot(turn.axis, turn.axis))) * turn.axis;
  const double c = std::cos(turn.radians), s = std::sin(turn.radians), d = 1 - c;
  return {{c + d * x * x, d * x * y - s * z, d * x * z + s * y},
          {d * y * x + s * z, c + d * y * y, d * y * z - s * x},
          {d * z * x - s * y, d * z * y + s * x, c + d * z * z}};
}

}  // namespace ionwell::test
