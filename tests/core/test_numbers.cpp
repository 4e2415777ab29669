// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "core/text/numbers.hpp"

using namespace ionwell;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

bool same_bits(double a, double b) {
  return a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace

TEST_CASE("numbers: the whole token or nothing") {
  CHECK(parse_number("0.25") == 0.25);
  CHECK(parse_number("-101.992") == -101.992);
  CHECK(parse_number("+.5") == 0.5);
  CHECK(parse_number("7.") == 7.0);
  CHECK(parse_number("1e-3") == 0.001);
  CHECK(parse_number("+1.5E+2") == 150.0);
  CHECK(parse_number("0.1000000000000000055511151231257827") == 0.1);
  CHECK(parse_number("1e308") == 1e308);
  CHECK(parse_number("4.9e-324") == 4.9e-324);
  CHECK(parse_number("0e-999") == 0.0);
  CHECK(std::signbit(*parse_number("-0.000")));
  CHECK(std::signbit(*parse_number("-0e5")));
  for (const std::string token :
       {"",         "-",     "+",      ".",          "-.",  "+-1",    "++1",    "-+1",
        "--1",      "1.2.3", "1,5",    "0x10",       "1e",  "1e+",    "1e+-2",  "e5",
        "1.0 ",     " 1.0",  "1.0A",   "-88.1-10.2", "nan", "NaN",    "inf",    "-INF",
        "infinity", "1e999", "-1e999", "1e-999",     "1D0", "1.0d+2", "1.0D+00"}) {
    CAPTURE(token);
    CHECK(!parse_number(token));
  }
}

TEST_CASE("numbers: short ones are rounded as strtod rounds them, whatever their length and exponent") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const int decimals = int(random() % 16), digits = 1 + int(random() % 17);
    std::string token = random() % 2 ? "-" : "";
    for (int d = 0; d < digits; ++d) token += char('0' + random() % 10);
    if (decimals < digits) token.insert(token.size() - std::size_t(decimals), ".");
    if (random() % 2) token += (random() % 2 ? "e-" : "E+") + std::to_string(random() % 30);
    const double expected = std::strtod(token.c_str(), nullptr);
    CAPTURE(token);
    const auto value = parse_number(token), any = parse_any_number(token);
    REQUIRE(value.has_value());
    REQUIRE(any.has_value());
    REQUIRE(same_bits(*value, expected));
    REQUIRE(same_bits(*any, expected));
  }
}

TEST_CASE("numbers: a short decimal ends where its digits do, and a long one is left to others") {
  const auto length = [](const std::string& text, double& value) {
    const char* const end = scan_short_decimal(text.data(), text.data() + text.size(), value);
    return end == nullptr ? -1 : int(end - text.data());
  };
  double value = 0.0;
  CHECK(length("-12.345  1.8", value) == 7);
  CHECK(value == -12.345);
  CHECK(length("+7-3", value) == 2);
  CHECK(value == 7.0);
  CHECK(length("2.5e3", value) == 3);
  CHECK(value == 2.5);
  CHECK(length("999999999999.999", value) == 16);
  CHECK(value == 999999999999.999);
  for (const std::string text : {"", "-", ".", "x1", " 1", "1234567890123456", "0.000000000000001"}) {
    CAPTURE(text);
    CHECK(length(text, value) == -1);
  }
}

TEST_CASE("numbers of maps: Fortran's exponents, nan, inf, and what a double cannot hold") {
  CHECK(parse_any_number("1.5D+02") == 150.0);
  CHECK(parse_any_number("-1.5d-02") == -0.015);
  CHECK(parse_any_number("+1.5D0") == 1.5);
  CHECK(parse_any_number("0.12345678901234567D+00") == 0.12345678901234567);
  CHECK(std::isnan(*parse_any_number("nan")));
  CHECK(std::isnan(*parse_any_number("NaN")));
  CHECK(parse_any_number("inf") == infinite);
  CHECK(parse_any_number("-INF") == -infinite);
  CHECK(parse_any_number("1e999") == infinite);
  CHECK(parse_any_number("1.0D+400") == infinite);
  CHECK(same_bits(*parse_any_number("-1e-999"), 0.0));
  CHECK(same_bits(*parse_any_number("1.0D-400"), 0.0));
  for (const std::string token : {"", "-", "+", ".", "+-1", "1.0F0", "1D", "1.0DD0", "attribute", "1.0,"}) {
    CAPTURE(token);
    CHECK(!parse_any_number(token));
  }
}

TEST_CASE("integers: the whole token or nothing") {
  CHECK(parse_integer("42") == 42);
  CHECK(parse_integer("-5") == -5);
  CHECK(parse_integer("+7") == 7);
  CHECK(parse_integer("-2147483648") == std::numeric_limits<int>::min());
  CHECK(parse_integer<std::int64_t>("99999999999") == 99'999'999'999);
  for (const std::string token : {"", "-", "+", "+-1", "-+1", "1.0", "1e3", "12A", " 1", "2147483648"}) {
    CAPTURE(token);
    CHECK(!parse_integer(token));
  }
  CHECK(!parse_integer<std::int64_t>("9223372036854775808"));
}
