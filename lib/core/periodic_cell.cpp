// SPDX-License-Identifier: BSD-3-Clause
#include "core/periodic_cell.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/geometry/cross_product.hpp"

namespace ionwell {
namespace {

double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

CellVectors reciprocal_of(const CellVectors& vectors) {
  const auto& [a, b, c] = vectors;
  const double scale = 1.0 / dot(a, cross(b, c));
  return {scale * cross(b, c), scale * cross(c, a), scale * cross(a, b)};
}

/// Shortens each vector by the others until none of their sums and differences is shorter than it: in three
/// dimensions that is all of Minkowski's conditions.
CellVectors minkowski_reduced(const CellVectors& vectors) {
  std::array<Vec3<double>, 3> v{vectors.a, vectors.b, vectors.c};
  constexpr double rounding = 1e-12;
  for (bool changed = true; changed;) {
    changed = false;
    for (int at = 0; at < 3; ++at) {
      const Vec3<double>&u = v[(at + 1) % 3], &w = v[(at + 2) % 3];
      // Whole steps first, so that cells of any skew take few rounds.
      for (const Vec3<double>& other : {u, w})
        v[at] = v[at] - std::rint(dot(v[at], other) / dot(other, other)) * other;
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j) {
          const Vec3<double> sum = v[at] + double(i) * u + double(j) * w;
          if (dot(sum, sum) < dot(v[at], v[at]) * (1 - rounding)) {
            v[at] = sum;
            changed = true;
          }
        }
    }
  }
  return {v[0], v[1], v[2]};
}

}  // namespace

PeriodicCell::PeriodicCell(const CellVectors& vectors) : vectors_(vectors) {
  const auto& [a, b, c] = vectors;
  if (!has_volume(vectors)) {
    const Vec3<double> lengths = lengths_A(vectors), angles = angles_deg(vectors);
    fail("a cell of ", lengths.x, " x ", lengths.y, " x ", lengths.z, " A with angles of ", angles.x, ", ",
         angles.y, " and ", angles.z, " degrees has no volume; correct it in the file");
  }
  volume_A3_ = std::abs(dot(a, cross(b, c)));
  reciprocal_ = reciprocal_of(vectors_);
  reduced_ = minkowski_reduced(vectors_);
  reduced_reciprocal_ = reciprocal_of(reduced_);
  // A reduced cell has the lattice's shortest vector.
  inscribed_radius_A_ = std::min({length(reduced_.a), length(reduced_.b), length(reduced_.c)}) / 2;
}

Vec3<double> PeriodicCell::widths_A() const {
  return {1 / length(reciprocal_.a), 1 / length(reciprocal_.b), 1 / length(reciprocal_.c)};
}

double PeriodicCell::farthest_A() const {
  return (length(reduced_.a) + length(reduced_.b) + length(reduced_.c)) / 2;
}

}  // namespace ionwell
