#include "gpu/electrostatics/poisson_boltzmann/conjugate_gradients.hpp"

#include <cmath>

#include "gpu/electrostatics/poisson_boltzmann/block_sums.cuh"
#include "gpu/runtime/launch.hpp"

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

/// p = z + beta p, at every point: the outermost ones stay zero.
__global__ void turn_direction_kernel(std::int64_t size, const float* __restrict__ z,
                                      const GradientScalars* scalars, float* __restrict__ p) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n < size) p[n] = z[n] + scalars->beta * p[n];
}

__global__ void __launch_bounds__(march_threads)
    apply_kernel(PbLevel level, const float* __restrict__ p, float* __restrict__ out, double* sums) {
  const MarchPlace at = march_place(level);
  double sum = 0.0;
  if (at.i < level.nx - 1 && at.j < level.ny - 1)
    for (int k = at.first; k < at.last; ++k) {
      const std::int64_t q = at.i + at.j * level.row_stride() + k * level.plane_stride();
      const float value = applied(row_at(level, q), neighbours_at(level, q, p), p[q]);
      out[q] = value;
      sum += double(p[q]) * double(value);
    }
  store_block_sum(sum, sums);
}

/// e += alpha p, r -= alpha s, where `s` is zero at the outermost points.
__global__ void __launch_bounds__(march_threads)
    step_kernel(PbLevel level, const GradientScalars* scalars, const float* __restrict__ p,
                const float* __restrict__ s, float* __restrict__ e, float* __restrict__ r, double* sums) {
  const MarchPlace at = march_place(level);
  const float alpha = scalars->alpha;
  double sum = 0.0;
  if (at.i < level.nx - 1 && at.j < level.ny - 1)
    for (int k = at.first; k < at.last; ++k) {
      const std::int64_t q = at.i + at.j * level.row_stride() + k * level.plane_stride();
      e[q] += alpha * p[q];
      const float left = r[q] - alpha * s[q];
      r[q] = left;
      sum += double(left) * double(left);
    }
  store_block_sum(sum, sums);
}

}  // namespace

ConjugateGradients::ConjugateGradients(const PbLevels& levels, cudaStream_t stream)
    : levels_(levels),
      stream_(stream),
      preconditioner_(levels, stream),
      sums_(std::size_t(March(levels.level(0)).blocks())),
      scalars_(1),
      norm2_(1) {
  for (DeviceBuffer<float>* const vector : {&r_, &e_, &p_, &z_}) {
    *vector = DeviceBuffer<float>(std::size_t(levels.level(0).size()), "conjugate gradients");
    vector->zero(stream);
  }
  scalars_.zero(stream);
}

ConjugateGradients::~ConjugateGradients() {
  if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
}

void ConjugateGradients::start() {
  e_.zero(stream_);
  p_.zero(stream_);
  scalars_.zero(stream_);
}

void ConjugateGradients::forget_graph() {
  if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
  graph_ = nullptr;
}

double ConjugateGradients::iterate() {
  if (graph_ == nullptr) {
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "recording an iteration");
    try {
      launch_iteration();
    } catch (...) {
      cudaGraph_t broken = nullptr;
      cudaStreamEndCapture(stream_, &broken);
      if (broken != nullptr) cudaGraphDestroy(broken);
      throw;
    }
    cudaGraph_t recorded = nullptr;
    check(cudaStreamEndCapture(stream_, &recorded), "recording an iteration");
    const cudaError_t status = cudaGraphInstantiate(&graph_, recorded, 0);
    cudaGraphDestroy(recorded);
    check(status, "preparing an iteration");
  }
  check(cudaGraphLaunch(graph_, stream_), "an iteration");
  check(cudaStreamSynchronize(stream_), "conjugate gradients");
  return std::sqrt(*norm2_.data());
}

void ConjugateGradients::launch_iteration() {
  const PbLevel& level = levels_.level(0);
  const March march(level);
  GradientScalars* const scalars = scalars_.data();
  preconditioner_.apply(r_.data(), z_.data(), stream_);
  const DeviceBuffer<double>& products = preconditioner_.sums();
  set_beta_kernel<<<1, March::block(), 0, stream_>>>(products.data(), std::int64_t(products.size()), scalars);
  turn_direction_kernel<<<blocks_for(level.size()), usual_threads, 0, stream_>>>(level.size(), z_.data(),
                                                                                 scalars, p_.data());
  apply_kernel<<<march.grid(), March::block(), 0, stream_>>>(level, p_.data(), z_.data(), sums_.data());
  set_alpha_kernel<<<1, March::block(), 0, stream_>>>(sums_.data(), march.blocks(), scalars);
  step_kernel<<<march.grid(), March::block(), 0, stream_>>>(level, scalars, p_.data(), z_.data(), e_.data(),
                                                            r_.data(), sums_.data());
  set_norm_kernel<<<1, March::block(), 0, stream_>>>(sums_.data(), march.blocks(), scalars);
  check_launch("conjugate gradients");
  check(cudaMemcpyAsync(norm2_.data(), &scalars->norm2, sizeof(double), cudaMemcpyDeviceToHost, stream_),
        "reading a norm");
}

}  // namespace ionwell::gpu
