#pragma once

#include "electrostatics/simd/simd_level.hpp"

namespace ionwell {

/// Columns of numbers: number n of column c is first[c * stride + n]. A vector that begins with any number of
/// a column can be read.
struct DoubleColumns {
  const double* first;
  int stride;
};

/// Room behind the last number of a column, or of a list that a kernel writes: the longest vector.
constexpr int sphere_vector_room = 16;

/// What a sphere's centre, a cap on a sphere and a sphere that meets another one are in columns.
enum SphereColumn { sphere_x, sphere_y, sphere_z, sphere_radius, sphere_columns };
enum CapColumn { cap_x, cap_y, cap_z, cap_cosine, cap_sine, cap_columns };  // axis; of the half angle
enum NeighbourColumn {
  neighbour_x,  // from the sphere's centre to the other one's
  neighbour_y,
  neighbour_z,
  neighbour_q,  // |away|^2 - radius^2 + the sphere's own radius^2
  neighbour_columns
};
constexpr int covering_columns = 9;  // what is_covered works with

/// Where two spheres meet, as seen from the first one's centre. All three directions are units, each normal
/// to the others.
struct MeetingCircle {
  double axis[3], first[3], second[3];
  double plane_A, radius2_A2;
};

/// The inner loops that cut spheres by one another, in fp64; plain arrays, see simd_level.hpp.
struct SphereKernels {
  /// Writes those numbers from first to before last to `out` whose spheres reach the sphere x, y, z, radius,
  /// perhaps with itself; returns how many.
  int (*meeting)(const DoubleColumns& spheres, int first, int last, const double* sphere, int* out);

  /// The same for caps that are in no other one; the larger ones must come first. Of equal caps the first
  /// stays.
  int (*caps_in_no_other)(const DoubleColumns& caps, int count, int* out);

  /// Whether other neighbours than number `n` cover the whole circle where that one meets the sphere; false
  /// also where less than 1e-12 of it decides. `workspace`: room for covering_columns of the same stride.
  bool (*is_covered)(const DoubleColumns& neighbours, int count, int n, const MeetingCircle& circle,
                     double* workspace);
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const SphereKernels& sphere_kernels(SimdLevel level);

}  // namespace ionwell
