// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "support/skip.hpp"

using ionwell::test::skip;

// Not tests, but what run.sh shows CTest: each way in which a test case can end.

TEST_CASE("passes") {
  CHECK(true);
}

TEST_CASE("is skipped") {
  skip("this is a sample");
}

TEST_CASE("is skipped and fails") {
  skip("this is a sample");
  CHECK(false);
}

TEST_CASE("fails and is skipped") {
  CHECK(false);
  skip("this is a sample");
}

TEST_CASE("is skipped and throws") {
  skip("this is a sample");
  throw 1;
}

TEST_CASE("speaks of skipped: things, and fails") {
  MESSAGE("skipped: this is a sample");
  CHECK(false);
}
