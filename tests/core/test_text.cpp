#include <doctest/doctest.h>

#include <charconv>
#include <cmath>
#include <random>

#include "core/text/text.hpp"

using namespace ionwell;

TEST_CASE("numbers: the whole token or nothing") {
  CHECK(parse_number("0.25") == 0.25);
  CHECK(parse_number("-101.992") == -101.992);
  CHECK(parse_number("+.5") == 0.5);
  CHECK(parse_number("7.") == 7.0);
  CHECK(parse_number("1e-3") == 0.001);
  CHECK(parse_number("+1.5E+2") == 150.0);
  CHECK(parse_number("0.1000000000000000055511151231257827") == 0.1);
  CHECK(std::signbit(*parse_number("-0.000")));
  for (const std::string token : {"",    "-",    "+",    ".",        "-.",    "+-1",    "++1",        "1.2.3",
                                  "1,5", "0x10", "1e",   "1.0 ",     " 1.0",  "1.0A",   "-88.1-10.2", "nan",
                                  "NaN", "inf",  "-INF", "infinity", "1e999", "-1e999", "1e-999"}) {
    CAPTURE(token);
    CHECK(!parse_number(token));
  }
}

TEST_CASE("numbers: short decimals are rounded as std::from_chars rounds them") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const int decimals = int(random() % 16), digits = 1 + int(random() % 17);
    std::string token = random() % 2 ? "-" : "";
    for (int d = 0; d < digits; ++d) token += char('0' + random() % 10);
    if (decimals < digits) token.insert(token.size() - std::size_t(decimals), ".");
    double expected = 0.0;
    std::from_chars(token.data(), token.data() + token.size(), expected);
    const auto value = parse_number(token);
    CAPTURE(token);
    REQUIRE(value.has_value());
    REQUIRE(*value == expected);
  }
}

TEST_CASE("integers: the whole token or nothing") {
  CHECK(parse_integer("42") == 42);
  CHECK(parse_integer("-5") == -5);
  CHECK(parse_integer("+7") == 7);
  for (const std::string token : {"", "-", "+-1", "1.0", "12A", " 1", "99999999999"}) {
    CAPTURE(token);
    CHECK(!parse_integer(token));
  }
}

TEST_CASE("columns are cut to the line, and tokens are runs of non-blanks") {
  CHECK(columns("abcdef", 1, 3) == "bcd");
  CHECK(columns("abcdef", 4, 8) == "ef");
  CHECK(columns("abcdef", 6, 2).empty());
  CHECK(trim(" \t a b \r") == "a b");
  CHECK(trim("  ").empty());
  std::string_view text = "  one\ttwo ";
  CHECK(take_token(text) == "one");
  CHECK(take_token(text) == "two");
  CHECK(take_token(text).empty());
}

TEST_CASE("quoted text is printable and short") {
  CHECK(quote("charge") == "'charge'");
  CHECK(quote(std::string_view("a\0\x1b\xff", 4)) == "'a\\x00\\x1b\\xff'");
  CHECK(quote(std::string(50, 'x')) == "'" + std::string(40, 'x') + "...'");
}

TEST_CASE("lines: LF, CR LF, CR, a byte-order mark, and a last line without end") {
  for (const std::string end : {"\n", "\r\n", "\r"})
    for (const std::string mark : {"", "\xEF\xBB\xBF"}) {
      const std::string text = mark + "first" + end + end + "last";
      LineScanner lines(text);
      std::string_view line;
      REQUIRE(lines.next(line));
      CHECK(line == "first");
      CHECK(lines.line_is_ended());
      REQUIRE(lines.next(line));
      CHECK(line.empty());
      REQUIRE(lines.next(line));
      CHECK(line == "last");
      CHECK(lines.number() == 3);
      CHECK(!lines.line_is_ended());
      CHECK(!lines.next(line));
    }
  LineScanner nothing("");
  std::string_view line;
  CHECK(!nothing.next(line));
}
