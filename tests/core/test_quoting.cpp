// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/text/quoting.hpp"
#include "support/hostile_names.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("quoting: one line has no character that a terminal or a reader of lines obeys") {
  CHECK(one_line("plain, \u00c5 and \u2026 stay") == "plain, \u00c5 and \u2026 stay");
  CHECK(one_line("a\nb\r\tc\x7f") == "a?b??c?");
  CHECK(one_line("\x1b[2J\u009b1m\u0085") == "?[2J?1m?");
  CHECK(one_line("a\u2028b\u2029c") == "a?b?c");
  CHECK(one_line(std::string_view("a\0b", 3)) == "a?b");
  // What is not UTF-8: a byte alone, a cut character, too long a form, a surrogate, beyond U+10FFFF.
  CHECK(one_line("\xff") == "?");
  CHECK(one_line("a\xc3") == "a?");
  CHECK(one_line("\xc0\xaf") == "??");
  CHECK(one_line("\xe0\x80\xaf") == "???");
  CHECK(one_line("\xed\xa0\x80") == "???");
  CHECK(one_line("\xf4\x90\x80\x80") == "????");
  CHECK(one_line("\U0001f9ec") == "\U0001f9ec");
  CHECK(ascii_line("a\u00c5\n~") == "a???~");
}

TEST_CASE("quoting: words of Tcl, shells, Python and ChimeraX") {
  CHECK(tcl_quoted("a b$[x]{\"}\\;\n") == R"("a b\$\[x\]\{\"\}\\\;\012")");
  CHECK(tcl_word("A_1") == "A_1");
  CHECK(tcl_word("-5A") == "-5A");
  CHECK(tcl_word("") == "\"\"");
  CHECK(tcl_word("-") == "\"-\"");
  CHECK(tcl_word("a;b") == R"("a\;b")");
  CHECK(shell_word("a/b-c_1.pdb") == "a/b-c_1.pdb");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("it's $x") == R"('it'\''s $x')");
  CHECK(shell_word("a\n'\\\x1b") == R"($'a\012\'\\\033')");
  CHECK(python_bytes("a'\"\\\n\xc3\xa5") == R"(b"a'\"\\\x0a\xc3\xa5")");
  CHECK(chimerax_quoted("a'\"\\\n\xc3\xa5") == "\"a'\\\"\\\\\\x0a\xc3\xa5\"");
}

TEST_CASE("quoting: cells of a table have quotes where they need them") {
  CHECK(csv_cell("MG 1") == "MG 1");
  CHECK(csv_cell("a,\"b\"") == R"("a,""b""")");
  CHECK(csv_quoted("") == "\"\"");
}

TEST_CASE("quoting: parts of file names lead nowhere else") {
  CHECK(path_part("Na+") == "Na+");
  CHECK(path_part("../x") == "___x");
  CHECK(path_part("") == "_");
  for (const std::string_view name : hostile_names) {
    CAPTURE(std::string(name));
    CHECK(path_part(name).find_first_of("./\\~*|<>&;$`'\" \n") == std::string::npos);
  }
  CHECK(is_plain_word("Az_09"));
  for (const std::string_view name : {"", "a b", "a-b", "\xc3\xa5"}) CHECK(!is_plain_word(name));
}
