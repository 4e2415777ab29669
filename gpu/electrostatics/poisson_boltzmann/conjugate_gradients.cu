#include "gpu/electrostatics/poisson_boltzmann/conjugate_gradients.hpp"

#include <algorithm>
#include <cmath>

#include "gpu/electrostatics/poisson_boltzmann/block_sums.cuh"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr unsigned most_blocks = 2048;  // that go over long arrays again and again: they fill a device

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
__global__ void turn_direction_kernel(std::int64_t first, std::int64_t last, const float* __restrict__ z,
                                      const GradientScalars* scalars, float* __restrict__ p) {
  const float beta = scalars->beta;
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t n = first + std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; n < last; n += step)
    p[n] = z[n] + beta * p[n];
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

/// e += alpha p, r -= alpha s, where `s` is zero at the outermost points.
__global__ void __launch_bounds__(march_threads)
    step_kernel(PbLevel level, const GradientScalars* scalars, const float* __restrict__ p,
                const float* __restrict__ s, float* __restrict__ e, float* __restrict__ r, double* sums,
                MarchPart part) {
  const MarchPlace at = march_place(part);
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
  store_block_sum(sum, sums, part);
}

}  // namespace

ConjugateGradients::ConjugateGradients(const PbLevels& levels, const Team& team)
    : levels_(levels),
      team_(team),
      preconditioner_(levels, team),
      sums_(std::size_t(March(levels.level(0)).blocks())),
      scalars_(1),
      norm2_(1) {
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
  e_.zero(team_.stream());
  p_.zero(team_.stream());
  scalars_.zero(team_.stream());
}

void ConjugateGradients::forget_graph() {
  if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
  graph_ = nullptr;
}

double ConjugateGradients::iterate() {
  if (levels_.planes().are_shared())
    launch_iteration();
  else
    launch_graph();
  check(cudaStreamSynchronize(team_.stream()), "conjugate gradients");
  return std::sqrt(*norm2_.data());
}

void ConjugateGradients::launch_graph() {
  if (graph_ == nullptr) {
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
  }
  check(cudaGraphLaunch(graph_, team_.stream()), "an iteration");
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
  set_beta_kernel<<<1, March::block(), 0, team_.stream()>>>(products.data(), std::int64_t(products.size()),
                                                            scalars);
  team_.share(level.size(), [&](const Share& share, cudaStream_t stream) {
    const ElementRange range(level, levels_.borders(0), share);
    turn_direction_kernel<<<std::min(blocks_for(range.last - range.first), most_blocks), usual_threads, 0,
                            stream>>>(range.first, range.last, z, scalars, p);
    check_launch("conjugate gradients");
  });
  planes.fill_ghosts(0, p, 1);
  march_over(team_, march, levels_.borders(0), level.size(), "conjugate gradients", apply_kernel, level, p, z,
             sums_.data());
  planes.gather_sums(march, sums_.data());
  set_alpha_kernel<<<1, March::block(), 0, team_.stream()>>>(sums_.data(), march.blocks(), scalars);
  march_over(team_, march, levels_.borders(0), level.size(), "conjugate gradients", step_kernel, level,
             scalars, p, z, e, r, sums_.data());
  planes.gather_sums(march, sums_.data());
  set_norm_kernel<<<1, March::block(), 0, team_.stream()>>>(sums_.data(), march.blocks(), scalars);
  check_launch("conjugate gradients");
  check(
      cudaMemcpyAsync(norm2_.data(), &scalars->norm2, sizeof(double), cudaMemcpyDeviceToHost, team_.stream()),
      "reading a norm");
}

}  // namespace ionwell::gpu
