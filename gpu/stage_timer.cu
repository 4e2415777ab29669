#include "stage_timer.hpp"

#include <mutex>

#include "check.hpp"

namespace ionwell::gpu {
namespace {

struct StageTime {
  int device;
  std::string stage;
  double seconds;
};

std::mutex mutex;
std::vector<StageTime> times;
int main_device = 0;

}  // namespace

std::vector<std::pair<std::string, double>> stage_times() {
  const std::lock_guard lock(mutex);
  std::vector<std::pair<std::string, double>> result;
  for (const StageTime& time : times) {
    const bool is_main = time.device == main_device;
    result.emplace_back(is_main ? time.stage : time.stage + " on GPU " + std::to_string(time.device),
                        time.seconds);
  }
  return result;
}

void set_main_device(int device) {
  const std::lock_guard lock(mutex);
  main_device = device;
}

void note_stage_time(const std::string& stage, double seconds) {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  const std::lock_guard lock(mutex);
  for (StageTime& time : times)
    if (time.device == device && time.stage == stage) {
      time.seconds += seconds;
      return;
    }
  times.push_back({device, stage, seconds});
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
