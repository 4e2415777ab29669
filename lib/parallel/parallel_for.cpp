#include "parallel/parallel_for.hpp"

#include <omp.h>

namespace ionwell {
namespace {

#if defined(__SANITIZE_THREAD__)
// The thread sanitizer does not see how libgomp's threads begin and end, unless it is told by atomics that it
// does see.
std::atomic<int> begun, ended;
void begin() {
  begun.fetch_add(1, std::memory_order_release);
}
void see_begin() {
  begun.load(std::memory_order_acquire);
}
void end() {
  ended.fetch_add(1, std::memory_order_release);
}
void see_end() {
  ended.load(std::memory_order_acquire);
}
#else
void begin() {}
void see_begin() {}
void end() {}
void see_end() {}
#endif

}  // namespace

void on_openmp_threads(int threads, void (*function)(const void*, int, int), const void* context) {
  begin();
#pragma omp parallel num_threads(threads)
  {
    see_begin();
    function(context, omp_get_thread_num(), omp_get_num_threads());
    end();
  }
  see_end();
}

}  // namespace ionwell
