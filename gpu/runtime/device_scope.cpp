// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/device_scope.hpp"

#include <utility>

#include "gpu/runtime/check.hpp"

namespace ionwell::gpu {
namespace {

/// Three functions of the driver, which the runtime has loaded. Null where it has them not: then the
/// runtime's own have to do.
struct Driver {
  CUresult (*get_current)(CUcontext*) = nullptr;
  CUresult (*set_current)(CUcontext) = nullptr;
  CUresult (*primary_state)(CUdevice, unsigned*, int*) = nullptr;

  bool complete() const { return get_current && set_current && primary_state; }
};

template <typename Function>
void find(const char* name, Function& function) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
  const cudaError_t status =
      cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &result);
#else
  const cudaError_t status = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &result);
#endif
  if (status == cudaSuccess && result == cudaDriverEntryPointSuccess)
    function = reinterpret_cast<Function>(found);
  else
    cudaGetLastError();
}

const Driver& driver() {
  static const Driver functions = [] {
    Driver d;
    find("cuCtxGetCurrent", d.get_current);
    find("cuCtxSetCurrent", d.set_current);
    find("cuDevicePrimaryCtxGetState", d.primary_state);
    return d;
  }();
  return functions;
}

bool has_started(int device) {
  unsigned flags = 0;
  int active = 0;
  return driver().primary_state(device, &flags, &active) == CUDA_SUCCESS && active != 0;
}

}  // namespace

DeviceScope::DeviceScope(int device, std::shared_ptr<FieldMeter> meter) {
  check(cudaGetDevice(&device_before_), "asking for the device");
  if (driver().complete()) driver().get_current(&context_before_);
  check(cudaSetDevice(device), "taking the device");
  CUcontext context = nullptr;
  if (driver().complete()) driver().get_current(&context);
  has_changed_ = device != device_before_ || context != context_before_;
  meter_before_ = std::exchange(current_meter(), std::move(meter));
}

DeviceScope::~DeviceScope() {
  current_meter() = std::move(meter_before_);
  if (!has_changed_) return;
  if (!driver().complete())
    cudaSetDevice(device_before_);
  else if (context_before_ == nullptr && has_started(device_before_))
    cudaSetDevice(device_before_);
  else
    driver().set_current(context_before_);
}

}  // namespace ionwell::gpu
