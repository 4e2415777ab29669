// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/ball_cells.hpp"

#include <algorithm>
#include <array>

#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr double ball_cell_A = 4.0;  // balls of atoms and probes are about as large

__global__ void cells_of_balls_kernel(const Ball* balls, std::int64_t count, CellGrid grid,
                                      std::uint32_t* cells) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) cells[n] = std::uint32_t(grid.cell_of(balls[n].centre_A));
}

__global__ void gather_balls_kernel(const Ball* balls, const std::uint32_t* order, std::int64_t count,
                                    Ball* in_order) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) in_order[n] = balls[order[n]];
}

CellGrid cells_around_balls(std::span<const Ball> balls, const Box& box) {
  Box all = box;
  for (const Ball& ball : balls) all = extended(all, ball.centre_A);
  return cells_around(std::array{all.lowest_A, all.highest_A}, ball_cell_A);
}

}  // namespace

BallCells::BallCells(std::vector<Ball> balls, const Box& box, cudaStream_t stream)
    : balls_(std::move(balls)), grid_(cells_around_balls(balls_, box)) {
  largest_A_ = largest_radius_A(balls_);
  sort(stream);
}

void BallCells::add(std::span<const Ball> balls, cudaStream_t stream) {
  if (balls.empty()) return;
  balls_.insert(balls_.end(), balls.begin(), balls.end());
  largest_A_ = std::max(largest_A_, largest_radius_A(balls));
  sort(stream);
}

BallView BallCells::larger_by(double added_A) const {
  return {in_cells_.data(), cells_->order(), cells_->start(), grid_, count(), added_A, largest_A_ + added_A};
}

void BallCells::sort(cudaStream_t stream) {
  constexpr std::size_t spare = 256;  // for ions that come
  std::size_t first = 0;
  if (cells_ != nullptr && balls_.size() <= as_they_came_.size()) {
    first = std::size_t(copied_);
  } else {
    const std::size_t room = balls_.size() + spare;
    as_they_came_ = DeviceBuffer<Ball>(room, "the solute's balls");
    in_cells_ = DeviceBuffer<Ball>(room, "the solute's balls");
    cells_ = std::make_unique<CellSort>(std::int64_t(room), grid_.size(), "the cells of balls");
  }
  as_they_came_.copy_from(std::span(balls_).subspan(first), stream, first);
  copied_ = count();
  cells_of_balls_kernel<<<blocks_for(count()), usual_threads, 0, stream>>>(as_they_came_.data(), count(),
                                                                           grid_, cells_->cell_of_item());
  check_launch("finding the cells of balls");
  cells_->sort(count(), stream);
  gather_balls_kernel<<<blocks_for(count()), usual_threads, 0, stream>>>(
      as_they_came_.data(), cells_->order(), count(), in_cells_.data());
  check_launch("sorting balls into cells");
}

}  // namespace ionwell::gpu
