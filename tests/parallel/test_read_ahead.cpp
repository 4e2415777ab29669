// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "parallel/read_ahead.hpp"

using namespace ionwell;

TEST_CASE("read ahead: things come in their order, and then nothing") {
  for (const std::size_t most : {1u, 3u, 100u}) {
    int next = 0;
    ReadAhead<std::string> ahead(
        [&]() -> std::optional<std::string> {
          if (next == 20) return {};
          return std::to_string(next++);
        },
        most);
    for (int n = 0; n < 20; ++n) CHECK(ahead.take() == std::to_string(n));
    CHECK_FALSE(ahead.take());
    CHECK_FALSE(ahead.take());
  }
}

TEST_CASE("read ahead: no more is made than there is room for") {
  std::atomic<int> made = 0;
  {
    ReadAhead<int> ahead([&]() -> std::optional<int> { return made++; }, 4);
    for (int n = 0; n < 10; ++n) CHECK(ahead.take() == n);
    CHECK(made <= 10 + 4 + 1);  // one waits for room
  }
  CHECK(made <= 10 + 4 + 1);
}

TEST_CASE("read ahead: a failure comes behind what was made before it") {
  int next = 0;
  ReadAhead<int> ahead(
      [&]() -> std::optional<int> {
        if (next == 3) throw std::runtime_error("cut");
        return next++;
      },
      8);
  for (int n = 0; n < 3; ++n) CHECK(ahead.take() == n);
  CHECK_THROWS_WITH_AS(ahead.take(), "cut", std::runtime_error);
}
