// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/point_box.hpp"
#include "electrostatics/poisson_boltzmann/solver/shared_planes.hpp"
#include "electrostatics/poisson_boltzmann/solver/simd/pb_transfer_kernels.hpp"
#include "parallel/thread_pool.hpp"

namespace ionwell {

/// How each level becomes the next: axes whose points are at most 1.5 times as far apart as along the axis
/// where they are closest lose every second point, until one inner point is left. A lattice without inner
/// points gives none. `spacing_A`: by axis.
std::vector<std::array<AxisCoarsening, 3>> plan_coarsening(const Vec3<std::int64_t>& counts,
                                                           const Vec3<double>& spacing_A);

/// The coarse points whose conductances or reactions depend on a box of fine ones.
PointBox coarse_box(const std::array<AxisCoarsening, 3>& axes, const PointBox& fine);

/// 4 pi l sum_i c_i z_i^2 [1/A^2], c_i in 1/A^3: the reaction of a volume of solution to a small potential.
double linear_reaction_per_A2(const PbSystem& system);

/// The finest level of a system: its own arrays. They must stay where they are.
PbLevel finest_level(const PbSystem& system);

/// The matrix on a lattice and on all coarser ones. A coarse conductance is made of those that it stands for,
/// with the weights of linear interpolation sideways ([1 2 1] / 4 along each axis): the mean of what they are
/// when they are averaged and then put in series along the face's axis, and when each line is put in series
/// and lines are averaged, which lets less through where the dielectric jumps. With three sweeps on coarse
/// levels the mean is better than either. Thus all levels are symmetric and positive definite, and no jump is
/// lost between coarse points. A coarse reaction is the sum of the fine ones with the same weights. 2.3 bytes
/// a point; O(points). Of levels whose planes are shared it has those of this process.
class PbLevels {
 public:
  /// The finest level uses the system's arrays, which must stay where they are. `group`: null for a process
  /// that is alone; else the arrays begin with the first plane that this one has of the whole lattice.
  PbLevels(const PbSystem& system, SimdLevel simd, ThreadPool& pool, RankGroup* group = nullptr);

  /// Levels from the finest on; none for a lattice without inner points.
  std::size_t count() const { return levels_.size(); }
  /// What is here of it.
  const PbLevel& level(std::size_t n) const { return levels_[n]; }
  const SharedPlanes& planes() const { return planes_; }

  /// From level n to n + 1. Along z the planes of level n are those that are here, and plane 0 of level n + 1
  /// is the one that is their first.
  const std::array<AxisCoarsening, 3>& coarsening(std::size_t n) const { return coarsenings_here_[n]; }
  /// Where that plane is among those of level n + 1 that are here.
  int first_coarse_plane(std::size_t n) const;

  /// Makes what depends on the fine points of `changed`, or on conductances and reactions after them, anew.
  /// The box is one of the whole lattice.
  void update(const PointBox& changed);

  /// Puts reactions of all fine points in place of the system's accessibility times a factor, and makes the
  /// coarse ones anew. `reaction` must stay where it is; its ghosts are filled.
  void set_reaction(float* reaction, float factor);

 private:
  struct Arrays {
    LargeArray<float> face_x, face_y, face_z, reaction;
  };

  enum class Parts { all, reaction };

  /// Level n + 1 from level n, at coarse points of the box, which is one of the whole level.
  void coarsen(std::size_t n, const PointBox& box, Parts parts);
  void coarsen_here(std::size_t n, const PointBox& box, Parts parts);

  std::vector<std::array<AxisCoarsening, 3>> coarsenings_;  // of the whole levels
  SharedPlanes planes_;
  std::vector<std::array<AxisCoarsening, 3>> coarsenings_here_;
  std::vector<PbLevel> levels_;
  std::vector<Arrays> arrays_;  // of level n + 1
  const PbTransferKernels& kernels_;
  ThreadPool& pool_;
};

}  // namespace ionwell
