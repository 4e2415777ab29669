// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>

#include "gpu/electrostatics/poisson_boltzmann/block_sums.cuh"
#include "gpu/electrostatics/poisson_boltzmann/stretches.cuh"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

__global__ void set_beta_kernel(const double* sums, std::int64_t count, GradientScalars* scalars) {
  const double product = sum_of_array(sums, count);
  if (threadIdx.x + threadIdx.y > 0) return;
  scalars->beta = scalars->product > 0.0 ? float(product / scalars->product) : 0.0f;
  scalars->product = product;
}

__global__ void set_alpha_kernel(const double* sums, std::int64_t count, GradientScalars* scalars) {
  const double curvature = sum_of_array(sums, count);
  if (threadIdx.x + threadIdx.y > 0) return;
  // r may be exactly 0 when an iteration is begun ahead: then nothing is added.
  scalars->alpha =
      curvature > 0.0 ? float(scalars->product / curvature) : (scalars->product == 0.0 ? 0.0f : NAN);
}

/// `even` and `odd`: pinned memory of the host.
__global__ void set_norm_kernel(const double* sums, std::int64_t count, GradientScalars* scalars,
                                double* even, double* odd) {
  const double norm2 = sum_of_array(sums, count);
  if (threadIdx.x + threadIdx.y == 0) *(scalars->iterations++ % 2 == 0 ? even : odd) = norm2;
}

__global__ void __launch_bounds__(march_threads) clear_kernel(float* values, Stretches stretches) {
  over_stretch(
      stretches, values,
      [&](std::int64_t n) {
        four_at(values, n) = {0.0f, 0.0f, 0.0f, 0.0f};
      },
      [&](std::int64_t n) { values[n] = 0.0f; });
}

/// e += alpha p, of the step before, and p = z + beta p, at every point: the outermost ones stay zero.
/// Without a step or directions before, what was there is not read.
__global__ void __launch_bounds__(march_threads)
    turn_direction_kernel(const float* __restrict__ z, const GradientScalars* scalars, float* __restrict__ p,
                          float* __restrict__ e, Stretches stretches) {
  const float alpha = scalars->alpha, beta = scalars->beta;
  const bool has_step = alpha != 0.0f, has_direction = has_step || beta != 0.0f;
  over_stretch(
      stretches, p,
      [&](std::int64_t n) {
        const float4 before = has_direction ? four_at(p, n) : float4{0.0f, 0.0f, 0.0f, 0.0f};
        if (has_step) four_at(e, n) = plus_scaled(four_at(e, n), alpha, before);
        four_at(p, n) = plus_scaled(four_at(z, n), beta, before);
      },
      [&](std::int64_t n) {
        const float before = has_direction ? p[n] : 0.0f;
        if (has_step) e[n] += alpha * before;
        p[n] = z[n] + beta * before;
      });
}

/// e += alpha p, at every point.
__global__ void __launch_bounds__(march_threads)
    step_correction_kernel(const GradientScalars* scalars, const float* __restrict__ p, float* __restrict__ e,
                           Stretches stretches) {
  const float alpha = scalars->alpha;
  over_stretch(
      stretches, p, [&](std::int64_t n) { four_at(e, n) = plus_scaled(four_at(e, n), alpha, four_at(p, n)); },
      [&](std::int64_t n) { e[n] += alpha * p[n]; });
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

/// phi += e + alpha p, and e = 0, at points [first, last).
__global__ void add_correction_kernel(const GradientScalars* scalars, const float* __restrict__ p,
                                      std::int64_t first, std::int64_t last, float* __restrict__ e,
                                      double* __restrict__ phi) {
  const std::int64_t n = point_of_thread(first, last);
  if (n < 0) return;
  phi[n] += double(e[n] + scalars->alpha * p[n]);
  e[n] = 0.0f;
}

/// r -= alpha s, at every point: `s` is zero at the outermost ones.
__global__ void __launch_bounds__(march_threads)
    step_kernel(const GradientScalars* scalars, const float* __restrict__ s, float* __restrict__ r,
                double* sums, Stretches stretches) {
  const float alpha = scalars->alpha;
  double of_thread = 0.0;
  const auto add_square = [&](float value) { of_thread += double(value) * double(value); };
  over_stretch(
      stretches, r,
      [&](std::int64_t n) {
        const float4 left = plus_scaled(four_at(r, n), -alpha, four_at(s, n));
        four_at(r, n) = left;
        add_square(left.x);
        add_square(left.y);
        add_square(left.z);
        add_square(left.w);
      },
      [&](std::int64_t n) {
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
  if (begun_ != done_) cudaStreamSynchronize(team_.stream());  // it would still write to norms2_
  if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
}

void ConjugateGradients::start() {
  if (!is_clear_) forget_correction();
  scalars_.zero(team_.stream());
  begun_ = done_ = 0;
}

void ConjugateGradients::forget_step() {
  check(cudaMemsetAsync(&scalars_.data()->alpha, 0, sizeof(float), team_.stream()), "conjugate gradients");
}

void ConjugateGradients::add_correction(double* phi_kT_e) {
  const PbLevel& level = levels_.level(0);
  team_.share(level.size(), [&](const Share& share, cudaStream_t stream) {
    const ElementRange range(level, levels_.borders(0), share);
    add_correction_kernel<<<blocks_for(range.last - range.first + points_of_line), usual_threads, 0,
                            stream>>>(scalars_.data(), from_plane_0(p_), range.first, range.last,
                                      from_plane_0(e_), phi_kT_e);
    check_launch("correcting the potential");
  });
  forget_step();
  is_clear_ = true;
}

const float* ConjugateGradients::whole_correction() {
  over_stretches(team_, levels_.level(0), levels_.borders(0), "conjugate gradients", step_correction_kernel,
                 scalars_.data(), from_plane_0(p_), from_plane_0(e_));
  forget_step();
  return from_plane_0(e_);
}

void ConjugateGradients::forget_correction() {
  over_stretches(team_, levels_.level(0), levels_.borders(0).with(plane_ghosts), "conjugate gradients",
                 clear_kernel, from_plane_0(e_));
  is_clear_ = true;
}

void ConjugateGradients::forget_graph() {
  if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
  graph_ = nullptr;
}

double ConjugateGradients::iterate(bool is_followed) {
  is_clear_ = false;
  if (begun_ == done_) begin_iteration();
  const unsigned turn = done_ % 2;
  if (is_followed && !levels_.planes().are_shared()) begin_iteration();
  ended_[turn].wait("conjugate gradients");
  ++done_;
  return std::sqrt(*norms2_[turn]);
}

void ConjugateGradients::begin_iteration() {
  if (levels_.planes().are_shared()) {
    launch_iteration();
  } else {
    prepare();
    check(cudaGraphLaunch(graph_, team_.stream()), "an iteration");
  }
  ended_[begun_++ % 2].record(team_.stream());
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
                 p, e);
  planes.fill_ghosts(0, p, 1);
  march_over(team_, march, levels_.borders(0), level.size(), "conjugate gradients", apply_kernel, level, p, z,
             sums_.data());
  planes.gather_sums(march, sums_.data());
  set_alpha_kernel<<<1, summing_block(), 0, team_.stream()>>>(sums_.data(), march.blocks(), scalars);
  over_stretches(team_, level, levels_.borders(0), "conjugate gradients", step_kernel, scalars, z, r,
                 sums_.data());
  planes.gather_sums(Stretches::of_plane(level), sums_.data());
  set_norm_kernel<<<1, summing_block(), 0, team_.stream()>>>(sums_.data(), sums_of_steps(level), scalars,
                                                             norms2_[0].data(), norms2_[1].data());
  check_launch("conjugate gradients");
}

}  // namespace ionwell::gpu
