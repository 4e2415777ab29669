#include "gpu/electrostatics/poisson_boltzmann/v_cycle.hpp"

#include "electrostatics/poisson_boltzmann/solver/pb_sweeps.hpp"
#include "gpu/electrostatics/poisson_boltzmann/march.cuh"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

/// Two points along x for each thread: one of either colour.
constexpr int points_of_pair = 2;

/// Of a pair that begins at `i`, the one of the colour.
__device__ int coloured_point(int i, int j, int k, PointColour colour) {
  return i + ((i + j + k + (colour == PointColour::odd)) & 1);
}

__global__ void __launch_bounds__(march_threads)
    relax_from_zero_kernel(PbLevel level, PointColour colour, const float* __restrict__ b, float* x) {
  const MarchPlace at = march_place(level, points_of_pair);
  if (at.j >= level.ny - 1) return;
  for (int k = at.first; k < at.last; ++k) {
    const int i = coloured_point(at.i, at.j, k, colour);
    if (i >= level.nx - 1) continue;
    const std::int64_t p = i + at.j * level.row_stride() + k * level.plane_stride();
    x[p] = b[p] / diagonal(row_at(level, p));
  }
}

/// `sums`: of b x over both colours, by block; null for none.
__global__ void __launch_bounds__(march_threads)
    relax_kernel(PbLevel level, PointColour colour, const float* __restrict__ b, float* x, double* sums) {
  const MarchPlace at = march_place(level, points_of_pair);
  double sum = 0.0;
  if (at.j < level.ny - 1)
    for (int k = at.first; k < at.last; ++k) {
      const int i = coloured_point(at.i, at.j, k, colour);
      const std::int64_t p = i + at.j * level.row_stride() + k * level.plane_stride();
      if (i < level.nx - 1) {
        const float value = relaxed(row_at(level, p), neighbours_at(level, p, x), b[p]);
        x[p] = value;
        if (sums != nullptr) sum += double(b[p]) * double(value);
      }
      if (sums == nullptr) continue;
      const int other = 2 * at.i + 1 - i;
      const std::int64_t q = p + other - i;
      if (other < level.nx - 1) sum += double(b[q]) * double(x[q]);
    }
  if (sums != nullptr) store_block_sum(sum, sums);
}

/// out = what inner coarse points collect of b - A x, which is zero at odd points and at outermost ones.
__global__ void __launch_bounds__(march_threads)
    collect_residual_kernel(PbLevel level, const float* __restrict__ b, const float* __restrict__ x,
                            LevelAxes axes, PbLevel coarse, float* out) {
  const MarchPlace at = march_place(coarse);
  if (at.i >= coarse.nx - 1 || at.j >= coarse.ny - 1) return;
  const CollectedPoints along_x = collected_by(axes.x, at.i), along_y = collected_by(axes.y, at.j);
  for (int k = at.first; k < at.last; ++k) {
    const CollectedPoints along_z = collected_by(axes.z, k);
    float sum = 0.0f;
#pragma unroll
    for (int c = -1; c <= 1; ++c)
#pragma unroll
      for (int d = -1; d <= 1; ++d)
#pragma unroll
        for (int a = -1; a <= 1; ++a) {
          const float weight = along_z.weight[c + 1] * along_y.weight[d + 1] * along_x.weight[a + 1];
          const int fi = along_x.middle + a, fj = along_y.middle + d, fk = along_z.middle + c;
          if (weight == 0.0f || (fi + fj + fk) % 2 == 1 || fi == 0 || fj == 0 || fk == 0 ||
              fi == level.nx - 1 || fj == level.ny - 1 || fk == level.nz - 1)
            continue;
          const std::int64_t p = fi + fj * level.row_stride() + fk * level.plane_stride();
          sum += weight * (b[p] - applied(row_at(level, p), neighbours_at(level, p, x), x[p]));
        }
    out[at.i + at.j * coarse.row_stride() + k * coarse.plane_stride()] = sum;
  }
}

/// Where a fine point lies between coarse ones.
struct Between {
  int low;
  float low_weight, high_weight;
};

__device__ Between between(const AxisCoarsening& axis, int i) {
  const int low = axis.coarse_below(i);
  if (!axis.between(i)) return {low, 1.0f, 0.0f};
  return {low, axis.high_weight(low), axis.low_weight()};
}

/// x += interpolated coarse values at the even points.
__global__ void __launch_bounds__(march_threads)
    add_interpolated_kernel(PbLevel level, LevelAxes axes, PbLevel coarse, const float* __restrict__ values,
                            float* x) {
  const MarchPlace at = march_place(level, points_of_pair);
  if (at.j >= level.ny - 1) return;
  const Between y = between(axes.y, at.j);
  for (int k = at.first; k < at.last; ++k) {
    const int i = coloured_point(at.i, at.j, k, PointColour::even);
    if (i >= level.nx - 1) continue;
    const Between on_x = between(axes.x, i), z = between(axes.z, k);
    const auto of_row = [&](int row, int plane) {
      const float* const from = values + on_x.low + row * coarse.row_stride() + plane * coarse.plane_stride();
      return on_x.low_weight * from[0] + on_x.high_weight * from[1];
    };
    const auto of_plane = [&](int plane) {
      return y.low_weight * of_row(y.low, plane) +
             (y.high_weight != 0.0f ? y.high_weight * of_row(y.low + 1, plane) : 0.0f);
    };
    const float sum =
        z.low_weight * of_plane(z.low) + (z.high_weight != 0.0f ? z.high_weight * of_plane(z.low + 1) : 0.0f);
    x[i + at.j * level.row_stride() + k * level.plane_stride()] += sum;
  }
}

}  // namespace

VCycle::VCycle(const PbLevels& levels, cudaStream_t stream)
    : levels_(levels), sums_(std::size_t(March(levels.level(0), points_of_pair).blocks())) {
  for (std::size_t n = 1; n < levels.count(); ++n) {
    const std::size_t size = std::size_t(levels.level(n).size());
    const auto vector = [&] { return DeviceBuffer<float>(size, "the coarser lattices"); };
    vectors_.push_back({vector(), vector()});
    vectors_.back().x.zero(stream);
    vectors_.back().b.zero(stream);
  }
}

void VCycle::apply(const float* r, float* z, cudaStream_t stream) {
  const auto b = [&](std::size_t n) { return n == 0 ? r : vectors_[n - 1].b.data(); };
  const auto x = [&](std::size_t n) { return n == 0 ? z : vectors_[n - 1].x.data(); };
  for (std::size_t n = 0; n < levels_.count(); ++n) go_down(n, b(n), x(n), stream);
  for (std::size_t n = levels_.count(); n-- > 0;) go_up(n, b(n), x(n), stream);
}

void VCycle::go_down(std::size_t n, const float* b, float* x, cudaStream_t stream) {
  const PbLevel& level = levels_.level(n);
  const March march(level, points_of_pair);
  relax_from_zero_kernel<<<march.grid(), March::block(), 0, stream>>>(level, PointColour::even, b, x);
  for (int s = 1; s < 2 * sweeps; ++s)
    relax_kernel<<<march.grid(), March::block(), 0, stream>>>(
        level, s % 2 == 0 ? PointColour::even : PointColour::odd, b, x, nullptr);
  check_launch("Gauss-Seidel sweeps");
  if (n + 1 == levels_.count()) return;
  const PbLevel& coarse = levels_.level(n + 1);
  const auto& axes = levels_.coarsening(n);
  collect_residual_kernel<<<March(coarse).grid(), March::block(), 0, stream>>>(level, b, x, level_axes(axes),
                                                                               coarse, vectors_[n].b.data());
  check_launch("a residual for a coarser lattice");
}

void VCycle::go_up(std::size_t n, const float* b, float* x, cudaStream_t stream) {
  const PbLevel& level = levels_.level(n);
  const March march(level, points_of_pair);
  if (n + 1 < levels_.count()) {
    const auto& axes = levels_.coarsening(n);
    add_interpolated_kernel<<<march.grid(), March::block(), 0, stream>>>(
        level, level_axes(axes), levels_.level(n + 1), vectors_[n].x.data(), x);
    check_launch("interpolation from a coarser lattice");
  }
  for (int s = 1; s <= 2 * sweeps; ++s)
    relax_kernel<<<march.grid(), March::block(), 0, stream>>>(
        level, s % 2 == 1 ? PointColour::odd : PointColour::even, b, x,
        n == 0 && s == 2 * sweeps ? sums_.data() : nullptr);
  check_launch("Gauss-Seidel sweeps");
}

}  // namespace ionwell::gpu
