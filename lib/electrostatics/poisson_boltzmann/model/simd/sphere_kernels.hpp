// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/simd/simd_level.hpp"

namespace ionwell {

/// Columns of numbers: number n of column c is first[c * stride + n]. A vector that begins with any number of
/// a column can be read.
struct DoubleColumns {
  const double* first;
  int stride;
};

/// Room after the last number of a column, or of a list that a kernel writes: the longest vector.
constexpr int sphere_vector_room = 16;

/// Those that a kernel writes to.
struct DoubleOutput {
  double* first;
  int stride;
};

/// What a sphere's centre, one that reaches another sphere, a cap on a sphere and a sphere that meets another
/// one are in columns.
enum SphereColumn { sphere_x, sphere_y, sphere_z, sphere_radius, sphere_columns };
enum CapColumn { cap_x, cap_y, cap_z, cap_cosine, cap_sine, cap_columns };  // axis; of the half angle
enum NeighbourColumn {
  neighbour_x,  // from the sphere's centre to the other one's
  neighbour_y,
  neighbour_z,
  neighbour_q,  // |away|^2 - radius^2 + the sphere's own radius^2
  neighbour_columns
};
constexpr int covering_columns = 7;  // what open_ends works with

/// Where two spheres meet, as seen from the first one's centre. All three directions are units, each normal
/// to the others.
struct MeetingCircle {
  double axis[3], first[3], second[3];
  double plane_A, radius2_A2;
};

/// An end of the part of a circle that one sphere covers: its direction from the circle's centre, by the
/// circle's `first` and `second`, and whether the part begins or ends there, on the way from first to second.
struct CoveredEnd {
  double first, second;
  bool begins;
};

/// How many spheres meet a sphere in a circle, and how many hold all of it (itself, too).
struct MetSpheres {
  int meet, hold;
};

/// The inner loops that cut spheres by one another, in fp64; plain arrays, see simd_level.hpp.
struct SphereKernels {
  /// Those of the spheres from first to before last that reach the sphere x, y, z, radius, perhaps with
  /// itself: writes their numbers to `out`, and to `away` what they are as seen from its centre, in the
  /// columns of spheres. Returns how many.
  int (*meeting)(const DoubleColumns& spheres, int first, int last, const double* sphere, int* out,
                 const DoubleOutput& away);

  /// The caps of the first `count` of such spheres on one of `radius` at the centre: in columns as those of
  /// caps, with a cosine of 2 where there is no circle. `held`: numbers of those that hold the whole sphere.
  MetSpheres (*caps)(const DoubleColumns& away, int count, double radius, const DoubleOutput& out, int* held);

  /// out = the place of each of `count` numbers when they are sorted, the smallest first; of equal ones the
  /// first is in front.
  void (*places)(const double* numbers, int count, int* out);

  /// Writes the numbers of those caps to `out` that are in no other one; the larger ones must come first. Of
  /// equal caps the first stays. Leaves the kept ones in front of `caps`. Returns how many.
  int (*caps_in_no_other)(const DoubleOutput& caps, int count, int* out);

  /// What other neighbours than number `n` leave of the circle where that one meets the sphere: writes those
  /// ends of what each of them covers to `ends` that no other one covers, and returns how many; -1 when all
  /// of the circle is covered, and 0 when none of it. What decides less than 1e-12 of it counts as open.
  /// `workspace`: room for covering_columns of the same stride; `ends`: for 2 `count`. The larger caps had
  /// best come first.
  int (*open_ends)(const DoubleColumns& neighbours, int count, int n, const MeetingCircle& circle,
                   double* workspace, CoveredEnd* ends);
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const SphereKernels& sphere_kernels(SimdLevel level);

}  // namespace ionwell
