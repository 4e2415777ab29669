// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/vec3.hpp"
#include "solvation/rotation.hpp"

namespace ionwell {

/// How points are brought onto others: moved(p) = to + rotation(p - from).
struct Superposition {
  Rotation rotation;
  Vec3<double> from_A, to_A;
  double rmsd_A = 0.0;  // that is left
  /// Whether the rotation is the only one of the least squares. It is not for fewer than three points, for
  /// points on a line, and where symmetry leaves a choice, as for a mirrored image of a square pyramid.
  bool is_determined = false;

  Vec3<double> operator()(const Vec3<double>& p) const { return to_A + rotation(p - from_A); }
};

/// The rotation, never a reflection, and the shift that bring `moving_A` nearest to `fixed_A`, each to its
/// own, by the least sum of squares without weights; in fp64. The spans have the same length, above 0. Where
/// it is not determined, one of the best. O(points). Horn, J. Opt. Soc. Am. A 4:629 (1987): the rotation's
/// quaternion is the eigenvector of the largest eigenvalue of a symmetric 4 x 4 matrix.
Superposition superpose(std::span<const Vec3<double>> moving_A, std::span<const Vec3<double>> fixed_A);

}  // namespace ionwell
