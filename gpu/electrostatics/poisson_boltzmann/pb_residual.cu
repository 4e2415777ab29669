// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/pb_residual.hpp"

#include <cmath>
#include <numbers>

#include "gpu/electrostatics/poisson_boltzmann/block_sums.cuh"

namespace ionwell::gpu {
namespace {

__device__ PbRow<double> wide(const PbRow<float>& a) {
  return {double(a.x_low), double(a.x_high), double(a.y_low),   double(a.y_high),
          double(a.z_low), double(a.z_high), double(a.reaction)};
}

/// Calls work(k, p, row, around, here) for the points of a thread's column, with each one's row of A and the
/// potential around it and there: what two planes share is read once.
template <typename Work>
__device__ void along_column(const PbLevel& level, const double* __restrict__ phi, const MarchPlace& at,
                             const Work& work) {
  const std::int64_t of_row = level.row_stride(), plane = level.plane_stride();
  std::int64_t p = at.i + at.j * of_row + at.first * plane;
  float z_low = level.factor_z * __ldg(level.face_z + p - plane);
  double below = phi[p - plane], here = phi[p];
  for (int k = at.first; k < at.last; ++k, p += plane) {
    const double above = phi[p + plane];
    const float z_high = level.factor_z * __ldg(level.face_z + p);
    const PbRow<float> row{level.factor_x * __ldg(level.face_x + p - 1),
                           level.factor_x * __ldg(level.face_x + p),
                           level.factor_y * __ldg(level.face_y + p - of_row),
                           level.factor_y * __ldg(level.face_y + p),
                           z_low,
                           z_high,
                           level.reaction_factor * __ldg(level.reaction + p)};
    work(k, p, row,
         PbNeighbours<double>{phi[p - 1], phi[p + 1], phi[p - of_row], phi[p + of_row], below, above}, here);
    below = here;
    here = above;
    z_low = z_high;
  }
}

/// Calls work(p) for the thread's inner points: a part of a sum; the block's sum goes to `sums`.
template <typename Work>
__device__ void sum_over_points(const PbLevel& level, double* sums, const MarchPart& part, const Work& work) {
  double sum = 0.0;
  const MarchPlace at = march_place(part);
  if (at.i < level.nx - 1 && at.j < level.ny - 1)
    for (int k = at.first; k < at.last; ++k)
      sum += work(at.i + at.j * level.row_stride() + k * level.plane_stride());
  store_block_sum(sum, sums, part);
}

/// What charges and given potentials put into a point.
__device__ double right_side_at(const PbLevel& level, const PbRow<double>& a, const PbNeighbours<double>& phi,
                                double charge, int i, int j, int k) {
  double value = charge;
  if (i == 1) value += a.x_low * phi.x_low;
  if (i == level.nx - 2) value += a.x_high * phi.x_high;
  if (j == 1) value += a.y_low * phi.y_low;
  if (j == level.ny - 2) value += a.y_high * phi.y_high;
  if (k == 1) value += a.z_low * phi.z_low;
  if (k == level.nz - 2) value += a.z_high * phi.z_high;
  return value;
}

/// `slope` and `accessibility`: null for the linear equation; `right_sides`: sums of squares of the right
/// side, or null.
__global__ void __launch_bounds__(march_threads)
    residual_kernel(PbLevel level, const double* __restrict__ phi, const float* __restrict__ charge_e,
                    double charge_factor, const float* __restrict__ accessibility, double volume_A3,
                    IonicSolution ions, float* __restrict__ residual, float* __restrict__ slope, double* sums,
                    double* right_sides, MarchPart part) {
  double sum = 0.0, of_right_side = 0.0;
  const MarchPlace at = march_place(part);
  const auto add = [&](int k, std::int64_t p, const PbRow<float>& of_level,
                       const PbNeighbours<double>& around, double here) {
    const PbRow<double> row = wide(of_level);
    const double charge = charge_factor * double(charge_e[p]);
    if (right_sides != nullptr) {
      const double right_side = right_side_at(level, row, around, charge, at.i, at.j, k);
      of_right_side += right_side * right_side;
    }
    double value = residual_of_differences(row, around, here, charge);
    if (slope != nullptr) {
      const double of_point = volume_A3 * double(accessibility[p]);
      IonicSolution::Answer answer{0.0, 0.0};
      if (of_point > 0.0) answer = ions.at(here);
      value -= of_point * answer.reaction;
      slope[p] = float(of_point * answer.slope);
    }
    residual[p] = float(value);
    sum += value * value;
  };
  if (at.i < level.nx - 1 && at.j < level.ny - 1) along_column(level, phi, at, add);
  store_block_sum(sum, sums, part);
  if (right_sides == nullptr) return;
  __syncthreads();
  store_block_sum(of_right_side, right_sides, part);
}

__global__ void __launch_bounds__(march_threads)
    newton_step_kernel(PbLevel level, const float* __restrict__ step, const float* __restrict__ accessibility,
                       double volume_A3, IonicSolution ions, double* phi, double* sums, MarchPart part) {
  sum_over_points(level, sums, part, [&](std::int64_t p) {
    const double of_point = volume_A3 * double(accessibility[p]);
    const double whole = double(step[p]);
    phi[p] += of_point > 0.0 ? ions.bounded_step(phi[p], whole, double(diagonal(row_at(level, p))) / of_point)
                             : whole;
    return 0.0;
  });
}

__global__ void __launch_bounds__(march_threads)
    beyond_cap_kernel(PbLevel level, const double* phi, const float* accessibility, IonicSolution ions,
                      double* sums, MarchPart part) {
  sum_over_points(level, sums, part, [&](std::int64_t p) {
    return accessibility[p] > 0.0f && !ions.is_below_cap(phi[p]) ? 1.0 : 0.0;
  });
}

__global__ void total_kernel(const double* sums, std::int64_t count, double* total) {
  const double sum = sum_of_array(sums, count);
  if (threadIdx.x + threadIdx.y == 0) *total = sum;
}

}  // namespace

PbResidual::PbResidual(const PbSystem& system, const PbLevels& levels, const IonicSolution* ions,
                       const Team& team)
    : team_(team),
      planes_(levels.planes()),
      level_(levels.level(0)),
      borders_(levels.borders(0)),
      accessibility_(levels.accessibility()),
      ions_(ions != nullptr ? *ions : IonicSolution{}),
      is_nonlinear_(ions != nullptr),
      volume_A3_(system.lattice.spacing_A.x * system.lattice.spacing_A.y * system.lattice.spacing_A.z),
      charge_factor_(4.0 * std::numbers::pi * system.bjerrum_A),
      sums_(std::size_t(March(level_).blocks()) + 1),
      right_sides_(sums_.size()) {
  if (is_nonlinear_) level_.reaction_factor = 0.0f;
}

PbResidual::Norms PbResidual::of_start(double* phi_kT_e, const float* charge_e, float* residual,
                                       float* slope) {
  launch(phi_kT_e, charge_e, residual, slope, right_sides_.data());
  return {std::sqrt(total(sums_)), std::sqrt(total(right_sides_))};
}

double PbResidual::at(double* phi_kT_e, const float* charge_e, float* residual, float* slope) {
  launch(phi_kT_e, charge_e, residual, slope, nullptr);
  return std::sqrt(total(sums_));
}

void PbResidual::launch(double* phi_kT_e, const float* charge_e, float* residual, float* slope,
                        double* right_sides) {
  planes_.fill_ghosts(0, phi_kT_e, 1);
  march_over(team_, March(level_), borders_, level_.size(), "a residual", residual_kernel, level_, phi_kT_e,
             charge_e, charge_factor_, accessibility_, volume_A3_, ions_, residual, slope, sums_.data(),
             right_sides);
}

void PbResidual::add_newton_step(const float* step_kT_e, double* phi_kT_e) {
  march_over(team_, March(level_), borders_, level_.size(), "a step of Newton's method", newton_step_kernel,
             level_, step_kT_e, accessibility_, volume_A3_, ions_, phi_kT_e, sums_.data());
}

std::int64_t PbResidual::points_beyond_cap(const double* phi_kT_e) {
  march_over(team_, March(level_), borders_, level_.size(), "looking for high potentials", beyond_cap_kernel,
             level_, phi_kT_e, accessibility_, ions_, sums_.data());
  return std::int64_t(total(sums_));
}

double PbResidual::total(DeviceBuffer<double>& sums) {
  const std::int64_t count = std::int64_t(sums.size()) - 1;
  planes_.gather_sums(March(level_), sums.data());
  total_kernel<<<1, summing_block(), 0, team_.stream()>>>(sums.data(), count, sums.data() + count);
  check_launch("a residual");
  double sum = 0.0;
  sums.copy_to(std::span(&sum, 1), team_.stream(), std::size_t(count));
  return sum;
}

}  // namespace ionwell::gpu
