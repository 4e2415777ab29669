// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/fourier_library.hpp"

#include <dlfcn.h>

#include <string>

#include "core/error.hpp"
#include "gpu/runtime/check.hpp"

namespace ionwell::gpu {
namespace {

/// By its name where the system looks, or from the toolkit that this was built with. It stays loaded: CUDA
/// may use it up to the end of the process.
void* opened() {
  const std::string name = "libcufft.so." + std::to_string(CUFFT_VERSION / 1000);
  for (const std::string& path : {name, std::string(IONWELL_CUDA_LIBRARIES "/") + name})
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  fail("the GPU's Fourier transforms need ", name,
       ", which was not found; install cuFFT (of the CUDA toolkit), or add its folder to LD_LIBRARY_PATH");
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr)
    fail("the library cuFFT that was found has no ", name, "; install that of the CUDA toolkit");
}

FourierLibrary loaded() {
  void* const library = opened();
  FourierLibrary functions{};
  find(library, "cufftCreate", functions.create);
  find(library, "cufftDestroy", functions.destroy);
  find(library, "cufftSetAutoAllocation", functions.set_auto_allocation);
  find(library, "cufftMakePlanMany64", functions.make_plan);
  find(library, "cufftSetWorkArea", functions.set_work_area);
  find(library, "cufftSetStream", functions.set_stream);
  find(library, "cufftExecD2Z", functions.to_waves);
  find(library, "cufftExecZ2D", functions.from_waves);
  return functions;
}

}  // namespace

const FourierLibrary& fourier_library() {
  static const FourierLibrary library = loaded();
  return library;
}

void check_fourier(cufftResult status, std::string_view what) {
  if (status != CUFFT_SUCCESS)
    fail_device("run again, or use --backend cpu", "the GPU failed at ", what, ": error ", int(status),
                " of cuFFT");
}

}  // namespace ionwell::gpu
