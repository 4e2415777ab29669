// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/devices.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <mutex>
#include <string>

#include "core/error.hpp"
#include "gpu/runtime/check.hpp"
#include "gpu/runtime/device_scope.hpp"
#include "gpu/runtime/gpu_numbers.hpp"
#include "gpu/runtime/kernel_image.hpp"

namespace ionwell::gpu {
namespace {

/// The time in which at least one StartTimer exists.
struct StartTime {
  std::mutex mutex;
  int timers = 0;
  std::chrono::steady_clock::time_point since;  // when there are some
  double before_s = 0.0;
};

StartTime& start_time() {
  static StartTime time;
  return time;
}

class StartTimer {
 public:
  StartTimer() {
    const std::lock_guard lock(start_time().mutex);
    if (start_time().timers++ == 0) start_time().since = std::chrono::steady_clock::now();
  }
  ~StartTimer() {
    const std::lock_guard lock(start_time().mutex);
    if (--start_time().timers > 0) return;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_time().since;
    start_time().before_s += passed.count();
  }
  StartTimer(const StartTimer&) = delete;
  StartTimer& operator=(const StartTimer&) = delete;
};

std::atomic<bool> looked_for = false;

DeviceList look_for_devices() {
  const StartTimer timer;
  looked_for = true;
  DeviceList result{.hidden = hidden_gpus()};
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
      result.problem = "GPU " + std::to_string(number_of(n)) +
                       " does not answer: " + cudaGetErrorString(cudaGetLastError());
      continue;  // the others may
    }
    result.devices.push_back({.number = number_of(n),
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

const DeviceList& all_devices() {
  static const DeviceList devices = look_for_devices();
  return devices;
}

bool are_devices_known() {
  return looked_for;
}

Device started_device(const Device& device) {
  static std::mutex starting[64];  // a second thread that asks for a device finds it started
  const std::lock_guard lock(starting[std::size_t(device.number) % std::size(starting)]);
  const StartTimer timer;
  Device started = device;
  const std::string name = "GPU " + std::to_string(device.number) + " (" + device.name + ")";
  const auto require = [&](cudaError_t status) {
    if (status == cudaSuccess) return;
    cudaGetLastError();
    fail(name, " does not start: ", cudaGetErrorString(status),  // busy in exclusive mode, or broken
         status == cudaErrorInitializationError
             ? ", as in a process that was forked after GPUs were used; start it with spawn"
             : "");
  };
  const int ordinal = ordinal_of(device.number);
  require(cudaInitDevice(ordinal, 0, 0));
  const DeviceScope scope(ordinal, {});
  std::size_t free_bytes = 0, total_bytes = 0;
  require(cudaMemGetInfo(&free_bytes, &total_bytes));
  const cudaError_t status = find_kernel_image();
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

double start_up_s() {
  const std::lock_guard lock(start_time().mutex);
  return start_time().before_s;
}

int known_ordinal(int number) {
  const std::vector<Device>& known = all_devices().devices;
  if (known.empty()) fail(all_devices().problem, "; use --backend cpu");
  if (std::none_of(known.begin(), known.end(), [&](const Device& d) { return d.number == number; }))
    fail<UsageError>("there is no GPU ", number, "; 'ionwell info' lists the available ones");
  return ordinal_of(number);
}

std::vector<int> ordinals_of(const std::vector<int>& numbers) {
  std::vector<int> ordinals;
  for (const int number : numbers) ordinals.push_back(known_ordinal(number));
  return ordinals;
}

int first_ordinal() {
  const DeviceList& known = all_devices();
  if (known.devices.empty()) fail(known.problem, "; use --backend cpu");
  return ordinal_of(known.devices.front().number);
}

}  // namespace ionwell::gpu
