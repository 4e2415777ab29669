// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/pb_levels.hpp"

#include <algorithm>

#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_stencil.hpp"
#include "gpu/electrostatics/poisson_boltzmann/march.cuh"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

/// Where coefficients of a level go.
struct LevelArrays {
  float *face_x, *face_y, *face_z, *reaction;
};

constexpr std::int64_t coefficients = 4;  // of a point

/// Sum over the fine points that three axes collect.
__device__ float collected_sum(const PbLevel& level, const float* values, const CollectedPoints& x,
                               const CollectedPoints& y, const CollectedPoints& z) {
  float sum = 0.0f;
#pragma unroll
  for (int c = -1; c <= 1; ++c)
#pragma unroll
    for (int b = -1; b <= 1; ++b) {
      const float of_row = z.weight[c + 1] * y.weight[b + 1];
      if (of_row == 0.0f) continue;
      const float* const row =
          values + (z.middle + c) * level.plane_stride() + (y.middle + b) * level.row_stride() + x.middle;
      float along = row[0];
      if (x.weight[0] != 0.0f) along += x.weight[0] * row[-1];
      if (x.weight[2] != 0.0f) along += x.weight[2] * row[1];
      sum += of_row * along;
    }
  return sum;
}

/// The conductance behind a coarse point along the axis of `series`, others being collected: calls of_fine(n)
/// for the first fine interval and the second.
template <typename OfFine>
__device__ float conductance(const AxisCoarsening& series, int i, const OfFine& of_fine) {
  const int first = series.fine_of(i);
  const float one = of_fine(first);
  return is_double_interval(series, i) ? in_series(one, of_fine(first + 1)) : one;
}

__global__ void coarsen_kernel(PbLevel fine, LevelAxes axes, PointBox box, bool reaction_only,
                               LevelArrays to) {
  const std::int64_t nx = box.high.x - box.low.x + 1, ny = box.high.y - box.low.y + 1;
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= nx * ny * (box.high.z - box.low.z + 1)) return;
  const int i = int(box.low.x + n % nx), j = int(box.low.y + n / nx % ny), k = int(box.low.z + n / (nx * ny));
  const std::int64_t p = i + axes.x.coarse * (j + std::int64_t(axes.y.coarse) * k);
  const bool inner_x = i > 0 && i<axes.x.coarse - 1, inner_y = j> 0 && j<axes.y.coarse - 1, inner_z = k> 0 &&
                       k < axes.z.coarse - 1;
  const CollectedPoints x = inner_x ? collected_by(axes.x, i) : CollectedPoints{},
                        y = inner_y ? collected_by(axes.y, j) : CollectedPoints{},
                        z = inner_z ? collected_by(axes.z, k) : CollectedPoints{};
  if (inner_x && inner_y && inner_z)
    to.reaction[p] = fine.reaction_factor * collected_sum(fine, fine.reaction, x, y, z);
  if (reaction_only) return;
  if (inner_y && inner_z && i < axes.x.coarse - 1)
    to.face_x[p] = fine.factor_x * conductance(axes.x, i, [&](int at) {
                     return collected_sum(fine, fine.face_x, only_point(at), y, z);
                   });
  if (inner_x && inner_z && j < axes.y.coarse - 1)
    to.face_y[p] = fine.factor_y * conductance(axes.y, j, [&](int at) {
                     return collected_sum(fine, fine.face_y, x, only_point(at), z);
                   });
  if (inner_x && inner_y && k < axes.z.coarse - 1)
    to.face_z[p] = fine.factor_z * conductance(axes.z, k, [&](int at) {
                     return collected_sum(fine, fine.face_z, x, y, only_point(at));
                   });
}

/// Puts the values of a box, which follow one another array by array, into the arrays of a level.
__global__ void unpack_kernel(PbLevel level, PointBox box, const float* packed, LevelArrays to) {
  const std::int64_t nx = box.high.x - box.low.x + 1, ny = box.high.y - box.low.y + 1;
  const std::int64_t points = nx * ny * (box.high.z - box.low.z + 1);
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= points) return;
  const std::int64_t p = box.low.x + n % nx + (box.low.y + n / nx % ny) * level.row_stride() +
                         (box.low.z + n / (nx * ny)) * level.plane_stride();
  to.face_x[p] = packed[n];
  to.face_y[p] = packed[n + points];
  to.face_z[p] = packed[n + 2 * points];
  to.reaction[p] = packed[n + 3 * points];
}

PbLevel whole_finest_level(const PbSystem& system) {
  PbLevel level = finest_level(system);
  level.nz = int(system.lattice.whole().counts.z);
  return level;
}

PlaneBorders borders_at(const PlaneSpan& planes, const PbLevel& level) {
  return {{planes.begin, planes.end}, level.nz};
}

}  // namespace

PbLevels::PbLevels(const PbSystem& system, const std::vector<int>& ordinals, cudaStream_t stream,
                   RankGroup* group)
    : coarsenings_(plan_coarsening(system.lattice.whole().counts, system.lattice.spacing_A)),
      planes_(system.lattice.whole(), coarsenings_, group, stream),
      eps_x_(copy_or_room(system, system.eps_x, "the dielectric", stream)),
      eps_y_(copy_or_room(system, system.eps_y, "the dielectric", stream)),
      eps_z_(copy_or_room(system, system.eps_z, "the dielectric", stream)),
      accessibility_(copy_or_room(system, system.accessibility, "the accessibility", stream)) {
  PbLevel finest = whole_finest_level(system);
  finest.face_x = planes_.from_plane_0(0, eps_x_.data());
  finest.face_y = planes_.from_plane_0(0, eps_y_.data());
  finest.face_z = planes_.from_plane_0(0, eps_z_.data());
  finest.reaction = accessibility();
  levels_.push_back(finest);
  borders_.push_back(planes_.are_shared() ? borders_at(planes_.own(0), finest)
                                          : finest_borders(finest, int(ordinals.size())));
  made_.push_back(borders_.back());
  for (const auto& axes : coarsenings_) {
    const std::size_t n = levels_.size();
    PbLevel level{.nx = axes[0].coarse, .ny = axes[1].coarse, .nz = axes[2].coarse};
    const std::size_t size = planes_.size(n);
    borders_.push_back(planes_.are_shared() ? borders_at(planes_.own(n), level)
                                            : coarse_borders(borders_.back(), axes[2]));
    made_.push_back(planes_.are_shared() ? borders_at(planes_.made(n), level) : borders_.back());
    const SpreadScope spread(spreading_of(borders_.back(), ordinals));
    const auto array = [&] { return DeviceBuffer<float>(size, "the coarser lattices"); };
    arrays_.push_back({array(), array(), array(), array()});
    Arrays& arrays = arrays_.back();
    for (DeviceBuffer<float>* const one : {&arrays.face_x, &arrays.face_y, &arrays.face_z, &arrays.reaction})
      one->zero(stream);
    level.face_x = planes_.from_plane_0(n, arrays.face_x.data());
    level.face_y = planes_.from_plane_0(n, arrays.face_y.data());
    level.face_z = planes_.from_plane_0(n, arrays.face_z.data());
    level.reaction = planes_.from_plane_0(n, arrays.reaction.data());
    levels_.push_back(level);
  }
  for (std::size_t n = 0; n < levels_.size(); ++n) {
    const SpreadScope spread(spreading_of(borders_[n], ordinals));
    const PlaneSpan here = planes_.here(n);
    packed_.emplace_back(
        std::size_t(PackedLevel::pairs_of_plane(levels_[n].nx, levels_[n].ny) * (here.end - here.begin)),
        "the packed lattices");
  }
  const PbLevel& first = levels_.front();
  if (!system.is_on_device) changed({{0, 0, 0}, {first.nx - 1, first.ny - 1, first.nz - 1}}, stream);
}

DeviceBuffer<float> PbLevels::copy_or_room(const PbSystem& system, const std::vector<float>& values,
                                           const char* what, cudaStream_t stream) const {
  const std::size_t size = planes_.size(0);
  if (system.is_on_device) return DeviceBuffer<float>(size, what);
  return DeviceBuffer<float>(std::span(values).first(size), stream, what);
}

void PbLevels::changed(const PointBox& points, cudaStream_t stream) {
  PointBox box = points;
  pack(0, box, stream);
  for (std::size_t n = 0; n < coarsenings_.size(); ++n) {
    box = coarse_box(coarsenings_[n], box);
    coarsen(n, box, false, stream);
    pack(n + 1, box, stream);
  }
}

uint4* PbLevels::packed_from_plane_0(std::size_t n) const {
  const PbLevel& level = levels_[n];
  return const_cast<uint4*>(packed_[n].data()) -
         PackedLevel::pairs_of_plane(level.nx, level.ny) * planes_.here(n).begin;
}

void PbLevels::pack(std::size_t n, const PointBox& box, cudaStream_t stream) {
  const PbLevel& level = levels_[n];
  const PlaneSpan here = planes_.here(n);
  PointBox packed = box;
  if (planes_.are_shared()) packed = {{0, 0, here.begin}, {level.nx - 1, level.ny - 1, here.end - 1}};
  pack_level(level, packed, packed_from_plane_0(n), stream);
}

void PbLevels::update(const PbSystem& system, const PointBox& changed, cudaStream_t stream) {
  const PlaneSpan here = planes_.here(0);
  PointBox stored = changed;
  stored.low.z = std::max<std::int64_t>(stored.low.z, here.begin);
  stored.high.z = std::min<std::int64_t>(stored.high.z, here.end - 1);
  if (stored.low.z <= stored.high.z) update_finest(system, stored, stream);
  this->changed(changed, stream);
  check(cudaStreamSynchronize(stream), "changing the Poisson-Boltzmann equation");
}

void PbLevels::update_finest(const PbSystem& system, const PointBox& box, cudaStream_t stream) {
  const std::int64_t row = box.high.x - box.low.x + 1;
  const std::int64_t points = row * (box.high.y - box.low.y + 1) * (box.high.z - box.low.z + 1);
  std::vector<float> packed;
  packed.reserve(std::size_t(coefficients * points));
  for (const std::vector<float>* const values :
       {&system.eps_x, &system.eps_y, &system.eps_z, &system.accessibility})
    for (std::int64_t k = box.low.z; k <= box.high.z; ++k)
      for (std::int64_t j = box.low.y; j <= box.high.y; ++j) {
        const auto first = values->begin() + system.lattice.index(box.low.x, j, k - planes_.here(0).begin);
        packed.insert(packed.end(), first, first + row);
      }
  const DeviceBuffer<float> packed_d(packed, stream, "changed coefficients");
  unpack_kernel<<<blocks_for(points), usual_threads, 0, stream>>>(
      levels_.front(), box, packed_d.data(),
      {planes_.from_plane_0(0, eps_x_.data()), planes_.from_plane_0(0, eps_y_.data()),
       planes_.from_plane_0(0, eps_z_.data()), planes_.from_plane_0(0, accessibility_.data())});
  check_launch("changing coefficients");
}

void PbLevels::set_reaction(float* reaction, float factor, cudaStream_t stream) {
  planes_.fill_ghosts(0, reaction, plane_ghosts);
  levels_[0].reaction = reaction;
  levels_[0].reaction_factor = factor;
  const auto all_of = [&](std::size_t n) {
    return PointBox{{0, 0, 0}, {levels_[n].nx - 1, levels_[n].ny - 1, levels_[n].nz - 1}};
  };
  pack(0, all_of(0), stream);
  for (std::size_t n = 0; n < coarsenings_.size(); ++n) {
    coarsen(n, all_of(n + 1), true, stream);
    pack(n + 1, all_of(n + 1), stream);
  }
}

void PbLevels::coarsen(std::size_t n, const PointBox& box, bool reaction_only, cudaStream_t stream) {
  const PlaneSpan here = planes_.made(n + 1);
  PointBox made = box;
  made.low.z = std::max<std::int64_t>(made.low.z, here.begin);
  made.high.z = std::min<std::int64_t>(made.high.z, here.end - 1);
  const std::int64_t points =
      (made.high.x - made.low.x + 1) * (made.high.y - made.low.y + 1) * (made.high.z - made.low.z + 1);
  Arrays& arrays = arrays_[n];
  const LevelArrays to{
      planes_.from_plane_0(n + 1, arrays.face_x.data()), planes_.from_plane_0(n + 1, arrays.face_y.data()),
      planes_.from_plane_0(n + 1, arrays.face_z.data()), planes_.from_plane_0(n + 1, arrays.reaction.data())};
  if (points > 0) {
    coarsen_kernel<<<blocks_for(points), usual_threads, 0, stream>>>(levels_[n], level_axes(coarsenings_[n]),
                                                                     made, reaction_only, to);
    check_launch("making coarser lattices");
  }
  for (float* const values : {to.reaction, to.face_x, to.face_y, to.face_z}) {
    planes_.fill_ghosts(n + 1, values, plane_ghosts);
    planes_.gather_made(n + 1, values);
    if (reaction_only) return;
  }
}

}  // namespace ionwell::gpu
