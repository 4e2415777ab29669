// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <span>
#include <vector>

#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/axis_coarsening.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_level.hpp"
#include "electrostatics/poisson_boltzmann/solver/point_box.hpp"
#include "gpu/electrostatics/poisson_boltzmann/interpolation.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/face_arrays.hpp"
#include "gpu/electrostatics/poisson_boltzmann/packed_level.hpp"
#include "gpu/electrostatics/poisson_boltzmann/plane_borders.hpp"
#include "gpu/electrostatics/poisson_boltzmann/shared_planes.hpp"
#include "gpu/runtime/device_arrays.hpp"
#include "gpu/runtime/device_buffer.hpp"

namespace ionwell::gpu {

/// Where the coefficients of a coarser level go.
struct CoarseArrays {
  float *face_x, *face_y, *face_z, *reaction;
};

/// PbLevels (lib's) on the current device: a copy of the system's dielectric and accessibility, and the
/// matrix on all coarser lattices, packed for the V-cycle, too. 27.4 bytes a point. Of levels whose planes
/// are shared it has those of this process; all are counted as one process counts them.
class PbLevels {
 public:
  /// Spread over these devices, the first of which is the current one. `group`: of processes that share the
  /// planes; null for one that is alone. Of a system whose arrays a device has, finest() is to be set, and
  /// `changed` of all points follows.
  PbLevels(const PbSystem& system, const std::vector<int>& ordinals, cudaStream_t stream, RankGroup* group);

  std::size_t count() const { return levels_.size(); }
  /// The whole level; its arrays begin where plane 0 would be.
  const PbLevel& level(std::size_t n) const { return levels_[n]; }
  const SharedPlanes& planes() const { return planes_; }
  /// From level n to n + 1.
  const std::array<AxisCoarsening, 3>& coarsening(std::size_t n) const { return coarsenings_[n]; }
  /// What each device works at.
  const PlaneBorders& borders(std::size_t n) const { return borders_[n]; }
  /// And makes from the next finer level.
  const PlaneBorders& made(std::size_t n) const { return made_[n]; }
  PackedLevel packed(std::size_t n) const {
    const PbLevel& level = levels_[n];
    return {level.nx, level.ny, level.nz, packed_from_plane_0(n)};
  }
  /// The system's, of each point.
  const float* accessibility() const { return planes_.from_plane_0(0, accessibility_.data()); }

  /// The dielectric and accessibility of all points, of a process that is alone.
  FaceArrays finest() { return {eps_x_.data(), eps_y_.data(), eps_z_.data(), accessibility_.data()}; }

  /// Makes anew what depends on these points, which were set by work in the stream.
  void changed(const PointBox& points, cudaStream_t stream);

  /// Copies these points of the system anew, and makes what depends on them. Returns when the device is done
  /// with them.
  void update(const PbSystem& system, const PointBox& changed, cudaStream_t stream);

  /// Puts reactions of all points in place of the accessibility times a factor, on all levels; device memory,
  /// whose ghosts are filled.
  void set_reaction(float* reaction, float factor, cudaStream_t stream);

 private:
  void make_arrays(const std::vector<int>& ordinals, cudaStream_t stream);
  DeviceBuffer<float> copy_or_room(const PbSystem& system, const std::vector<float>& values, const char* what,
                                   cudaStream_t stream) const;
  void update_finest(const PbSystem& system, const PointBox& box, cudaStream_t stream);
  void coarsen(std::size_t n, const PointBox& box, bool reaction_only, cudaStream_t stream);

  /// Those points of a box that are here; where planes are shared all that is here, for ghosts change, too.
  void pack(std::size_t n, const PointBox& box, cudaStream_t stream);
  uint4* packed_from_plane_0(std::size_t n) const;

  std::vector<std::array<AxisCoarsening, 3>> coarsenings_;
  SharedPlanes planes_;
  std::vector<PlaneBorders> borders_, made_;
  DeviceBuffer<float> eps_x_, eps_y_, eps_z_, accessibility_;
  std::vector<PbLevel> levels_;
  DeviceArrays coarse_memory_, packed_;  // packed_: by level
  std::vector<CoarseArrays> coarse_;     // of level n + 1, from plane 0 on
};

}  // namespace ionwell::gpu
