// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "core/large_array.hpp"
#include "core/lattice.hpp"

namespace ionwell {

/// How a potential is interpolated where forces are wanted.
enum class ForceInterpolation {
  /// Of the eight points around, and the gradient of that: continuous potential, and a force that jumps from
  /// cell to cell, by h times the second derivative. Its error falls with h.
  trilinear,
  /// The tricubic B-spline through the points: potential and force and the force's derivatives are
  /// continuous, and the errors fall with h^4 and h^3. At the faces "not a knot": the third derivative does
  /// not jump at the last point but one (a parabola through three points, a line through two), which keeps
  /// the order there. Takes three times as long.
  cubic_spline,
};

/// A potential at the points of a lattice, i fastest; the values stay where they are.
struct PotentialOnLattice {
  LatticeGeometry lattice;
  std::variant<std::span<const float>, std::span<const double>> values_kT_e;
};

/// What is interpolated between: the potential at its points, or the coefficients of the B-splines that are
/// centred there and at one more beyond each face. Axes of one point have equal nodes, so that nothing
/// changes along them.
struct InterpolationNodes {
  LatticeGeometry lattice;  // of the potential
  ForceInterpolation interpolation = ForceInterpolation::trilinear;
  Vec3<std::int64_t> counts;  // at least 2 by axis, or 4 for splines
  LargeArray<float> values;   // i fastest; sums to get them are in fp64
};

/// Throws Error for values that are not finite in single precision, and for 2^31 points and more; UsageError
/// when there are no points, or not as many values. O(points).
InterpolationNodes interpolation_nodes(const PotentialOnLattice& potential, ForceInterpolation interpolation,
                                       int threads);

}  // namespace ionwell
