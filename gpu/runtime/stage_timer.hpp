// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <string>

namespace ionwell::gpu {

/// Adds to a stage of the current device, for the field that this thread works for.
void note_stage_time(const std::string& stage, double seconds);

/// Notes the device time from its making to its `stop`, which waits for the device.
class StageTimer {
 public:
  StageTimer(std::string stage, cudaStream_t stream);
  ~StageTimer();
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

  void stop();

 private:
  std::string stage_;
  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr, end_ = nullptr;
};

}  // namespace ionwell::gpu
