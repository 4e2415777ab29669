// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <omp.h>

#include <atomic>
#include <chrono>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/large_array.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"
#include "parallel/thread_pool.hpp"

using namespace ionwell;

TEST_CASE("parallel loops: each iteration is done once, whoever does it") {
  for (const int threads : {1, 2, 3, 8})
    for (const std::int64_t chunk : {0, 1, 3, 1000})
      for (const std::int64_t count : {0, 1, 2, 7, 100, 1001}) {
        CAPTURE(threads);
        CAPTURE(chunk);
        CAPTURE(count);
        std::vector<std::atomic<int>> done(std::size_t(count) + 1);
        parallel_for({threads, chunk}, count, [&](std::int64_t i) { ++done[std::size_t(i)]; });
        for (std::int64_t i = 0; i < count; ++i) REQUIRE(done[std::size_t(i)] == 1);
        CHECK(done[std::size_t(count)] == 0);
      }
}

TEST_CASE("parallel loops: an equal division gives each thread one range") {
  std::atomic<int> ranges{0};
  parallel_ranges({3}, 100, [&](std::int64_t first, std::int64_t last) {
    ++ranges;
    CHECK(last - first >= 33);
  });
  CHECK(ranges == 3);
}

TEST_CASE("parallel loops: the first exception reaches the caller, and stops the rest") {
  for (const int threads : {1, 2, 3, 8})
    for (const std::int64_t bad : {0, 1, 50, 99}) {
      CAPTURE(threads);
      CAPTURE(bad);
      std::atomic<int> done{0};
      const auto loop = [&](std::int64_t chunk, std::int64_t count) {
        parallel_for({threads, chunk}, count, [&](std::int64_t i) {
          if (i == bad) throw std::runtime_error("iteration " + std::to_string(i));
          ++done;
          std::this_thread::sleep_for(std::chrono::microseconds(200));
        });
      };
      const std::string expected = "iteration " + std::to_string(bad);
      CHECK_THROWS_WITH_AS(loop(1, 4000), expected.c_str(), std::runtime_error);
      CHECK(done < 2000);  // those after the bad one that were done before it had thrown
      CHECK_THROWS_WITH_AS(loop(0, 100), expected.c_str(), std::runtime_error);
    }
}

TEST_CASE("parallel loops: memory that runs out in one of them is an exception") {
  CHECK_THROWS_AS(parallel_for({3, 1}, 50,
                               [](std::int64_t i) {
                                 if (i % 7 == 6) throw std::bad_alloc();
                               }),
                  std::bad_alloc);
}

TEST_CASE("parallel loops: OpenMP's settings stay the host program's") {
  const int before = omp_get_max_threads(), dynamic = omp_get_dynamic();
  omp_set_num_threads(5);
  parallel_for({2, 1}, 100, [](std::int64_t) {});
  CHECK(omp_get_max_threads() == 5);
  CHECK(omp_get_dynamic() == dynamic);
  int members = 0;
#pragma omp parallel
#pragma omp atomic
  ++members;
  CHECK(members == 5);
  omp_set_num_threads(before);
}

TEST_CASE("parallel sums are the same whatever the number of threads") {
  std::vector<double> values(1'000'003);
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = 1.0 / double(n + 1);
  const auto sum = [&](int threads) {
    return parallel_reduce(
        threads, std::ssize(values), 0.0,
        [&](std::int64_t first, std::int64_t last) {
          return std::accumulate(values.begin() + first, values.begin() + last, 0.0);
        },
        std::plus<>());
  };
  const double alone = sum(1);
  CHECK(alone == doctest::Approx(14.392729722862).epsilon(1e-12));  // the harmonic number H(1,000,003)
  for (const int threads : {2, 3, 8}) CHECK(sum(threads) == alone);
}

TEST_CASE("thread pool: the first exception reaches the caller, whoever met it, and the pool goes on") {
  for (const int threads : {1, 2, 3, 8}) {
    CAPTURE(threads);
    ThreadPool pool(threads);
    for (int round = 0; round < 300; ++round) {
      const std::size_t count = 24, bad = std::size_t(round) % count;  // the caller begins in front
      CHECK_THROWS_AS(parallel_for(pool, count,
                                   [&](std::size_t n) {
                                     if (n == bad) throw std::runtime_error("piece");
                                   }),
                      std::runtime_error);
      std::atomic<int> done{0};
      parallel_for(pool, count, [&](std::size_t) { ++done; });
      REQUIRE(done == int(count));
    }
  }
}

TEST_CASE("threads: those asked for, or as many as the host program and the cores allow") {
  const int before = omp_get_max_threads();
  CHECK(thread_count(3) == 3);
  omp_set_num_threads(1);
  CHECK(thread_count(0) == 1);
  omp_set_num_threads(100'000);
  CHECK(thread_count(0) == available_cores());
  omp_set_num_threads(before);
  CHECK(thread_count(0) >= 1);
}

TEST_CASE("a large array that was moved from is empty") {
  LargeArray<int> a(100);
  LargeArray<int> b(std::move(a));
  CHECK(a.size() == 0);
  CHECK(a.data() == nullptr);
  CHECK(b.size() == 100);
  a = std::move(b);
  CHECK(b.size() == 0);
  CHECK(b.data() == nullptr);
  CHECK(a.size() == 100);
}
