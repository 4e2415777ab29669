// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/amber_cell.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ionwell {
namespace {

double cosine(double angle_deg) {
  return std::cos(angle_deg * std::numbers::pi / 180.0);
}

/// Equal lengths, and angles of 109.47 degrees once some of the vectors are turned around: an odd number of
/// the angles is obtuse, and all are as far from 90 degrees.
bool is_truncated_octahedron(const UnitCell& cell) {
  constexpr double tolerance = 1e-3;  // of files with three decimals of a length, and two of an angle
  const Vec3<double> lengths = lengths_A(cell), angles = angles_deg(cell);
  const double third = 1.0 / 3.0, shortest = std::min({lengths.x, lengths.y, lengths.z}),
               longest = std::max({lengths.x, lengths.y, lengths.z});
  double product = 1.0;
  for (const double angle_deg : {angles.x, angles.y, angles.z}) {
    if (std::abs(std::abs(cosine(angle_deg)) - third) > tolerance) return false;
    product *= cosine(angle_deg);
  }
  return product < 0.0 && longest - shortest < tolerance * longest;
}

/// The vectors with such signs that they make a right-handed system of obtuse angles.
CellVectors obtuse(const CellVectors& v) {
  const double of_b = dot(v.a, v.b) < 0.0 ? 1.0 : -1.0, of_c = dot(v.a, v.c) < 0.0 ? 1.0 : -1.0;
  const double handed = of_b * of_c;  // of a, b and c with these signs
  return {handed * v.a, handed * of_b * v.b, handed * of_c * v.c};
}

}  // namespace

AmberCell::AmberCell(const UnitCell& cell)
    : cell_(cell), from_(cell), is_turned_(is_truncated_octahedron(cell)) {
  if (!is_turned_) return;
  from_ = PeriodicCell(obtuse(from_.vectors()));
  cell_ = unit_cell({lengths_A(cell), {amber_octahedron_deg, amber_octahedron_deg, amber_octahedron_deg}},
                    cell.kind);
}

bool AmberCell::is_rectangular() const {
  return angles_deg(cell_) == Vec3<double>{90.0, 90.0, 90.0};
}

Vec3<double> AmberCell::turned(const Vec3<double>& position_A) const {
  if (!is_turned_) return position_A;
  const Vec3<double> f = from_.fractional(position_A);
  return f.x * cell_.a + f.y * cell_.b + f.z * cell_.c;
}

}  // namespace ionwell
