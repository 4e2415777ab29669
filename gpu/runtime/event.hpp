// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include "gpu/runtime/check.hpp"

namespace ionwell::gpu {

/// An event of the device that is current when it is made; with a time, so that two of them tell how long it
/// took.
class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "making an event"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }

  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "recording an event"); }

  /// Until what the stream had when it was recorded is done; `what` is what that was.
  void wait(std::string_view what) const { check(cudaEventSynchronize(event_), what); }

  /// Lets what comes to a stream wait for it.
  void hold(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_), "waiting for an event"); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Both must have been waited for.
inline double seconds_between(const Event& begin, const Event& end) {
  float ms = 0.0f;
  check(cudaEventElapsedTime(&ms, begin, end), "reading a time");
  return 1e-3 * double(ms);
}

}  // namespace ionwell::gpu
