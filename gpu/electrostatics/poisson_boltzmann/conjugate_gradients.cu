// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>

#include "gpu/electrostatics/poisson_boltzmann/block_sums.cuh"
#include "gpu/electrostatics/poisson_boltzmann/stretches.cuh"

namespace ionwell::gpu {
namespace {

__global__ void set_beta_kernel(const double* sums, std::int64_t count, GradientScalars* scalars) {
  const double product = sum_of_array(sums, count);
  if (threadIdx.x + threadIdx.y > 0) return;
  scalars->beta = scalars->has_directions ? float(product / scalars->product) : 0.0f;
  scalars->product = product;
  scalars->has_directions = true;
}

__global__ void set_alpha_kernel(const double* sums, std::int64_t count, GradientScalars* scalars) {
  const double curvature = sum_of_array(sums, count);
  if (threadIdx.x + threadIdx.y > 0) return;
  scalars->alpha = curvature > 0.0 ? float(scalars->product / curvature) : NAN;
}

__global__ void set_norm_kernel(const double* sums, std::int64_t count, GradientScalars* scalars) {
  const double norm2 = sum_of_array(sums, count);
  if (threadIdx.x + threadIdx.y == 0) scalars->norm2 = norm2;
}

__global__ void __launch_bounds__(march_threads) clear_kernel(float* values, Stretches stretches) {
  over_stretch(
      stretches, values,
      [&](std::int64_t n) {
        four_at(values, n) = {0.0f, 0.0f, 0.0f, 0.0f};
      },
      [&](std::int64_t n) { values[n] = 0.0f; });
}

/// p = z + beta p, at every point: the outermost ones stay zero.
__global__ void __launch_bounds__(march_threads)
    turn_direction_kernel(const float* __restrict__ z, const GradientScalars* scalars, float* __restrict__ p,
                          Stretches stretches) {
  const float beta = scalars->beta;
  over_stretch(
      stretches, p, [&](std::int64_t n) { four_at(p, n) = plus_scaled(four_at(z, n), beta, four_at(p, n)); },
      [&](std::int64_t n) { p[n] = z[n] + beta * p[n]; });
}

__global__ void __launch_bounds__(march_threads)
    apply_kernel(PbLevel level, const float* __restrict__ p, float* __restrict__ out, double* sums,
                 MarchPart part) {
  const MarchPlace at = march_place(part);
  double sum = 0.0;
  if (at.i < level.nx - 1 && at.j < level.ny - 1)
    for (int k = at.first; k < at.last; ++k) {
      const std::int64_t q = at.i + at.j * level.row_stride() + k * level.plane_stride();
      const float value = applied(row_at(level, q), neighbours_at(level, q, p), p[q]);
      out[q] = value;
      sum += double(p[q]) * double(value);
    }
  store_block_sum(sum, sums, part);
}

/// e += alpha p, r -= alpha s, at every point: `p` and `s` are zero at the outermost ones.
__global__ void __launch_bounds__(march_threads)
    step_kernel(const GradientScalars* scalars, const float* __restrict__ p, const float* __restrict__ s,
                float* __restrict__ e, float* __restrict__ r, double* sums, Stretches stretches) {
  const float alpha = scalars->alpha;
  double of_thread = 0.0;
  const auto add_square = [&](float value) { of_thread += double(value) * double(value); };
  over_stretch(
      stretches, p,
      [&](std::int64_t n) {
        const float4 corrected = plus_scaled(four_at(e, n), alpha, four_at(p, n)),
                     left = plus_scaled(four_at(r, n), -alpha, four_at(s, n));
        four_at(e, n) = corrected;
        four_at(r, n) = left;
        add_square(left.x);
        add_square(left.y);
        add_square(left.z);
        add_square(left.w);
      },
      [&](std::int64_t n) {
        e[n] += alpha * p[n];
        r[n] += -alpha * s[n];
        add_square(r[n]);
      });
  const double of_block = sum_of_block(of_thread);
  if (threadIdx.x + threadIdx.y == 0) sums[stretches.number()] = of_block;
}

std::int64_t sums_of_steps(const PbLevel& level) {
  return std::int64_t(level.nz) * Stretches::of_plane(level);
}

}  // namespace

ConjugateGradients::ConjugateGradients(const PbLevels& levels, const Team& team)
    : levels_(levels),
      team_(team),
      preconditioner_(levels, team),
      sums_(std::size_t(std::max(March(levels.level(0)).blocks(), sums_of_steps(levels.level(0))))),
      scalars_(1) {
  for (DeviceBuffer<float>* const vector : {&r_, &e_, &p_, &z_}) {
    *vector = DeviceBuffer<float>(levels.planes().size(0), "conjugate gradients");
    vector->zero(team.stream());
  }
  scalars_.zero(team.stream());
}

ConjugateGradients::~ConjugateGradients() {
  if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
}

void ConjugateGradients::start() {
  clear(e_);
  clear(p_);
  scalars_.zero(team_.stream());
}

void ConjugateGradients::clear(DeviceBuffer<float>& vector) {
  over_stretches(team_, levels_.level(0), levels_.borders(0).with(plane_ghosts), "conjugate gradients",
                 clear_kernel, from_plane_0(vector));
}

void ConjugateGradients::forget_graph() {
  if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
  graph_ = nullptr;
}

double ConjugateGradients::iterate() {
  if (levels_.planes().are_shared()) {
    launch_iteration();
  } else {
    prepare();
    check(cudaGraphLaunch(graph_, team_.stream()), "an iteration");
  }
  check(cudaStreamSynchronize(team_.stream()), "conjugate gradients");
  return std::sqrt(*norm2_);
}

void ConjugateGradients::prepare() {
  if (graph_ != nullptr || levels_.planes().are_shared()) return;
  check(cudaStreamBeginCapture(team_.stream(), cudaStreamCaptureModeThreadLocal), "recording an iteration");
  try {
    launch_iteration();
  } catch (...) {
    cudaGraph_t broken = nullptr;
    cudaStreamEndCapture(team_.stream(), &broken);
    if (broken != nullptr) cudaGraphDestroy(broken);
    throw;
  }
  cudaGraph_t recorded = nullptr;
  check(cudaStreamEndCapture(team_.stream(), &recorded), "recording an iteration");
  const cudaError_t status = cudaGraphInstantiate(&graph_, recorded, 0);
  cudaGraphDestroy(recorded);
  check(status, "preparing an iteration");
  check(cudaGraphUpload(graph_, team_.stream()), "preparing an iteration");
}

void ConjugateGradients::launch_iteration() {
  const PbLevel& level = levels_.level(0);
  const March march(level);
  const SharedPlanes& planes = levels_.planes();
  GradientScalars* const scalars = scalars_.data();
  float *const r = from_plane_0(r_), *const e = from_plane_0(e_), *const p = from_plane_0(p_),
               *const z = from_plane_0(z_);
  preconditioner_.apply(r, z);
  const DeviceBuffer<double>& products = preconditioner_.sums();
  set_beta_kernel<<<1, summing_block(), 0, team_.stream()>>>(products.data(), std::int64_t(products.size()),
                                                             scalars);
  over_stretches(team_, level, levels_.borders(0), "conjugate gradients", turn_direction_kernel, z, scalars,
                 p);
  planes.fill_ghosts(0, p, 1);
  march_over(team_, march, levels_.borders(0), level.size(), "conjugate gradients", apply_kernel, level, p, z,
             sums_.data());
  planes.gather_sums(march, sums_.data());
  set_alpha_kernel<<<1, summing_block(), 0, team_.stream()>>>(sums_.data(), march.blocks(), scalars);
  over_stretches(team_, level, levels_.borders(0), "conjugate gradients", step_kernel, scalars, p, z, e, r,
                 sums_.data());
  planes.gather_sums(Stretches::of_plane(level), sums_.data());
  set_norm_kernel<<<1, summing_block(), 0, team_.stream()>>>(sums_.data(), sums_of_steps(level), scalars);
  check_launch("conjugate gradients");
  check(
      cudaMemcpyAsync(norm2_.data(), &scalars->norm2, sizeof(double), cudaMemcpyDeviceToHost, team_.stream()),
      "reading a norm");
}

}  // namespace ionwell::gpu
