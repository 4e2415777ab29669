#include "parallel/parallel_for.hpp"

#include <omp.h>

namespace ionwell {

void on_openmp_threads(int threads, void (*function)(const void*, int, int), const void* context) {
#pragma omp parallel num_threads(threads)
  function(context, omp_get_thread_num(), omp_get_num_threads());
}

}  // namespace ionwell
