// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>

#include "compute/backend.hpp"
#include "gpu/backend.hpp"
#include "gpu/runtime/gpu_presence.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("GPU presence: told by the names that the kernel shows, in a build that could use one") {
  const bool with_cuda = gpu_backend().devices().problem.find("no GPU support") == std::string::npos;
  const TemporaryFolder nothing;
  CHECK_FALSE(may_have_gpu(nothing.path()));
  for (const char* const node :
       {"/dev/nvidiactl", "/dev/dxg", "/dev/nvgpu", "/proc/driver/nvidia/gpus/0000:1"}) {
    CAPTURE(std::string(node));
    const TemporaryFolder machine;
    std::filesystem::create_directories(machine.path() + node);
    CHECK(may_have_gpu(machine.path()) == with_cuda);
  }
  const TemporaryFolder no_card;  // a driver, and nothing to drive
  std::filesystem::create_directories(no_card.path() + "/proc/driver/nvidia/gpus");
  CHECK_FALSE(may_have_gpu(no_card.path()));
}

TEST_CASE("GPU presence: a machine with a GPU that works may have one") {
  if (!gpu_backend().devices().devices.empty()) CHECK(may_have_gpu());
  if (!may_have_gpu()) CHECK(gpu_backend().devices().devices.empty());
}
