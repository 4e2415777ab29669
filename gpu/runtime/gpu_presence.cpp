// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/gpu_presence.hpp"

#include <filesystem>

namespace ionwell {

bool may_have_gpu([[maybe_unused]] const std::string& root) {
#ifdef IONWELL_WITH_CUDA
  // The driver's own node, those of Windows' subsystem for Linux and of boards with a built-in GPU; and the
  // driver's list, because nodes may be made as late as by the first program that wants one.
  for (const char* const node : {"/dev/nvidiactl", "/dev/dxg", "/dev/nvgpu", "/dev/nvhost-gpu"}) {
    std::error_code unreadable;
    if (std::filesystem::exists(root + node, unreadable)) return true;
  }
  std::error_code unreadable;
  const std::filesystem::directory_iterator gpus(root + "/proc/driver/nvidia/gpus", unreadable);
  return !unreadable && gpus != std::filesystem::directory_iterator();
#else
  return false;
#endif
}

}  // namespace ionwell
