// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <chrono>
#include <csignal>
#include <thread>

namespace ionwell::test {

/// Waits until the condition holds; false when it does not within half a minute.
template <typename Condition>
bool wait_until(const Condition& condition) {
  for (int n = 0; n < 3000; ++n) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

/// Whether a process ends soon.
inline bool is_gone(pid_t process) {
  return wait_until([process] { return kill(process, 0) != 0; });
}

}  // namespace ionwell::test
