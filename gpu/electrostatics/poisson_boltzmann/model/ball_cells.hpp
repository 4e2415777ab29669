// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <span>
#include "core/cell_grid.hpp"
#include "electrostatics/poisson_boltzmann/model/ball.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/solute_atoms.hpp"
#include "gpu/runtime/cell_sort.hpp"
#include "gpu/runtime/device_buffer.hpp"

namespace ionwell::gpu {

/// Balls in the order of their cells, as kernels take them: larger by `added_A` than they are.
struct BallView {
  const Ball* balls = nullptr;
  const std::uint32_t* numbers = nullptr;  // in the order in which they came
  const std::uint32_t* start = nullptr;    // of each cell, and the end of the last
  CellGrid grid;
  std::int64_t count = 0;
  double added_A = 0.0, largest_A = 0.0;  // the largest radius, with what is added

  __device__ Ball at(std::int64_t n) const { return {balls[n].centre_A, balls[n].radius_A + added_A}; }
};

/// Balls on the current device, sorted into cells, to find those near a place.
class BallCells {
 public:
  /// Balls of those atoms that have a radius: `on_device` are the same atoms there. Cells around `box` and
  /// the atoms; balls that come later had best be in the box.
  BallCells(const SoluteAtoms& atoms, const DeviceBuffer<SoluteAtom>& on_device, const Box& box,
            cudaStream_t stream);

  void add(std::span<const Ball> balls, cudaStream_t stream);

  BallView larger_by(double added_A) const;

 private:
  void make_room(std::size_t balls);
  void sort(cudaStream_t stream);

  CellGrid grid_;
  std::int64_t came_ = 0, count_ = 0;  // count_: of those that came and have a radius
  double largest_A_ = 0.0;
  DeviceBuffer<Ball> as_they_came_, in_cells_;  // those without a radius behind the last cell
  std::unique_ptr<CellSort> cells_;
};

}  // namespace ionwell::gpu
