// SPDX-License-Identifier: BSD-3-Clause
#include "core/geometry/standard_cell.hpp"

#include <algorithm>
#include <cmath>

#include "core/geometry/cross_product.hpp"

namespace ionwell {
namespace {

Vec3<double> direction_of(const Vec3<double>& v) {
  return (1.0 / std::sqrt(dot(v, v))) * v;
}

bool is_standard(const CellVectors& vectors) {
  constexpr double rounding = 1e-6;  // of the digits that files have
  const auto& [a, b, c] = vectors;
  const double limit_A = rounding * std::max({a.x, b.y, c.z});
  return a.x > 0.0 && b.y > 0.0 && c.z > 0.0 && std::abs(a.y) <= limit_A && std::abs(a.z) <= limit_A &&
         std::abs(b.z) <= limit_A;
}

/// Right angles that only the digits of a file's vectors have changed.
double restored_deg(double angle_deg) {
  constexpr double right_deg = 90.0, digits_deg = 1e-5;
  return std::abs(angle_deg - right_deg) < digits_deg ? right_deg : angle_deg;
}

/// The vectors of a left-handed cell span the same lattice with other signs, where they are right-handed.
Rotation rotation_of(const CellVectors& vectors) {
  const auto& [a, b, c] = vectors;
  const Vec3<double> normal = cross(a, b);
  const Vec3<double> x = direction_of(dot(normal, c) < 0.0 ? -1.0 * a : a), z = direction_of(normal);
  return {x, cross(z, x), z};
}

}  // namespace

StandardCell::StandardCell(const UnitCell& cell) : cell_(cell) {
  if (is_standard(cell)) return;
  is_rotated_ = true;
  rotation_ = rotation_of(cell);
  const auto [alpha, beta, gamma] = angles_deg(cell);
  cell_ =
      unit_cell({lengths_A(cell), {restored_deg(alpha), restored_deg(beta), restored_deg(gamma)}}, cell.kind);
}

std::optional<UnitCell> if_standard(const std::optional<UnitCell>& cell) {
  return cell && StandardCell(*cell).is_rotated() ? std::nullopt : cell;
}

}  // namespace ionwell
