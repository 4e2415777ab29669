// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/state/state_stream.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr const char* damaged_ions = "the saved ions is missing or invalid";

}  // namespace

TEST_CASE("saved state: arrays by name, of the type and number that they were put with") {
  SavedState state;
  state.put("ions", std::vector{1.0, 2.0});
  state.put("step", std::int64_t{7});
  CHECK(state.has("ions"));
  CHECK_FALSE(state.has("waters"));
  CHECK(state.get<double>("ions", 2) == std::vector{1.0, 2.0});
  CHECK(state.value<std::int64_t>("step") == 7);
  CHECK(error_of([&] { state.get<float>("ions"); }) == damaged_ions);
  CHECK(error_of([&] { state.get<double>("ions", 3); }) == damaged_ions);
  CHECK(error_of([&] { state.value<double>("ions"); }) == damaged_ions);
  CHECK(error_of([&] { state.get<double>("waters"); }) == "the saved waters is missing or invalid");
  state.put("ions", 3.0);
  CHECK(state.value<double>("ions") == 3.0);
}

TEST_CASE("saved state: what is written one after the other is read so, and not beyond its end") {
  StateWriter writer;
  writer.put(std::int64_t{-5});
  writer.put(0.1);
  writer.put(std::vector<double>{1.0, -0.0, INFINITY});
  writer.put(std::vector<double>{});
  writer.put(std::numeric_limits<std::int64_t>::max());
  SavedState state;
  writer.move_to(state, "ions");
  StateReader reader(state, "ions");
  CHECK(reader.whole(-5, 5) == -5);
  CHECK(reader.number() == 0.1);
  const std::vector<double> numbers = reader.numbers(3);
  CHECK(numbers == std::vector{1.0, 0.0, double(INFINITY)});
  CHECK(std::signbit(numbers[1]));
  CHECK(reader.numbers().empty());
  CHECK(reader.whole() == std::numeric_limits<std::int64_t>::max());
  CHECK(error_of([&] { reader.whole(); }) == damaged_ions);
  CHECK(error_of([&] { reader.number(); }) == damaged_ions);
}

TEST_CASE("saved state: numbers out of their bounds, and lengths that there are not, are refused") {
  StateWriter writer;
  writer.put(std::vector{1.0, 2.0});
  SavedState state;
  writer.move_to(state, "ions");
  CHECK(error_of([&] { StateReader(state, "ions").numbers(3); }) == damaged_ions);
  CHECK(error_of([&] { StateReader(state, "ions").whole(0, 1); }) == damaged_ions);
  CHECK(error_of([&] { StateReader(state, "ions").whole(3, 9); }) == damaged_ions);
  for (const std::int64_t length :
       {std::int64_t{-1}, std::int64_t{3}, std::numeric_limits<std::int64_t>::max()}) {
    state.put("ions: whole numbers", length);
    CHECK(error_of([&] { StateReader(state, "ions").numbers(); }) == damaged_ions);
  }
  CHECK(error_of([&] { StateReader(state, "waters"); }) ==
        "the saved waters: whole numbers is missing or invalid");
}
