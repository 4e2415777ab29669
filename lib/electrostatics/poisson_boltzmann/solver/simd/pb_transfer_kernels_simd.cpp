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

/// Calls use(row, weight) for the fine rows that a coarse one collects; `row` is a row's first point.
template <typename Use>
void over_collected_rows(const PbLevel& level, const CollectedPoints& along_y, const CollectedPoints& along_z,
                         const Use& use) {
  for (int c = -1; c <= 1; ++c)
    for (int r = -1; r <= 1; ++r) {
      const float weight = along_z.weight[c + 1] * along_y.weight[r + 1];
      if (weight == 0.0f) continue;
      use((along_z.middle + c) * level.plane_stride() + (along_y.middle + r) * level.row_stride(), weight);
    }
}

void coarsen_reaction(const PbLevel& level, const AxisCoarsening* axes, int j, int k, int first, int last,
                      float* out, float* workspace) {
  const int from = axes[0].fine_of(first) - 1, to = axes[0].fine_of(last - 1) + 2;
  for (int i = from; i < to; ++i) workspace[i] = 0.0f;
  over_collected_rows(
      level, collected_by(axes[1], j), collected_by(axes[2], k), [&](std::int64_t row, float weight) {
        add_row(level.reaction_factor * weight, level.reaction + row + from, to - from, workspace + from);
      });
  collect_row(axes[0], workspace, first, last, out);
}

/// Between the two ways to bound what faces in series and side by side let through: averages in series, and
/// the average of those in series.
float between(float averages_in_series, float of_lines) {
  return 0.5f * (averages_in_series + of_lines);
}

void coarsen_faces_x(const PbLevel& level, const AxisCoarsening* axes, int j, int k, int first, int last,
                     float* out, float* workspace) {
  const AxisCoarsening& x = axes[0];
  const int begin = first - 1;  // the face before the first point
  const int from = x.fine_of(begin), to = x.fine_of(last);
  const bool short_end = last == x.coarse - 1 && !is_double_interval(x, last - 1);
  const int end = short_end ? last - 1 : last;
  float* __restrict sum = workspace;
  float* __restrict lines = out;
  for (int i = from; i < to; ++i) sum[i] = 0.0f;
  for (int i = begin; i < end; ++i) lines[i] = 0.0f;
  over_collected_rows(level, collected_by(axes[1], j), collected_by(axes[2], k),
                      [&](std::int64_t row, float weight) {
                        const float* __restrict fine = level.face_x + row;
                        const float all = level.factor_x * weight;
                        add_row(all, fine + from, to - from, workspace + from);
                        if (!x.halved) return;
                        for (int i = begin; i < end; ++i)
                          lines[i] += all * in_series(fine[2 * i], fine[2 * i + 1]);
                      });
  if (!x.halved) {
    for (int i = begin; i < last; ++i) lines[i] = sum[i];
    return;
  }
  for (int i = begin; i < end; ++i) lines[i] = between(in_series(sum[2 * i], sum[2 * i + 1]), lines[i]);
  if (short_end) lines[end] = sum[2 * end];
}

/// out[first to last] = what these points collect of faces along y or z: `step` is from one face to the next
/// in series, 0 where there is none.
void coarsen_faces(const PbLevel& level, const float* faces, float factor, std::int64_t step,
                   const AxisCoarsening& along_x, const CollectedPoints& along_y,
                   const CollectedPoints& along_z, int first, int last, float* out, float* workspace) {
  const int from = along_x.fine_of(first) - 1, to = along_x.fine_of(last - 1) + 2;
  const auto row_of_workspace = [&](int n) { return workspace + std::int64_t(n) * level.nx; };
  float* const sums[] = {row_of_workspace(0), row_of_workspace(1)};
  float* __restrict lines = row_of_workspace(2);
  for (int i = from; i < to; ++i) sums[0][i] = sums[1][i] = lines[i] = 0.0f;
  over_collected_rows(level, along_y, along_z, [&](std::int64_t row, float weight) {
    const float* __restrict one = faces + row;
    const float* __restrict next = one + step;
    const float all = factor * weight;
    add_row(all, one + from, to - from, sums[0] + from);
    if (step == 0) return;
    add_row(all, next + from, to - from, sums[1] + from);
    for (int i = from; i < to; ++i) lines[i] += all * in_series(one[i], next[i]);
  });
  if (step == 0) return collect_row(along_x, sums[0], first, last, out);
  float* __restrict one = row_of_workspace(3);
  float* __restrict next = row_of_workspace(4);
  collect_row(along_x, sums[0], first, last, one);
  collect_row(along_x, sums[1], first, last, next);
  collect_row(along_x, lines, first, last, out);
  for (int i = first; i < last; ++i) out[i] = between(in_series(one[i], next[i]), out[i]);
}

void coarsen_faces_y(const PbLevel& level, const AxisCoarsening* axes, int j, int k, int first, int last,
                     float* out, float* workspace) {
  coarsen_faces(level, level.face_y, level.factor_y, is_double_interval(axes[1], j) ? level.row_stride() : 0,
                axes[0], only_point(axes[1].fine_of(j)), collected_by(axes[2], k), first, last, out,
                workspace);
}

void coarsen_faces_z(const PbLevel& level, const AxisCoarsening* axes, int j, int k, int first, int last,
                     float* out, float* workspace) {
  coarsen_faces(level, level.face_z, level.factor_z,
                is_double_interval(axes[2], k) ? level.plane_stride() : 0, axes[0], collected_by(axes[1], j),
                only_point(axes[2].fine_of(k)), first, last, out, workspace);
}

}  // namespace

extern const PbTransferKernels IONWELL_OF_LEVEL(pb_transfer_kernels);
const PbTransferKernels IONWELL_OF_LEVEL(pb_transfer_kernels){
    collect_residual, add_interpolated, coarsen_faces_x, coarsen_faces_y, coarsen_faces_z, coarsen_reaction};

}  // namespace ionwell
