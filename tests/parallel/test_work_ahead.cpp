// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "core/error.hpp"
#include "parallel/work_ahead.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using ionwell::test::error_of;

namespace {

/// 0, 1 ... `count` - 1.
std::function<std::optional<int>()> counting_to(int count) {
  return [n = 0, count]() mutable -> std::optional<int> {
    if (n == count) return {};
    return n++;
  };
}

}  // namespace

TEST_CASE("work ahead: what many threads make comes in the order of the source") {
  for (const int workers : {1, 2, 5}) {
    CAPTURE(workers);
    WorkAhead<int, std::string> ahead(
        counting_to(200),
        [](int&& n) {
          if (n % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
          return std::to_string(n);
        },
        workers, 3);
    for (int n = 0; n < 200; ++n) REQUIRE(ahead.take() == std::to_string(n));
    CHECK_FALSE(ahead.take().has_value());
    CHECK_FALSE(ahead.take().has_value());
  }
}

TEST_CASE("work ahead: a failure comes in its place, of the source or of the work") {
  WorkAhead<int, int> by_work(
      counting_to(100),
      [](int&& n) {
        if (n == 5) fail("five");
        return 2 * n;
      },
      4, 3);
  for (int n = 0; n < 5; ++n) CHECK(by_work.take() == 2 * n);
  CHECK(error_of([&] { by_work.take(); }) == "five");
  WorkAhead<int, int> by_source(
      [n = 0]() mutable -> std::optional<int> {
        if (n == 3) fail("three");
        return n++;
      },
      [](int&& n) { return n; }, 4, 3);
  for (int n = 0; n < 3; ++n) CHECK(by_source.take() == n);
  CHECK(error_of([&] { by_source.take(); }) == "three");
  CHECK(error_of([&] { by_source.take(); }) == "three");
}

TEST_CASE("work ahead: no more is made than may wait, and what nobody takes is left") {
  std::atomic<int> made{0};
  {
    WorkAhead<int, int> ahead(
        counting_to(1000), [&](int&& n) { return ++made, n; }, 3, 2);
    CHECK(ahead.take() == 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(made <= 1 + 2 + 3);
  }
  CHECK(made <= 1 + 2 + 3 + 3);
}
