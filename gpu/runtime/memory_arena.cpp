// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/memory_arena.hpp"

#include <cuda_runtime.h>

#include <cstdint>
#include <map>
#include <utility>

namespace ionwell::gpu {
namespace {

/// Where arenas begin, and end.
struct Arenas {
  std::mutex mutex;
  std::map<std::uintptr_t, std::uintptr_t> ends;
};

Arenas& arenas() {
  static auto* const all = new Arenas;  // outlives all that is static
  return *all;
}

thread_local MemoryArena* arena_in_use = nullptr;

}  // namespace

MemoryArena::MemoryArena(std::size_t bytes) {
  if (bytes == 0) return;
  void* memory = nullptr;
  if (cudaMalloc(&memory, bytes) != cudaSuccess) {
    cudaGetLastError();  // forgets it
    return;
  }
  memory_ = static_cast<char*>(memory);
  bytes_ = bytes;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  const std::scoped_lock lock(arenas().mutex);
  arenas().ends.emplace(begin, begin + bytes);
}

MemoryArena::~MemoryArena() {
  if (memory_ == nullptr) return;
  {
    const std::scoped_lock lock(arenas().mutex);
    arenas().ends.erase(reinterpret_cast<std::uintptr_t>(memory_));
  }
  cudaFree(memory_);
}

MemoryArena::Scope::Scope(MemoryArena& arena) : before_(std::exchange(arena_in_use, &arena)) {}

MemoryArena::Scope::~Scope() {
  arena_in_use = before_;
}

void* MemoryArena::take(std::size_t bytes) {
  constexpr std::size_t aligned = 256;  // as cudaMalloc does
  const std::size_t whole = (bytes + aligned - 1) / aligned * aligned;
  const std::scoped_lock lock(mutex_);
  if (whole > bytes_ - taken_) return nullptr;
  char* const memory = memory_ + taken_;
  taken_ += whole;
  return memory;
}

MemoryArena* current_arena() {
  return arena_in_use;
}

bool is_in_arena(const void* memory) {
  const auto at = reinterpret_cast<std::uintptr_t>(memory);
  const std::scoped_lock lock(arenas().mutex);
  const auto after = arenas().ends.upper_bound(at);
  return after != arenas().ends.begin() && at < std::prev(after)->second;
}

}  // namespace ionwell::gpu
