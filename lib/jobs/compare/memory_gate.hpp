#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace ionwell {

/// Lets work of several threads begin only while there is memory for all that is under way. What is larger
/// than all memory runs alone, and is told so by itself.
class MemoryGate {
 public:
  explicit MemoryGate(std::int64_t bytes) : free_(bytes), all_(bytes) {}

  /// Calls work() when there are `bytes` for it, waiting for others until there are.
  template <typename Work>
  auto run(std::int64_t bytes, const Work& work) {
    const Share share(*this, std::min(bytes, all_));
    return work();
  }

 private:
  class Share {
   public:
    Share(MemoryGate& gate, std::int64_t bytes) : gate_(gate), bytes_(bytes) {
      std::unique_lock lock(gate_.mutex_);
      gate_.returned_.wait(lock, [&] { return gate_.free_ >= bytes_; });
      gate_.free_ -= bytes_;
    }
    ~Share() {
      {
        const std::lock_guard lock(gate_.mutex_);
        gate_.free_ += bytes_;
      }
      gate_.returned_.notify_all();
    }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

   private:
    MemoryGate& gate_;
    std::int64_t bytes_;
  };

  std::mutex mutex_;
  std::condition_variable returned_;
  std::int64_t free_;
  const std::int64_t all_;
};

}  // namespace ionwell
