#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <utility>

#include "gpu/backend.hpp"
#include "gpu/electrostatics/at_points/points_on_device.hpp"
#include "gpu/electrostatics/forces/interpolated_forces.hpp"
#include "gpu/electrostatics/periodic_sum.hpp"
#include "gpu/electrostatics/poisson_boltzmann/device_vectors.hpp"
#include "gpu/electrostatics/poisson_boltzmann/shared_planes.hpp"
#include "gpu/gpu_field.hpp"
#include "gpu/lattice/frame_maps_on_device.hpp"
#include "gpu/runtime/check.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/gpu_numbers.hpp"
#include "gpu/runtime/kernel_image.hpp"
#include "gpu/sampling/chains_on_device.hpp"

namespace ionwell {
namespace {

std::atomic<double> start_up_s{0.0};

/// Adds the time it exists to start_up_s.
class StartTimer {
 public:
  StartTimer() = default;
  ~StartTimer() {
    start_up_s =
        start_up_s + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  StartTimer(const StartTimer&) = delete;
  StartTimer& operator=(const StartTimer&) = delete;

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

GpuDevices look_for_devices() {
  const StartTimer timer;
  GpuDevices result;
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) {
    cudaGetLastError();
    switch (status) {
      case cudaErrorNoDevice:
        result.problem = "there is no NVIDIA GPU";
        break;
      case cudaErrorInsufficientDriver:
        result.problem = "the NVIDIA driver is missing or too old for this build (CUDA " +
                         std::to_string(CUDART_VERSION / 1000) + "." +
                         std::to_string(CUDART_VERSION % 1000 / 10) + ")";
        break;
      default:
        result.problem = std::string("CUDA does not start: ") + cudaGetErrorString(status);
    }
    return result;
  }
  for (int n = 0; n < count; ++n) {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, n) != cudaSuccess) {
      result.problem = "GPU " + std::to_string(gpu::number_of(n)) +
                       " does not answer: " + cudaGetErrorString(cudaGetLastError());
      continue;  // the others may
    }
    result.devices.push_back({.number = gpu::number_of(n),
                              .name = properties.name,
                              .major = properties.major,
                              .minor = properties.minor,
                              .multiprocessors = properties.multiProcessorCount,
                              .memory_bytes = std::int64_t(properties.totalGlobalMem)});
  }
  if (result.devices.empty() && result.problem.empty()) result.problem = "there is no NVIDIA GPU";
  return result;
}

}  // namespace

const GpuDevices& gpu_devices() {
  static const GpuDevices devices = look_for_devices();
  return devices;
}

GpuDevice started_gpu(const GpuDevice& device) {
  static std::mutex one_at_a_time;  // whoever comes second finds it done
  const std::lock_guard lock(one_at_a_time);
  const StartTimer timer;
  GpuDevice started = device;
  const std::string name = "GPU " + std::to_string(device.number) + " (" + device.name + ")";
  const auto require = [&](cudaError_t status) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    fail(name, " does not start: ", cudaGetErrorString(status),  // busy in exclusive mode, or broken
         status == cudaErrorInitializationError
             ? ", as in a process made by fork after GPUs were used; start it another way (spawn)"
             : "");
  };
  const int ordinal = gpu::ordinal_of(device.number);
  require(cudaInitDevice(ordinal, 0, 0));
  const gpu::DeviceScope scope(ordinal, {});
  std::size_t free_bytes = 0, total_bytes = 0;
  require(cudaMemGetInfo(&free_bytes, &total_bytes));
  const cudaError_t status = gpu::find_kernel_image();
  const bool has_kernels = status != cudaErrorNoKernelImageForDevice &&
                           status != cudaErrorInvalidDeviceFunction &&
                           status != cudaErrorUnsupportedPtxVersion;
  if (has_kernels) require(status);
  if (!has_kernels) {
    cudaGetLastError();
    fail("this build has no kernels for ", name, " of compute capability ", device.major, ".", device.minor,
         ": ", cudaGetErrorString(status), "; build it with -DCMAKE_CUDA_ARCHITECTURES=", device.major,
         device.minor);
  }
  started.memory_bytes = std::int64_t(total_bytes);
  started.free_bytes = std::int64_t(free_bytes);
  return started;
}

namespace {

/// As CUDA counts; throws where there is no such device.
int ordinal_of_known(int number) {
  const std::vector<GpuDevice>& known = gpu_devices().devices;
  if (known.empty()) fail(gpu_devices().problem, "; use --backend cpu");
  if (std::none_of(known.begin(), known.end(), [&](const GpuDevice& d) { return d.number == number; }))
    fail<UsageError>("there is no GPU ", number, "; 'ionwell info' lists those that there are");
  return gpu::ordinal_of(number);
}

}  // namespace

std::vector<double> gpu_periodic_potential(int number, const PeriodicCell& cell, const PairPotential& pair,
                                           std::span<const PointCharge> charges,
                                           std::span<const Vec3<double>> points_A,
                                           const PeriodicSumOptions& options, const Progress& progress) {
  return gpu::periodic_potential(ordinal_of_known(number), cell, pair, charges, points_A, options, progress);
}

std::unique_ptr<DevicePoints> make_gpu_points(int number, std::int64_t memory_bytes,
                                              std::span<const PointCharge> charges,
                                              const PairPotential& pair) {
  return std::make_unique<gpu::PointsOnDevice>(ordinal_of_known(number), memory_bytes, charges, pair);
}

std::unique_ptr<FrameMaps> make_gpu_frame_maps(int number, const FrameMapsOptions& options) {
  const int ordinal = ordinal_of_known(number);
  if (gpu::FrameMapsOnDevice::bytes(options) > options.memory_bytes) return {};
  return std::make_unique<gpu::FrameMapsOnDevice>(ordinal, options);
}

std::unique_ptr<PbVectors> gpu_pb_vectors(const std::vector<int>& numbers, PbSystem& system,
                                          bool is_nonlinear) {
  std::vector<int> ordinals;
  for (const int number : numbers) ordinals.push_back(ordinal_of_known(number));
  return gpu::device_vectors(ordinals, system, is_nonlinear);
}

PlaneShares gpu_plane_shares(const LatticeGeometry& lattice, int ranks) {
  return gpu::share_device_planes(lattice, ranks);
}

std::unique_ptr<PbVectors> shared_gpu_pb_vectors(int number, PbSystem& system, bool is_nonlinear,
                                                 RankGroup& group) {
  return gpu::shared_device_vectors(ordinal_of_known(number), system, is_nonlinear, group);
}

std::unique_ptr<InterpolatedForces> gpu_interpolated_forces(int number, const PotentialOnLattice& potential,
                                                            ForceInterpolation interpolation) {
  return gpu::interpolated_forces(ordinal_of_known(number), potential, interpolation);
}

std::unique_ptr<DeviceChains> make_gpu_chains(int number, ChainProblem problem) {
  return gpu::chains_on_device(ordinal_of_known(number), std::move(problem));
}

double gpu_start_up_s() {
  return start_up_s;
}

void use_only_gpus(std::vector<int> numbers) {
  gpu::show_only_gpus(std::move(numbers));
}

}  // namespace ionwell
