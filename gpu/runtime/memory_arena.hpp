// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <mutex>

/// One piece of device memory for many arrays: each piece takes as long as a kernel, and lets other threads
/// of the process wait.
namespace ionwell::gpu {

/// Memory of the device that is current when it is made. It outlives the arrays in it, whose places are not
/// used again.
class MemoryArena {
 public:
  /// Where there is not as much, arrays get memory of their own.
  explicit MemoryArena(std::size_t bytes);
  ~MemoryArena();
  MemoryArena(const MemoryArena&) = delete;
  MemoryArena& operator=(const MemoryArena&) = delete;

  /// While it exists, this thread's arrays are put there as long as there is room.
  class Scope {
   public:
    explicit Scope(MemoryArena& arena);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    MemoryArena* before_;
  };

  /// Null when it is full. By several threads at once.
  void* take(std::size_t bytes);

 private:
  std::mutex mutex_;
  char* memory_ = nullptr;
  std::size_t bytes_ = 0, taken_ = 0;
};

/// That of the innermost scope of this thread, or null.
MemoryArena* current_arena();

/// Whether memory lies in an arena, which frees it.
bool is_in_arena(const void* memory);

}  // namespace ionwell::gpu
