// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/simd/simd_level.hpp"

namespace ionwell {

/// Samples around one part of a surface: indices first to last by axis, in an array whose rows and planes are
/// so far apart. Sample 0 is at the origin.
struct SampleBox {
  float spacing_x, spacing_y, spacing_z;
  int first_x, last_x, first_y, last_y, first_z, last_z;
  int row, plane;
};

/// A ball around a part; samples outside of it need not be looked at.
struct AroundPart {
  float x, y, z, radius;
};

/// What a LocalArc has, one number after the other: a column each where there are many.
enum ArcColumn {
  arc_x,  // its centre
  arc_y,
  arc_z,
  arc_axis_x,
  arc_axis_y,
  arc_axis_z,
  arc_middle_x,
  arc_middle_y,
  arc_middle_z,
  arc_first_x,
  arc_first_y,
  arc_first_z,
  arc_last_x,
  arc_last_y,
  arc_last_z,
  arc_radius,
  arc_cos_half,
  arc_columns
};

/// A sphere's numbers.
enum BallColumn { ball_x, ball_y, ball_z, ball_radius, ball_columns };

/// Columns of numbers: number n of column c is first[c * stride + n]. A vector that begins with any number of
/// a column can be read.
struct NumberColumns {
  const float* first;
  int stride;
};

/// The inner loops of a solvent-excluded surface; plain arrays, see simd_level.hpp. `values` are distances
/// [A] to where probes can be, not positive where no ball is; there is room for a vector after the last.
struct SurfaceKernels {
  /// values = `value` in a ball.
  void (*fill_ball)(const SampleBox& box, const AroundPart& ball, float value, float* values);

  /// values = the distance to a sphere, where it is smaller and at most `reach`, and none of the caps (four
  /// numbers each: axis and cosine) covers the nearest place on the sphere. Leaves values that are `enough`,
  /// at least 0, or less.
  void (*add_patch)(const SampleBox& box, const AroundPart& ball, float reach, float enough,
                    const float* caps, int count, float* values);

  /// values = the distance to an arc (arc_columns numbers), where a value is larger, and than `enough`, too,
  /// and the distance less than `reach`.
  void (*add_arc)(const SampleBox& box, const AroundPart& around, float reach, float enough, const float* arc,
                  float* values);

  /// Writes those numbers from first to before last to `out` whose arcs are nearer to a point than `reach`;
  /// returns how many. There must be room for a vector more.
  int (*arcs_within)(const NumberColumns& arcs, int first, int last, const float* point, float reach,
                     int* out);

  /// The same for spheres of which some part is nearer.
  int (*spheres_within)(const NumberColumns& balls, int first, int last, const float* point, float reach,
                        int* out);

  /// The least squared distance from a point to any of the first `count` arcs, infinite of none.
  float (*nearest_arc2)(const NumberColumns& arcs, int count, const float* point);

  /// out = the depth of a point in each of the first `count` balls, negative outside; room for a vector more.
  void (*depths)(const NumberColumns& balls, int count, const float* point, float* out);

  /// Whether none of the caps first to before last (columns as those of a SphereCap) covers a direction of
  /// that length.
  bool (*is_open)(const NumberColumns& caps, int first, int last, const float* direction, float length);

  /// For segments of that length from samples to others, whose signed distances to the surface are values
  /// less `probe`: out = `inside` or `outside` where the distances leave no other choice. Writes the numbers
  /// of the rest to `rest`, with room for a vector more; returns how many.
  int (*decide_segments)(const float* from, const float* to, int count, float probe, float length,
                         float inside, float outside, float* out, int* rest);

  /// The accessibility of samples to ions is decided by the ball that holds them deepest: for samples in a
  /// ball or less than `beside` outside of it, where it is deeper than depths has it, sets depths and the
  /// ball's number in deepest. Leaves out samples that are deeper than `beside` already.
  void (*deepen)(const SampleBox& box, const AroundPart& ball, float beside, int number, float* depths,
                 int* deepest);
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const SurfaceKernels& surface_kernels(SimdLevel level);

}  // namespace ionwell
