// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/red_black/plane_ring.hpp"
#include "electrostatics/poisson_boltzmann/solver/red_black/red_black_level.hpp"
#include "electrostatics/poisson_boltzmann/solver/v_cycle.hpp"

namespace ionwell {

/// The V-cycle of all levels for the even points of the finest, whose odd points always fulfil their
/// equations: it is a preconditioner of 1 - B B', the matrix that is left of 1 - B when they are taken out.
/// A sweep is x = r + B B' x, and what it has at odd points is kept for a few planes only. As VCycle it is
/// linear, symmetric and positive definite. 0.7 bytes a point, and some planes for each thread.
class RedBlackCycle {
 public:
  /// All must stay. `levels` has at least one.
  RedBlackCycle(const RedBlackLevel& half, const PbLevels& levels, SimdLevel simd, ThreadPool& pool);

  /// z = M r; returns the scalar product of r and z. Both are zero at points that are given; of z nothing
  /// else is read. Where planes are shared, ghosts of r are filled.
  double apply(float* r, float* z);

 private:
  struct Slab {
    PlaneRing odd, odd_after, even;
    PlaneSlab planes;
    std::vector<float> collected, row;
  };

  void go_down(float* r, float* z);
  double go_up(const float* r, float* z);
  PlaneSpan made_planes() const;
  PlaneSpan coarse_range(int slab) const;
  int begin_of(int coarse_plane) const;
  void collect(Slab& slab, int coarse_plane);

  const RedBlackLevel& half_;
  const PbLevels& levels_;
  const RedBlackKernels& kernels_;
  ThreadPool& pool_;
  VCycle coarse_;
  LargeArray<float> coarse_b_, coarse_x_;
  std::vector<Slab> slabs_;
  const SharedPlanes& planes_;
  std::vector<double> sums_;  // by plane of the whole lattice
};

}  // namespace ionwell
