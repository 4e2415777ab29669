// SPDX-License-Identifier: BSD-3-Clause
// Linked into a copy of the program with -Wl,--wrap: the call of CUDA's runtime whose number
// IONWELL_FAIL_CUDA_CALL has, counted from 1, fails, and with IONWELL_CUDA_CALLS=FILE the number of all calls
// is written to that file.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace {

long number_of_failing_call() {
  const char* text = std::getenv("IONWELL_FAIL_CUDA_CALL");
  return text != nullptr ? std::atol(text) : 0;
}

std::atomic<long> calls{0};
std::atomic<bool> launch_failed{false};

struct WriteCalls {
  ~WriteCalls() {
    const char* path = std::getenv("IONWELL_CUDA_CALLS");
    std::FILE* file = path != nullptr ? std::fopen(path, "w") : nullptr;
    if (file == nullptr) return;
    std::fprintf(file, "%ld\n", calls.load());
    std::fclose(file);
  }
} write_calls;

/// With a negative number all later calls fail, too, as those of a device that is lost.
bool fails() {
  static const long failing = number_of_failing_call();
  return failing < 0 ? ++calls >= -failing : ++calls == failing;
}

}  // namespace

// Same type, name and arguments as the real ones.
#define IONWELL_FAILING(name, parameters, arguments, error) \
  extern "C" cudaError_t __real_##name parameters;          \
  extern "C" cudaError_t __wrap_##name parameters {         \
    return fails() ? error : __real_##name arguments;       \
  }

IONWELL_FAILING(cudaMalloc, (void** memory, std::size_t bytes), (memory, bytes), cudaErrorMemoryAllocation)
IONWELL_FAILING(cudaHostAlloc, (void** memory, std::size_t bytes, unsigned flags), (memory, bytes, flags),
                cudaErrorMemoryAllocation)
IONWELL_FAILING(cudaMemcpyAsync,
                (void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
                (to, from, bytes, kind, stream), cudaErrorIllegalAddress)
IONWELL_FAILING(cudaMemsetAsync, (void* memory, int value, std::size_t bytes, cudaStream_t stream),
                (memory, value, bytes, stream), cudaErrorIllegalAddress)
IONWELL_FAILING(cudaStreamSynchronize, (cudaStream_t stream), (stream), cudaErrorLaunchFailure)
IONWELL_FAILING(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags),
                cudaErrorMemoryAllocation)
IONWELL_FAILING(cudaEventCreate, (cudaEvent_t * event), (event), cudaErrorMemoryAllocation)
IONWELL_FAILING(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream),
                cudaErrorLaunchFailure)
IONWELL_FAILING(cudaEventSynchronize, (cudaEvent_t event), (event), cudaErrorLaunchFailure)
IONWELL_FAILING(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
                (stream, event, flags), cudaErrorLaunchFailure)
IONWELL_FAILING(cudaGetDeviceCount, (int* count), (count), cudaErrorNoDevice)
IONWELL_FAILING(cudaSetDevice, (int device), (device), cudaErrorDevicesUnavailable)
IONWELL_FAILING(cudaInitDevice, (int device, unsigned flags, unsigned more), (device, flags, more),
                cudaErrorDevicesUnavailable)
IONWELL_FAILING(cudaMemGetInfo, (std::size_t * free_bytes, std::size_t* all_bytes), (free_bytes, all_bytes),
                cudaErrorDevicesUnavailable)
IONWELL_FAILING(cudaFuncSetAttribute, (const void* kernel, cudaFuncAttribute attribute, int value),
                (kernel, attribute, value), cudaErrorInvalidValue)
IONWELL_FAILING(cudaFuncGetAttributes, (cudaFuncAttributes * attributes, const void* kernel),
                (attributes, kernel), cudaErrorNoKernelImageForDevice)
IONWELL_FAILING(cudaLaunchCooperativeKernel,
                (const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t bytes,
                 cudaStream_t stream),
                (kernel, grid, block, arguments, bytes, stream), cudaErrorLaunchOutOfResources)

// What <<< >>> calls; how it went is asked for afterwards.
extern "C" cudaError_t __real___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                                 std::size_t bytes, cudaStream_t stream);
extern "C" cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                                 std::size_t bytes, cudaStream_t stream) {
  if (!fails()) return __real___cudaLaunchKernel(kernel, grid, block, arguments, bytes, stream);
  launch_failed = true;
  return cudaErrorLaunchOutOfResources;
}
extern "C" cudaError_t __real_cudaGetLastError();
extern "C" cudaError_t __wrap_cudaGetLastError() {
  const cudaError_t status = __real_cudaGetLastError();
  return launch_failed.exchange(false) ? cudaErrorLaunchOutOfResources : status;
}
