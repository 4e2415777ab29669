// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/parallel_for.hpp"

#include <omp.h>
#include <unistd.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

namespace ionwell {
namespace {

struct Loop {
  int threads;
  void (*function)(const void*, int, int);
  const void* context;

  void run() const {
#pragma omp parallel num_threads(threads)
    function(context, omp_get_thread_num(), omp_get_num_threads());
  }
};

/// A thread that starts the loops of another one.
class LoopStarter {
 public:
  LoopStarter() : process_(getpid()), thread_([this] { serve(); }) {}
  ~LoopStarter() {
    hand_over(nullptr);
    thread_.join();
  }
  LoopStarter(const LoopStarter&) = delete;
  LoopStarter& operator=(const LoopStarter&) = delete;

  /// fork() copies no thread.
  bool is_of_this_process() const { return process_ == getpid(); }

  void run(const Loop& loop) { hand_over(&loop); }

 private:
  /// Returns when the loop is done; nullptr ends the thread.
  void hand_over(const Loop* loop) {
    std::unique_lock lock(mutex_);
    loop_ = loop;
    is_given_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !is_given_; });
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (bool goes_on = true; goes_on;) {
      changed_.wait(lock, [this] { return is_given_; });
      goes_on = loop_ != nullptr;
      if (goes_on) loop_->run();
      is_given_ = false;
      changed_.notify_all();
    }
  }

  pid_t process_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const Loop* loop_ = nullptr;
  bool is_given_ = false;
  std::thread thread_;
};

const pid_t first_process = getpid();

/// This thread's; null where the system gives no thread.
LoopStarter* loop_starter() {
  thread_local std::unique_ptr<LoopStarter> starter;
  if (starter && !starter->is_of_this_process()) (void)starter.release();  // its thread cannot be joined here
  try {
    if (!starter) starter = std::make_unique<LoopStarter>();
  } catch (const std::system_error&) {
    return nullptr;
  }
  return starter.get();
}

}  // namespace

void on_openmp_threads(int threads, void (*function)(const void*, int, int), const void* context) {
  const Loop loop{threads, function, context};
  // GNU's OpenMP keeps threads for the one that has started a loop. A process that this one forks has that
  // one alone, and its next loop would wait for the others forever: there another thread starts it.
  if (getpid() == first_process || omp_in_parallel()) return loop.run();
  if (LoopStarter* const starter = loop_starter()) return starter->run(loop);
  function(context, 0, 1);
}

}  // namespace ionwell
