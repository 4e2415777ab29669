// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/pinned_number.hpp"

#include <cuda_runtime.h>

#include <mutex>
#include <vector>

#include "gpu/runtime/check.hpp"

namespace ionwell::gpu {
namespace {

struct FreeNumbers {
  std::mutex mutex;
  std::vector<double*> at;
};

FreeNumbers& free_numbers() {
  static auto* const numbers = new FreeNumbers;  // outlives all that is static
  return *numbers;
}

}  // namespace

PinnedNumber::PinnedNumber() {
  constexpr std::size_t numbers_of_page = 512;
  FreeNumbers& free = free_numbers();
  const std::scoped_lock lock(free.mutex);
  if (free.at.empty()) {
    double* page = nullptr;
    check(cudaHostAlloc(reinterpret_cast<void**>(&page), numbers_of_page * sizeof(double),
                        cudaHostAllocPortable),
          "allocating pinned memory");
    for (std::size_t n = 0; n < numbers_of_page; ++n) free.at.push_back(page + n);
  }
  at_ = free.at.back();
  free.at.pop_back();
}

PinnedNumber::~PinnedNumber() {
  FreeNumbers& free = free_numbers();
  const std::scoped_lock lock(free.mutex);
  free.at.push_back(at_);
}

}  // namespace ionwell::gpu
