// SPDX-License-Identifier: BSD-3-Clause
#include "parallel/thread_count.hpp"

#include <omp.h>

#include <algorithm>
#include <system_error>
#include <thread>

namespace ionwell {
namespace {

/// Whether this process may have a second thread. Some systems let none; OpenMP ends the process then.
bool may_start_threads() {
  static const bool may = [] {
    try {
      std::thread([] {}).join();
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }();
  return may;
}

}  // namespace

int available_cores() {
  return std::max(1, omp_get_num_procs());
}

int thread_count(int asked) {
  if (!may_start_threads()) return 1;
  return asked > 0 ? asked : std::clamp(omp_get_max_threads(), 1, available_cores());
}

}  // namespace ionwell
