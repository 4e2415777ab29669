// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <string>

#include "core/text/lines.hpp"

using namespace ionwell;

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
