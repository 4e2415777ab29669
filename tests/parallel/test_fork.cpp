// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "parallel/parallel_for.hpp"
#include "support/skip.hpp"

using namespace ionwell;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IONWELL_UNDER_THREAD_SANITIZER
#endif
#endif

namespace {

bool loop_is_right() {
  std::atomic<std::int64_t> sum{0};
  parallel_for({4, 1}, 100, [&](std::int64_t i) { sum += i; });
  return sum == 4950;
}

/// Exit code of a process that this one forks to call `work`; -1 for one that hangs, which
/// is ended.
template <typename Work>
int exit_code_of_fork(const Work& work) {
  const pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    constexpr unsigned longest_s = 60;
    alarm(longest_s);
    _exit(work());
  }
  int status = 0;
  const bool has_ended = waitpid(child, &status, 0) == child && WIFEXITED(status);
  return has_ended ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("parallel loops: in a process made by fork, after loops in the one that made it") {
#if defined(IONWELL_UNDER_THREAD_SANITIZER)
  test::skip("the thread sanitizer ends a forked process that starts threads");
#else
  REQUIRE(loop_is_right());
  CHECK(exit_code_of_fork([] {
          if (!loop_is_right() || !loop_is_right()) return 1;
          return exit_code_of_fork([] { return loop_is_right() ? 0 : 2; });  // and in one that this makes
        }) == 0);
  CHECK(loop_is_right());
#endif
}
