// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "files/number_text.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

Numbers read(const std::string& text, std::int64_t count, int threads) {
  return parse_numbers(text, count, threads, {"map.dx", text, "copy it again"});
}

}  // namespace

TEST_CASE("columns of numbers: each is read once, wherever the pieces of the threads meet") {
  std::string text;
  std::vector<double> expected;
  char token[32];
  for (int n = 0; n < 300'000; ++n) {  // several pieces of 1 MiB
    std::snprintf(token, sizeof token, n % 7 == 0 ? "%.3f" : (n % 7 == 1 ? "%.15e" : "%.6e"),
                  1e3 * std::sin(n));
    text.append(n % 3 == 2 ? "\n" : " ").append(std::size_t(n % 5), ' ').append(token);
    expected.push_back(std::stod(token));
  }
  const std::size_t end = text.size();
  text += "\nattribute \"dep\"";
  for (const int threads : {1, 4}) {
    CAPTURE(threads);
    const Numbers numbers = read(text, std::int64_t(expected.size()), threads);
    REQUIRE(numbers.values.size() == expected.size());
    std::size_t different = 0;
    for (std::size_t n = 0; n < expected.size(); ++n) different += numbers.values[n] != expected[n];
    CHECK(different == 0);
    CHECK(numbers.end == end);
  }
}

TEST_CASE("columns of numbers: what is missing or no number is told with its line") {
  CHECK(error_of([] { read("1 2\n3 x 5 6", 5, 1); }).find("map.dx:2: value 4 of 5 is 'x'") == 0);
  CHECK(error_of([] { read("1 2\n3\nattribute 5 6", 5, 1); }).find("map.dx:3: only 3 of 5 values") == 0);
  CHECK(error_of([] { read("1 2 3      \n ", 5, 1); }).find("map.dx: ends after 3 of 5 values") == 0);
  CHECK(error_of([] { read("1", 5, 1); }).find("map.dx: 5 values is not possible in the 1 byte left") == 0);
}
