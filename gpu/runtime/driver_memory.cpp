// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/driver_memory.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <limits>

namespace ionwell::gpu {
namespace {

/// nvmlMemory_t of NVML's reference.
struct Memory {
  unsigned long long total, free, used;
};

template <typename Function>
Function* function(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

std::int64_t least_free_bytes(void* library) {
  const auto start = function<int()>(library, "nvmlInit_v2"), end = function<int()>(library, "nvmlShutdown");
  const auto count_gpus = function<int(unsigned*)>(library, "nvmlDeviceGetCount_v2");
  const auto find_gpu = function<int(unsigned, void**)>(library, "nvmlDeviceGetHandleByIndex_v2");
  const auto find_memory = function<int(void*, Memory*)>(library, "nvmlDeviceGetMemoryInfo");
  if (start == nullptr || end == nullptr || count_gpus == nullptr || find_gpu == nullptr ||
      find_memory == nullptr || start() != 0)
    return 0;
  unsigned count = 0;
  unsigned long long least = std::numeric_limits<std::int64_t>::max();
  bool answers = count_gpus(&count) == 0 && count > 0;
  for (unsigned n = 0; n < count && answers; ++n) {
    void* gpu = nullptr;
    Memory memory{};
    answers = find_gpu(n, &gpu) == 0 && find_memory(gpu, &memory) == 0;
    least = std::min(least, memory.free);
  }
  end();
  return answers ? std::int64_t(least) : 0;
}

}  // namespace

std::int64_t ask_driver_for_free_bytes() {
  void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return 0;
  const std::int64_t bytes = least_free_bytes(library);
  dlclose(library);
  return bytes;
}

}  // namespace ionwell::gpu
