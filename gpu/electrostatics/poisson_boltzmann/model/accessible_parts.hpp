// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <span>

#include "core/box.hpp"
#include "electrostatics/poisson_boltzmann/model/accessible_surface.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/ball_cells.hpp"

namespace ionwell::gpu {

/// The caps on a sphere, from `first`; -1 of them where no part of it is on the surface.
struct CapRange {
  std::int32_t first, count;
};

/// Whose arc it is: the place of the ball that cut it, and its number among that ball's.
struct ArcOrigin {
  std::uint32_t place, number;
};

/// An AccessibleSurface as kernels take it: `caps_of` by the balls' places in their cells, arcs in cells of
/// their own in the same grid, each with the ball around it.
struct PartsView {
  BallView balls;
  const CapRange* caps_of = nullptr;
  const SphereCap* caps = nullptr;
  const AccessibleArc* arcs = nullptr;
  const Ball* around_arcs = nullptr;
  const std::uint32_t* arc_start = nullptr;
};

/// accessible_surface (lib's) on the current device, in the same fp64 arithmetic. Keeps its memory from one
/// surface to the next. Where caps and arcs are differs from run to run, and what order a brick sees them in
/// does not.
class PartsFinder {
 public:
  /// How many there are of each, perhaps more than there was room for.
  struct Counts {
    std::uint32_t owners, caps, arcs;
    std::int32_t most_met;  // spheres that meet one, where there was no room for them; 0: there was
  };
  /// The parts of the surface of balls that lie within `reach_A` of some boxes, until the next call.
  PartsView find(const BallView& balls, std::span<const Box> near, double reach_A, cudaStream_t stream);

 private:
  void cut(const BallView& balls, std::uint32_t owners, cudaStream_t stream);
  void put_arcs_in_order(const BallView& balls, std::int64_t arcs, cudaStream_t stream);
  Counts read_counts(cudaStream_t stream) const;

  DeviceBuffer<Box> near_;
  DeviceBuffer<Counts> counts_;
  DeviceBuffer<std::uint32_t> owners_;
  DeviceBuffer<unsigned char> is_owner_, has_arc_;
  int room_of_warp_ = 160;        // for spheres that meet one: in a protein up to 140
  DeviceBuffer<double> numbers_;  // of them, for each warp
  DeviceBuffer<std::int32_t> places_;
  DeviceBuffer<CapRange> caps_of_;
  DeviceBuffer<SphereCap> caps_;
  DeviceBuffer<AccessibleArc> arcs_, sorted_arcs_;
  DeviceBuffer<ArcOrigin> arc_origins_;
  DeviceBuffer<std::uint32_t> arcs_of_, first_arc_of_, arc_order_;  // the first two by the places of balls
  DeviceBuffer<unsigned char> scan_space_;
  DeviceBuffer<Ball> around_arcs_;
  std::unique_ptr<CellSort> arc_cells_;
  std::size_t arc_cells_room_ = 0;
};

}  // namespace ionwell::gpu
