// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include "gpu/runtime/check.hpp"

namespace ionwell::gpu {

/// When thread blocks of a stream get their turn, where those of other streams wait, too.
enum class Turn { usual, first };

/// A stream of the current device that waits for no other one.
inline cudaStream_t made_stream(Turn turn) {
  int last = 0, first = 0;
  cudaStream_t stream = nullptr;
  check(cudaDeviceGetStreamPriorityRange(&last, &first), "making a stream");
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, turn == Turn::first ? first : last),
        "making a stream");
  return stream;
}

/// A stream of the device that is current when it is made.
class Stream {
 public:
  explicit Stream(Turn turn = Turn::usual) : stream_(made_stream(turn)) {}
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_;
};

}  // namespace ionwell::gpu
