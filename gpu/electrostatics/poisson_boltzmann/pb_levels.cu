// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/pb_levels.hpp"

#include <algorithm>

#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_stencil.hpp"
#include "gpu/electrostatics/poisson_boltzmann/march.cuh"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr std::int64_t coefficients = 4;  // of a point
constexpr std::size_t coarse_arrays = 4;  // of a coarser level

/// Sum of value(a fine point's place) over the points that three axes collect.
template <typename Value>
__device__ float collected_sum(const PbLevel& level, const CollectedPoints& x, const CollectedPoints& y,
                               const CollectedPoints& z, const Value& value) {
  float sum = 0.0f;
#pragma unroll
  for (int c = -1; c <= 1; ++c)
#pragma unroll
    for (int b = -1; b <= 1; ++b) {
      const float of_row = z.weight[c + 1] * y.weight[b + 1];
      if (of_row == 0.0f) continue;
      const std::int64_t row =
          (z.middle + c) * level.plane_stride() + (y.middle + b) * level.row_stride() + x.middle;
      float along = value(row);
      if (x.weight[0] != 0.0f) along += x.weight[0] * value(row - 1);
      if (x.weight[2] != 0.0f) along += x.weight[2] * value(row + 1);
      sum += of_row * along;
    }
  return sum;
}

/// The conductance behind a coarse point: of the faces that three axes collect, each in series with the one
/// `step` after it, if they are two. With as few sweeps as here that is better than the mean that lib takes.
__device__ float conductance(const PbLevel& level, const float* faces, std::int64_t step, bool are_two,
                             const CollectedPoints& x, const CollectedPoints& y, const CollectedPoints& z) {
  return collected_sum(level, x, y, z, [&](std::int64_t p) {
    return are_two ? in_series(faces[p], faces[p + step]) : faces[p];
  });
}

__global__ void coarsen_kernel(PbLevel fine, LevelAxes axes, PointBox box, bool reaction_only,
                               CoarseArrays to) {
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
    to.reaction[p] = fine.reaction_factor *
                     collected_sum(fine, x, y, z, [&](std::int64_t at) { return fine.reaction[at]; });
  if (reaction_only) return;
  if (inner_y && inner_z && i < axes.x.coarse - 1)
    to.face_x[p] = fine.factor_x * conductance(fine, fine.face_x, 1, is_double_interval(axes.x, i),
                                               only_point(axes.x.fine_of(i)), y, z);
  if (inner_x && inner_z && j < axes.y.coarse - 1)
    to.face_y[p] =
        fine.factor_y * conductance(fine, fine.face_y, fine.row_stride(), is_double_interval(axes.y, j), x,
                                    only_point(axes.y.fine_of(j)), z);
  if (inner_x && inner_y && k < axes.z.coarse - 1)
    to.face_z[p] =
        fine.factor_z * conductance(fine, fine.face_z, fine.plane_stride(), is_double_interval(axes.z, k), x,
                                    y, only_point(axes.z.fine_of(k)));
}

/// Puts the values of a box, which follow one another array by array, into the arrays of a level.
__global__ void unpack_kernel(PbLevel level, PointBox box, const float* packed, CoarseArrays to) {
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
    const PbLevel level{.nx = axes[0].coarse, .ny = axes[1].coarse, .nz = axes[2].coarse};
    borders_.push_back(planes_.are_shared() ? borders_at(planes_.own(n), level)
                                            : coarse_borders(borders_.back(), axes[2]));
    made_.push_back(planes_.are_shared() ? borders_at(planes_.made(n), level) : borders_.back());
    levels_.push_back(level);
  }
  make_arrays(ordinals, stream);
  const PbLevel& first = levels_.front();
  if (!system.is_on_device) changed({{0, 0, 0}, {first.nx - 1, first.ny - 1, first.nz - 1}}, stream);
}

void PbLevels::make_arrays(const std::vector<int>& ordinals, cudaStream_t stream) {
  constexpr std::size_t floats_of_pair = sizeof(uint4) / sizeof(float);
  std::vector<std::size_t> coarse, packed;
  for (std::size_t n = 0; n < levels_.size(); ++n) {
    if (n > 0) coarse.insert(coarse.end(), coarse_arrays, planes_.size(n));
    const PlaneSpan here = planes_.here(n);
    packed.push_back(floats_of_pair * std::size_t(PackedLevel::pairs_of_plane(levels_[n].nx, levels_[n].ny) *
                                                  (here.end - here.begin)));
  }
  coarse_memory_ = DeviceArrays(
      coarse, [&](std::size_t a) { return spreading_of(borders_[1 + a / coarse_arrays], ordinals); },
      "the coarser lattices");
  coarse_memory_.zero(stream);
  packed_ = DeviceArrays(
      packed, [&](std::size_t n) { return spreading_of(borders_[n], ordinals); }, "the packed lattices");
  for (std::size_t n = 1; n < levels_.size(); ++n) {
    const auto array = [&](std::size_t a) {
      return planes_.from_plane_0(n, coarse_memory_[coarse_arrays * (n - 1) + a]);
    };
    const CoarseArrays arrays{array(0), array(1), array(2), array(3)};
    coarse_.push_back(arrays);
    levels_[n].face_x = arrays.face_x;
    levels_[n].face_y = arrays.face_y;
    levels_[n].face_z = arrays.face_z;
    levels_[n].reaction = arrays.reaction;
  }
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
  return reinterpret_cast<uint4*>(packed_[n]) -
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
  const CoarseArrays& to = coarse_[n];
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
