#include "parallel/thread_count.hpp"

#include <omp.h>

#include <algorithm>

namespace ionwell {

int available_cores() {
  return std::max(1, omp_get_num_procs());
}

int thread_count(int asked) {
  return asked > 0 ? asked : std::clamp(omp_get_max_threads(), 1, available_cores());
}

}  // namespace ionwell
