// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/stage_timer.hpp"

#include "gpu/runtime/check.hpp"
#include "gpu/runtime/field_meter.hpp"

namespace ionwell::gpu {
void note_stage_time(const std::string& stage, double seconds) {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  if (const auto& meter = current_meter()) meter->add_time(device, stage, seconds);
}

StageTimer::StageTimer(std::string stage, cudaStream_t stream) : stage_(std::move(stage)), stream_(stream) {
  check(cudaEventCreate(&start_), "making a timer");
  check(cudaEventCreate(&end_), "making a timer");
  check(cudaEventRecord(start_, stream_), "starting a timer");
}

StageTimer::~StageTimer() {
  if (start_ != nullptr) cudaEventDestroy(start_);
  if (end_ != nullptr) cudaEventDestroy(end_);
}

void StageTimer::stop() {
  check(cudaEventRecord(end_, stream_), "stopping a timer");
  check(cudaEventSynchronize(end_), stage_);
  float milliseconds = 0.0f;
  check(cudaEventElapsedTime(&milliseconds, start_, end_), "reading a timer");
  note_stage_time(stage_, 1e-3 * double(milliseconds));
}

}  // namespace ionwell::gpu
