#pragma once

#include <cuda_runtime.h>

#include <string>
#include <utility>
#include <vector>

namespace ionwell::gpu {

/// Device time by stage, of this process [s], in the order in which stages were first seen; for devices other
/// than the main one as in "potential on GPU 1".
std::vector<std::pair<std::string, double>> stage_times();

/// The device whose stages go without a number; 0 at first.
void set_main_device(int device);

/// Adds to a stage of the current device.
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
