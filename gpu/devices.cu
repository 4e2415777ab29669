#include <chrono>

#include "check.hpp"
#include "device_memory.hpp"
#include "gpu_field.hpp"
#include "stage_timer.hpp"

namespace ionwell {
namespace {

double start_up_s = 0.0;

GpuDevices look_for_devices() {
  const auto start = std::chrono::steady_clock::now();
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
    GpuDevice device{.number = n};
    cudaDeviceProp properties{};
    std::size_t free_bytes = 0, total_bytes = 0;
    if (cudaGetDeviceProperties(&properties, n) != cudaSuccess || cudaSetDevice(n) != cudaSuccess ||
        cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess) {
      result.problem =
          "device " + std::to_string(n) + " does not answer: " + cudaGetErrorString(cudaGetLastError());
      continue;  // busy in exclusive mode, or broken; the others may do
    }
    device.name = properties.name;
    device.major = properties.major;
    device.minor = properties.minor;
    device.multiprocessors = properties.multiProcessorCount;
    device.memory_bytes = std::int64_t(total_bytes);
    device.free_bytes = std::int64_t(free_bytes);
    result.devices.push_back(device);
  }
  if (result.devices.empty() && result.problem.empty()) result.problem = "there is no NVIDIA GPU";
  start_up_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace

const GpuDevices& gpu_devices() {
  static const GpuDevices devices = look_for_devices();
  return devices;
}

GpuUse gpu_use() {
  const gpu::DeviceTraffic traffic = gpu::device_traffic();
  return {start_up_s,
          gpu::stage_times(),
          traffic.to_device_bytes,
          traffic.to_host_bytes,
          traffic.between_devices_bytes,
          traffic.peak_bytes};
}

}  // namespace ionwell
