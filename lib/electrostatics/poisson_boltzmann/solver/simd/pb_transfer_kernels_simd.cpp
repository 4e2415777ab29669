// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set (simd_level.hpp).
#include "electrostatics/poisson_boltzmann/solver/simd/pb_transfer_kernels.hpp"

#include "electrostatics/poisson_boltzmann/solver/simd/pb_lanes.hpp"

namespace ionwell {
namespace {

/// out[i] = what coarse point i, first <= i < last, collects of a row of fine values; it is an inner one.
void collect_row(const AxisCoarsening& axis, const float* __restrict fine, int first, int last,
                 float* __restrict out) {
  if (!axis.halved) {
    for (int i = first; i < last; ++i) out[i] = fine[i];
    return;
  }
  for (int i = first; i < last; ++i) out[i] = fine[2 * i] + 0.5f * (fine[2 * i - 1] + fine[2 * i + 1]);
  const int end = axis.coarse - 2;
  if (first <= end && end < last)
    out[end] = fine[2 * end] + 0.5f * fine[2 * end - 1] + axis.last_weight * fine[2 * end + 1];
}

/// out[i] = values of a coarse row at all fine points.
void interpolate_row(const AxisCoarsening& axis, const float* __restrict coarse, float* __restrict out) {
  if (!axis.halved) {
    for (int i = 0; i < axis.fine; ++i) out[i] = coarse[i];
    return;
  }
  const int end = axis.coarse - 2;
  for (int i = 0; i < end; ++i) {
    out[2 * i] = coarse[i];
    out[2 * i + 1] = 0.5f * (coarse[i] + coarse[i + 1]);
  }
  out[2 * end] = coarse[end];
  out[2 * end + 1] = axis.last_weight * coarse[end];  // behind it is a boundary, where the values are zero
}

void add_row(float weight, const float* __restrict row, int count, float* __restrict to) {
  for (int i = 0; i < count; ++i) to[i] += weight * row[i];
}

void collect_residual(const PbLevel& of_plane, int k, const float* b, const float* x,
                      const AxisCoarsening& along_x, const AxisCoarsening& along_y, float* out,
                      float* workspace) {
  const PbLevel level = of_plane;  // no store can change it
  float* const residual = workspace;
  float* const collected = workspace + level.nx;
  for (int i = 0; i < along_x.coarse * along_y.coarse; ++i) out[i] = 0.0f;
  residual[0] = residual[level.nx - 1] = 0.0f;
  for (int j = 1; j < level.ny - 1; ++j) {
    const IntVector even = lanes_of_parity((1 + j + k) % 2);
    const std::int64_t row = k * level.plane_stride() + j * level.row_stride();
    along(1, level.nx - 1, [&](int i, const auto& lanes) {
      const std::int64_t p = row + i;
      const FloatVector value =
          lanes.load(b + p) -
          applied(row_at(level, p, lanes), neighbours_at(level, p, x, lanes), lanes.load(x + p));
      lanes.store(residual + i, even ? value : FloatVector{});
    });
    collect_row(along_x, residual, 1, along_x.coarse - 1, collected);
    const int below = along_y.coarse_below(j), inner = along_x.coarse - 2;
    float* const low = out + std::int64_t(below) * along_x.coarse + 1;
    if (!along_y.between(j)) {
      add_row(1.0f, collected + 1, inner, low);
      continue;
    }
    add_row(along_y.high_weight(below), collected + 1, inner, low);
    add_row(along_y.low_weight(), collected + 1, inner, low + along_x.coarse);
  }
}

void add_interpolated(const PbLevel& level, int k, const AxisCoarsening& along_x,
                      const AxisCoarsening& along_y, const float* low, const float* high, float low_weight,
                      float high_weight, float* x, float* workspace) {
  float* const coarse = workspace;
  float* const fine = workspace + level.nx;
  const int count = along_x.coarse;
  for (int j = 1; j < level.ny - 1; ++j) {
    const int below = along_y.coarse_below(j);
    const std::int64_t at = std::int64_t(below) * count;
    const float near = along_y.between(j) ? along_y.high_weight(below) : 1.0f;
    for (int i = 0; i < count; ++i) coarse[i] = 0.0f;
    add_row(near * low_weight, low + at, count, coarse);
    if (high_weight != 0.0f) add_row(near * high_weight, high + at, count, coarse);
    if (along_y.between(j)) {
      const float far = along_y.low_weight();
      add_row(far * low_weight, low + at + count, count, coarse);
      if (high_weight != 0.0f) add_row(far * high_weight, high + at + count, count, coarse);
    }
    interpolate_row(along_x, coarse, fine);
    const IntVector even = lanes_of_parity((1 + j + k) % 2);
    float* const row = x + k * level.plane_stride() + j * level.row_stride();
    along(1, level.nx - 1, [&](int i, const auto& lanes) {
      const FloatVector more = lanes.load(fine + i);
      lanes.store(row + i, lanes.load(row + i) + (even ? more : FloatVector{}));
    });
  }
}

/// out[first to last] = sum of rows of a fine array.
void sum_rows(const PbLevel& level, const float* values, float factor, const CollectedPoints& along_y,
              const CollectedPoints& along_z, int first, int last, float* __restrict out) {
  for (int i = first; i < last; ++i) out[i] = 0.0f;
  for (int c = -1; c <= 1; ++c)
    for (int r = -1; r <= 1; ++r) {
      const float weight = along_z.weight[c + 1] * along_y.weight[r + 1];
      if (weight == 0.0f) continue;
      add_row(factor * weight,
              values + (along_z.middle + c) * level.plane_stride() +
                  (along_y.middle + r) * level.row_stride() + first,
              last - first, out + first);
    }
}

void put_in_series(const float* __restrict more, int first, int last, float* __restrict out) {
  for (int i = first; i < last; ++i) out[i] = in_series(out[i], more[i]);
}

void coarsen_reaction(const PbLevel& level, const AxisCoarsening* axes, int j, int k, int first, int last,
                      float* out, float* workspace) {
  const int from = axes[0].fine_of(first) - 1, to = axes[0].fine_of(last - 1) + 2;
  sum_rows(level, level.reaction, level.reaction_factor, collected_by(axes[1], j), collected_by(axes[2], k),
           from, to, workspace);
  collect_row(axes[0], workspace, first, last, out);
}

void coarsen_faces_x(const PbLevel& level, const AxisCoarsening* axes, int j, int k, int first, int last,
                     float* out, float* workspace) {
  const AxisCoarsening& x = axes[0];
  const int begin = first - 1;  // the face before the first point
  const int from = x.fine_of(begin), to = x.fine_of(last);
  sum_rows(level, level.face_x, level.factor_x, collected_by(axes[1], j), collected_by(axes[2], k), from, to,
           workspace);
  if (!x.halved) {
    for (int i = begin; i < last; ++i) out[i] = workspace[i];
    return;
  }
  const bool short_end = last == x.coarse - 1 && !is_double_interval(x, last - 1);
  const int end = short_end ? last - 1 : last;
  const float* __restrict fine = workspace;
  for (int i = begin; i < end; ++i) out[i] = in_series(fine[2 * i], fine[2 * i + 1]);
  if (short_end) out[end] = fine[2 * end];
}

void coarsen_faces_y(const PbLevel& level, const AxisCoarsening* axes, int j, int k, int first, int last,
                     float* out, float* workspace) {
  const int from = axes[0].fine_of(first) - 1, to = axes[0].fine_of(last - 1) + 2;
  const int first_row = axes[1].fine_of(j);
  const bool two = is_double_interval(axes[1], j);
  const CollectedPoints along_z = collected_by(axes[2], k);
  float* const second = workspace + level.nx;
  for (int r = 0; r < (two ? 2 : 1); ++r) {
    sum_rows(level, level.face_y, level.factor_y, only_point(first_row + r), along_z, from, to, workspace);
    collect_row(axes[0], workspace, first, last, r == 0 ? out : second);
  }
  if (two) put_in_series(second, first, last, out);
}

void coarsen_faces_z(const PbLevel& level, const AxisCoarsening* axes, int j, int k, int first, int last,
                     float* out, float* workspace) {
  const int from = axes[0].fine_of(first) - 1, to = axes[0].fine_of(last - 1) + 2;
  const int first_plane = axes[2].fine_of(k);
  const bool two = is_double_interval(axes[2], k);
  const CollectedPoints along_y = collected_by(axes[1], j);
  float* const second = workspace + level.nx;
  for (int r = 0; r < (two ? 2 : 1); ++r) {
    sum_rows(level, level.face_z, level.factor_z, along_y, only_point(first_plane + r), from, to, workspace);
    collect_row(axes[0], workspace, first, last, r == 0 ? out : second);
  }
  if (two) put_in_series(second, first, last, out);
}

}  // namespace

extern const PbTransferKernels IONWELL_OF_LEVEL(pb_transfer_kernels);
const PbTransferKernels IONWELL_OF_LEVEL(pb_transfer_kernels){
    collect_residual, add_interpolated, coarsen_faces_x, coarsen_faces_y, coarsen_faces_z, coarsen_reaction};

}  // namespace ionwell
