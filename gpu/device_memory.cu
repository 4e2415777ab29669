#include "device_memory.hpp"

#include <algorithm>
#include <atomic>

#include "check.hpp"

namespace ionwell::gpu {
namespace {

std::atomic<std::int64_t> allocated{0}, peak{0}, to_device{0}, to_host{0}, between_devices{0};

double gigabytes(double bytes) {
  return bytes / 1e9;
}

}  // namespace

DeviceTraffic device_traffic() {
  return {peak, to_device, to_host, between_devices};
}

void* allocate(std::size_t bytes, std::string_view what) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free_bytes = 0, total_bytes = 0;
    cudaMemGetInfo(&free_bytes, &total_bytes);
    int device = 0;
    cudaGetDevice(&device);
    fail("GPU ", device, " is out of memory: ", what, " need ", gigabytes(double(bytes)), " GB, but only ",
         gigabytes(double(free_bytes)), " of ", gigabytes(double(total_bytes)),
         " GB are free; use a larger --spacing, a smaller --border, another device (--devices) or --backend "
         "cpu");
  }
  check(status, "allocating memory");
  const std::int64_t now = allocated += std::int64_t(bytes);
  for (std::int64_t seen = peak; now > seen && !peak.compare_exchange_weak(seen, now);) {
  }
  return memory;
}

void release(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return;
  cudaFree(memory);  // an error here was reported by the call that caused it
  allocated -= std::int64_t(bytes);
}

void count_to_device(std::size_t bytes) {
  to_device += std::int64_t(bytes);
}

void count_to_host(std::size_t bytes) {
  to_host += std::int64_t(bytes);
}

void count_between_devices(std::size_t bytes) {
  between_devices += std::int64_t(bytes);
}

}  // namespace ionwell::gpu
