// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/periodic_mesh.hpp"

#include <algorithm>
#include <cmath>

#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

constexpr int mesh_warps = 8;  // of a thread block, each with a charge or point of its own
constexpr int most_width = MeshWindow::largest_width;  // half of a warp
static_assert(most_width == 16);

/// A warp's window: where it begins, and its weights along each axis.
struct WarpWindow {
  int first[3];
  const double* weights;  // [axis][point], of the warp
};

/// `weights` has room for three axes.
__device__ WarpWindow warp_window(const MeshFrame& mesh, const Vec3<double>& position_A, double* weights) {
  const int lane = int(threadIdx.x) % 32, p = lane % most_width;
  const double fraction[3] = {dot(mesh.reciprocal.a, position_A), dot(mesh.reciprocal.b, position_A),
                              dot(mesh.reciprocal.c, position_A)};
  const int points[3] = {mesh.points.x, mesh.points.y, mesh.points.z};
  WarpWindow window{{}, weights};
  for (int axis = 0; axis < 3; ++axis) {
    const MeshPosition at = mesh_position(fraction[axis], points[axis], mesh.width);
    window.first[axis] = at.first;
    if (lane < most_width) {
      double w = 0.0;
      if (p < mesh.width)
        for (int d = MeshWindow::terms - 1; d >= 0; --d) w = w * at.t + mesh.polynomials[d * mesh.width + p];
      weights[axis * most_width + p] = w;
    }
  }
  __syncwarp();
  return window;
}

/// Calls use(place in the grid, weight) for the lane's part of the window.
template <typename Use>
__device__ void for_each_weight(const MeshFrame& mesh, const WarpWindow& window, const Use& use) {
  const int lane = int(threadIdx.x) % 32, i = lane % most_width;
  if (i >= mesh.width) return;
  const double of_x = window.weights[i];
  for (int r = lane / most_width; r < mesh.width * mesh.width; r += 2) {
    const int k = r / mesh.width, j = r - k * mesh.width;
    int z = window.first[2] + k, y = window.first[1] + j;
    z -= z < mesh.points.z ? 0 : mesh.points.z;
    y -= y < mesh.points.y ? 0 : mesh.points.y;
    use(mesh.plane * z + mesh.row * y + window.first[0] + i,
        window.weights[2 * most_width + k] * window.weights[most_width + j] * of_x);
  }
}

__global__ void spread_kernel(MeshFrame mesh, const PointCharge* charges, std::int64_t count, double per_unit,
                              unsigned long long* grid) {
  __shared__ double weights[mesh_warps][3 * most_width];
  const int warp = int(threadIdx.x) / 32;
  const std::int64_t n = std::int64_t(blockIdx.x) * mesh_warps + warp;
  if (n >= count) return;
  const WarpWindow window = warp_window(mesh, charges[n].position_A, weights[warp]);
  const double value = charges[n].charge_e * per_unit;
  for_each_weight(mesh, window, [&](std::int64_t at, double weight) {
    atomicAdd(grid + at, static_cast<unsigned long long>(__double2ll_rn(value * weight)));
  });
}

/// Fixed point to floating point, in place, with what lies in the overhang.
__global__ void fold_kernel(MeshFrame mesh, double* grid, double unit) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t rows = std::int64_t(mesh.points.y) * mesh.points.z;
  if (n >= rows * mesh.points.x) return;
  const std::int64_t r = n / mesh.points.x;
  const int i = int(n - r * mesh.points.x);
  double* row = grid + mesh.row * r;
  long long sum = __double_as_longlong(row[i]);
  if (i < mesh.width) sum += __double_as_longlong(row[mesh.points.x + i]);
  row[i] = double(sum) * unit;
}

__global__ void fill_kernel(MeshFrame mesh, double* grid) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t rows = std::int64_t(mesh.points.y) * mesh.points.z;
  if (n >= rows * mesh.width) return;
  double* row = grid + mesh.row * (n / mesh.width);
  row[mesh.points.x + n % mesh.width] = row[n % mesh.width];
}

__global__ void filter_kernel(MeshFrame mesh, MeshFactors factors, double* grid) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  const int half = mesh.points.x / 2 + 1;
  const std::int64_t r = n / half;
  if (r >= std::int64_t(mesh.points.y) * mesh.points.z) return;
  const int x = int(n - r * half), y = int(r % mesh.points.y), z = int(r / mesh.points.y);
  const int h_y = y < (mesh.points.y + 1) / 2 ? y : y - mesh.points.y,
            h_z = z < (mesh.points.z + 1) / 2 ? z : z - mesh.points.z;
  const double factor = factors.at(x, h_y, h_z);
  double* value = grid + mesh.row * r + 2 * x;
  value[0] *= factor;
  value[1] *= factor;
}

__global__ void interpolate_kernel(MeshFrame mesh, const Vec3<double>* points_A, std::int64_t count,
                                   const double* grid, double* values) {
  __shared__ double weights[mesh_warps][3 * most_width];
  const int warp = int(threadIdx.x) / 32;
  const std::int64_t n = std::int64_t(blockIdx.x) * mesh_warps + warp;
  if (n >= count) return;
  const WarpWindow window = warp_window(mesh, points_A[n], weights[warp]);
  double sum = 0.0;
  for_each_weight(mesh, window, [&](std::int64_t at, double weight) { sum += grid[at] * weight; });
  for (int away = 16; away > 0; away /= 2) sum += __shfl_down_sync(0xffffffffu, sum, away);
  if (threadIdx.x % 32 == 0) values[n] = sum;
}

}  // namespace

PeriodicMesh::PeriodicMesh(const PeriodicCell& cell, const PeriodicPlan& plan, cudaStream_t stream)
    : stream_(stream),
      layout_(plan.layout()),
      filter_(PeriodicCell(cell.reduced()), plan.split, plan.grid, plan.window,
              MeshFilter::Use::spread_and_interpolated),
      polynomials_(MeshWindow(plan.window).polynomials(), stream),
      along_x_(filter_.along_x(), stream),
      along_y_(filter_.along_y(), stream),
      along_z_(filter_.along_z(), stream),
      grid_(std::size_t(layout_.size()), "the grid of a periodic sum"),
      frame_{PeriodicCell(cell.reduced()).reciprocal(),
             layout_.points,
             layout_.row(),
             layout_.plane(),
             polynomials_.data(),
             plan.window.width} {
  grid_.zero(stream_);
  try {
    std::size_t to_bytes = 0, from_bytes = 0;
    make_plan(to_waves_, CUFFT_D2Z, to_bytes);
    make_plan(from_waves_, CUFFT_Z2D, from_bytes);
    work_ = DeviceBuffer<unsigned char>(std::max({to_bytes, from_bytes, std::size_t{1}}),
                                        "the Fourier transform of a periodic sum");
    for (const cufftHandle plan_handle : {*to_waves_, *from_waves_})
      check_fourier(fourier_library().set_work_area(plan_handle, work_.data()),
                    "lending memory to a transform");
  } catch (...) {
    destroy_plans();
    throw;
  }
}

PeriodicMesh::~PeriodicMesh() {
  destroy_plans();
}

void PeriodicMesh::destroy_plans() noexcept {
  for (std::optional<cufftHandle>* handle : {&to_waves_, &from_waves_})
    if (*handle) fourier_library().destroy(**handle);
}

void PeriodicMesh::make_plan(std::optional<cufftHandle>& handle, cufftType type, std::size_t& bytes) {
  const FourierLibrary& library = fourier_library();
  cufftHandle made{};
  check_fourier(library.create(&made), "making a transform");
  handle = made;
  check_fourier(library.set_auto_allocation(made, 0), "making a transform");
  const auto [nx, ny, nz] = layout_.points;
  long long sizes[3] = {nz, ny, nx}, real[3] = {nz, ny, layout_.row()},
            waves[3] = {nz, ny, layout_.row() / 2};
  const long long real_size = layout_.size(), wave_size = real_size / 2;
  const cufftResult status =
      type == CUFFT_D2Z
          ? library.make_plan(made, 3, sizes, real, 1, real_size, waves, 1, wave_size, type, 1, &bytes)
          : library.make_plan(made, 3, sizes, waves, 1, wave_size, real, 1, real_size, type, 1, &bytes);
  check_fourier(status, "planning a transform");
  check_fourier(library.set_stream(made, stream_), "planning a transform");
}

void PeriodicMesh::spread(const PointCharge* charges, std::int64_t count, double largest_sum_e) {
  // 2^62 units are the most that can be; a power of two loses no bit.
  unit_ = std::ldexp(1.0, std::ilogb(largest_sum_e) + 1 - 62);
  if (count == 0) return;
  spread_kernel<<<blocks_for(count, mesh_warps), 32 * mesh_warps, 0, stream_>>>(
      frame_, charges, count, 1 / unit_, reinterpret_cast<unsigned long long*>(grid_.data()));
  check_launch("spreading charges");
}

void PeriodicMesh::solve() {
  const std::int64_t rows = std::int64_t(layout_.points.y) * layout_.points.z;
  fold_kernel<<<blocks_for(rows * layout_.points.x), usual_threads, 0, stream_>>>(frame_, grid_.data(),
                                                                                  unit_);
  check_launch("folding a periodic grid");
  auto* waves = reinterpret_cast<cufftDoubleComplex*>(grid_.data());
  check_fourier(fourier_library().to_waves(*to_waves_, grid_.data(), waves), "a Fourier transform");
  MeshFactors factors = filter_.factors();
  factors.along_x = along_x_.data();
  factors.along_y = along_y_.data();
  factors.along_z = along_z_.data();
  filter_kernel<<<blocks_for(rows * (layout_.points.x / 2 + 1)), usual_threads, 0, stream_>>>(frame_, factors,
                                                                                              grid_.data());
  check_launch("filtering a periodic grid");
  check_fourier(fourier_library().from_waves(*from_waves_, waves, grid_.data()), "a Fourier transform");
  fill_kernel<<<blocks_for(rows * frame_.width), usual_threads, 0, stream_>>>(frame_, grid_.data());
  check_launch("filling a periodic grid");
}

void PeriodicMesh::interpolate(const Vec3<double>* points_A, std::int64_t count, double* values) const {
  if (count == 0) return;
  interpolate_kernel<<<blocks_for(count, mesh_warps), 32 * mesh_warps, 0, stream_>>>(frame_, points_A, count,
                                                                                     grid_.data(), values);
  check_launch("interpolating a periodic grid");
}

}  // namespace ionwell::gpu
