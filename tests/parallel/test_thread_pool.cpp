// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "parallel/thread_pool.hpp"

using namespace ionwell;

TEST_CASE("thread pool: each piece is done once, in rounds of every size, also after threads went to sleep") {
  for (const int threads : {1, 2, 3, 8}) {
    CAPTURE(threads);
    ThreadPool pool(threads);
    std::array<std::atomic<int>, 40> done{};
    std::int64_t wrong = 0;
    for (int round = 0; round < 3000; ++round) {
      const std::size_t count = std::size_t(round) % (done.size() + 1);
      for (std::atomic<int>& d : done) d = 0;
      parallel_for(pool, count, [&](std::size_t n) { ++done[n]; });
      for (std::size_t n = 0; n < done.size(); ++n) wrong += done[n] != (n < count ? 1 : 0);
      if (round % 1000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("thread pool: loops of more pieces than a round can count, also when one fails") {
  ThreadPool pool(3);
  for (const std::int64_t count : {65535, 65536, 65537, 131070, 200001}) {
    CAPTURE(count);
    std::vector<std::atomic<int>> done(std::size_t(count) + 1);
    parallel_for(pool, count, [&](std::int64_t n) { ++done[std::size_t(n)]; });
    CHECK(std::count(done.begin(), done.end(), 1) == count);
    CHECK(done.back() == 0);
    std::atomic<std::int64_t> last{0};
    CHECK_THROWS_AS(parallel_for(pool, count,
                                 [&](std::int64_t n) {
                                   if (n == 1000) throw 7;
                                   if (n >= 65535) last = n;
                                 }),
                    int);
    CHECK(last == 0);  // what comes in later rounds is left out
  }
}
