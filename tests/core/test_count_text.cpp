// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/text/count_text.hpp"

using namespace ionwell;

TEST_CASE("counts: thousands are divided, and only one thing is singular") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(-999) == "-999");
  CHECK(grouped(-123456) == "-123,456");
  CHECK(grouped(1234567890) == "1,234,567,890");
  CHECK(count_of(0, "ion") == "0 ions");
  CHECK(count_of(1, "ion") == "1 ion");
  CHECK(count_of(2, "CPU thread") == "2 CPU threads");
  CHECK(count_of(1200, "point") == "1,200 points");
}
