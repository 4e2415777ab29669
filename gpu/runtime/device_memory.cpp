// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/device_memory.hpp"

#include "gpu/runtime/check.hpp"
#include "gpu/runtime/field_meter.hpp"
#include "gpu/runtime/gpu_numbers.hpp"
#include "gpu/runtime/memory_arena.hpp"
#include "gpu/runtime/spread_memory.hpp"

namespace ionwell::gpu {
namespace {

double gigabytes(double bytes) {
  return bytes / 1e9;
}

}  // namespace

void* allocate(std::size_t bytes, std::string_view what) {
  if (bytes == 0) return nullptr;
  if (const Spreading* const spreading = current_spread();
      spreading != nullptr && bytes >= least_spread_bytes)
    return allocate_spread(bytes, *spreading, what);
  if (MemoryArena* const arena = current_arena(); arena != nullptr)
    if (void* const taken = arena->take(bytes); taken != nullptr) return taken;
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free_bytes = 0, total_bytes = 0;
    cudaMemGetInfo(&free_bytes, &total_bytes);
    int device = 0;
    cudaGetDevice(&device);
    fail_device("use a larger --spacing, a smaller --border, another device (--devices) or --backend cpu",
                "GPU ", number_of(device), " is out of memory: ", what, " need ", gigabytes(double(bytes)),
                " GB, but only ", gigabytes(double(free_bytes)), " of ", gigabytes(double(total_bytes)),
                " GB are free");
  }
  check(status, "allocating memory");
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr && !is_in_arena(memory) && !release_spread(memory))
    cudaFree(memory);  // an error here was reported by the call that caused it
}

void count_to_device(std::size_t bytes) {
  if (const auto& meter = current_meter()) meter->count_to_device(bytes);
}

void count_to_host(std::size_t bytes) {
  if (const auto& meter = current_meter()) meter->count_to_host(bytes);
}

void count_between_devices(std::size_t bytes) {
  if (const auto& meter = current_meter()) meter->count_between_devices(bytes);
}

}  // namespace ionwell::gpu
