#include "stage_timer.hpp"

#include "check.hpp"

namespace ionwell::gpu {
namespace {

std::vector<std::pair<std::string, double>>& times() {
  static std::vector<std::pair<std::string, double>> all;
  return all;
}

}  // namespace

std::vector<std::pair<std::string, double>> stage_times() {
  return times();
}

void note_stage_time(const std::string& stage, double seconds) {
  for (auto& [name, sum] : times())
    if (name == stage) {
      sum += seconds;
      return;
    }
  times().emplace_back(stage, seconds);
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
