// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/ball_cells.hpp"

#include <algorithm>
#include <array>

#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr double ball_cell_A = 4.0;  // balls of atoms and probes are about as large

__global__ void balls_of_atoms_kernel(const SoluteAtom* atoms, std::int64_t count, Ball* balls) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) balls[n] = {atoms[n].position_A, atoms[n].radius_A};
}

__global__ void cells_of_balls_kernel(const Ball* balls, std::int64_t count, CellGrid grid,
                                      std::uint32_t* cells) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const Ball ball = balls[n];
  cells[n] = std::uint32_t(ball.radius_A > 0.0 ? grid.cell_of(ball.centre_A) : grid.size());
}

__global__ void gather_balls_kernel(const Ball* balls, const std::uint32_t* order, std::int64_t count,
                                    Ball* in_order) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < count) in_order[n] = balls[order[n]];
}

}  // namespace

BallCells::BallCells(const SoluteAtoms& atoms, const DeviceBuffer<SoluteAtom>& on_device, const Box& box,
                     cudaStream_t stream)
    : grid_(cells_around(
          std::array{box.lowest_A, box.highest_A, atoms.around_A.lowest_A, atoms.around_A.highest_A},
          ball_cell_A)),
      came_(std::ssize(atoms.span())),
      count_(atoms.balls),
      largest_A_(atoms.largest_radius_A) {
  make_room(atoms.atoms.size());
  balls_of_atoms_kernel<<<blocks_for(came_), usual_threads, 0, stream>>>(on_device.data(), came_,
                                                                         as_they_came_.data());
  check_launch("the balls of atoms");
  sort(stream);
}

void BallCells::add(std::span<const Ball> balls, cudaStream_t stream) {
  if (balls.empty()) return;
  const auto before = std::size_t(came_), after = before + balls.size();
  if (after > as_they_came_.size()) {
    const DeviceBuffer<Ball> had = std::move(as_they_came_);
    make_room(after);
    check(cudaMemcpyAsync(as_they_came_.data(), had.data(), before * sizeof(Ball), cudaMemcpyDeviceToDevice,
                          stream),
          "making room for balls");
    check(cudaStreamSynchronize(stream), "making room for balls");
  }
  as_they_came_.copy_from(balls, stream, before);
  came_ = std::int64_t(after);
  count_ += std::ssize(balls);
  largest_A_ = std::max(largest_A_, largest_radius_A(balls));
  sort(stream);
}

BallView BallCells::larger_by(double added_A) const {
  return {in_cells_.data(), cells_->order(), cells_->start(), grid_, count_, added_A, largest_A_ + added_A};
}

void BallCells::make_room(std::size_t balls) {
  constexpr std::size_t spare = 256;  // for ions that come
  const std::size_t room = balls + spare;
  as_they_came_ = DeviceBuffer<Ball>(room, "the solute's balls");
  in_cells_ = DeviceBuffer<Ball>(room, "the solute's balls");
  cells_ = std::make_unique<CellSort>(std::int64_t(room), grid_.size() + 1, "the cells of balls");
}

void BallCells::sort(cudaStream_t stream) {
  cells_of_balls_kernel<<<blocks_for(came_), usual_threads, 0, stream>>>(as_they_came_.data(), came_, grid_,
                                                                         cells_->cell_of_item());
  check_launch("finding the cells of balls");
  cells_->sort(came_, stream);
  gather_balls_kernel<<<blocks_for(came_), usual_threads, 0, stream>>>(as_they_came_.data(), cells_->order(),
                                                                       came_, in_cells_.data());
  check_launch("sorting balls into cells");
}

}  // namespace ionwell::gpu
