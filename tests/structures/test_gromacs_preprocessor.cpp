// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "structures/gromacs/preprocessor.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Files = std::map<std::string, std::string>;

/// "path:line text|path:line text|".
std::string lines_of(const Files& files, const std::vector<std::string>& defines = {},
                     const std::vector<std::string>& folders = {}) {
  GromacsPreprocessor lines("a.top", {defines, folders, &files});
  std::string result;
  for (SourceLine line; lines.next(line);)
    result += *line.path + ':' + std::to_string(line.number) + ' ' + std::string(lines.expanded(line)) + '|';
  return result;
}

std::string lines_of(const std::string& text, const std::vector<std::string>& defines = {}) {
  return lines_of(Files{{"a.top", text}}, defines);
}

std::string error_of_files(const Files& files) {
  return error_of([&] { lines_of(files); });
}

std::string error_of_text(const std::string& text) {
  return error_of([&] { lines_of(text); });
}

}  // namespace

TEST_CASE("GROMACS preprocessor: comments, blank lines, line ends and continuations") {
  CHECK(lines_of("; all\n\n  a b ; c\nd\\\n  e \\  \nf;g\nh\n") == "a.top:3 a b|a.top:4 d e  f|a.top:7 h|");
  CHECK(lines_of("a\r\n#define X 1\r\nX\r\n") == "a.top:1 a|a.top:3 1|");
  CHECK(lines_of("last \\") == "a.top:1 last|");
  CHECK(lines_of("") == "");
}

TEST_CASE("GROMACS preprocessor: conditions") {
  const std::string text =
      "#ifdef A\na\n#ifndef B\nnot b\n#else\nb\n#endif\n# else ; of A\nnot a\n#endif\nend\n";
  CHECK(lines_of(text) == "a.top:9 not a|a.top:11 end|");
  CHECK(lines_of(text, {"A"}) == "a.top:2 a|a.top:4 not b|a.top:11 end|");
  CHECK(lines_of(text, {"A", "B=3"}) == "a.top:2 a|a.top:6 b|a.top:11 end|");
  // nothing is done where it is not reached
  CHECK(lines_of("#ifdef A\n#include \"none\"\n#error no\n#define B\n#ifdef "
                 "C\n#else\nx\n#endif\n#endif\n#ifdef B\ny\n#endif\n") == "");
}

TEST_CASE("GROMACS preprocessor: words are replaced whole, also in what replaces them") {
  CHECK(lines_of("#define q 0.5 ; charge\n#define two q q\n1 q two xq q' q_1\n#undef q\nq two\n") ==
        "a.top:3 1 0.5 0.5 0.5 xq 0.5' q_1|a.top:5 q q q|");
  CHECK(lines_of("NAME\n", {"NAME"}) == "a.top:1 NAME|");  // a word without a value stays
  CHECK(lines_of("a\n", {"a=b", "b=a"}) != "");            // and this ends
  CHECK(lines_of("CL\n", {"CL=CL"}) == "a.top:1 CL|");
  std::string bomb;
  for (char c = 'a'; c < 'z'; ++c)
    bomb += std::string("#define ") + c + ' ' + char(c + 1) + ' ' + char(c + 1) + '\n';
  CHECK(error_of_text(bomb + "a\n")
            .starts_with("a.top:26: with the values of its defined words the line has more than 65536"));
}

TEST_CASE("GROMACS preprocessor: where included files are looked for") {
  const Files files{{"a.top", "#include \"ff/b.itp\"\n#include <c.itp>\nend\n"},
                    {"ff/b.itp", "b\n#include \"c.itp\" ; beside this file\n"},
                    {"ff/c.itp", "ff c\n"},
                    {"lib/c.itp", "lib c\n"},
                    {"other/c.itp", "other c\n"}};
  CHECK(lines_of(files, {}, {"none", "lib", "other"}) ==
        "ff/b.itp:1 b|ff/c.itp:1 ff c|lib/c.itp:1 lib c|a.top:3 end|");
  GromacsPreprocessor lines("a.top", {{}, {"lib"}, &files});
  for (SourceLine line; lines.next(line);) continue;
  REQUIRE(lines.included().size() == 3);
  CHECK(lines.included()[1].path == "ff/c.itp");
  CHECK(lines.included()[1].from == "ff/b.itp");
  CHECK(lines.included()[1].line == 2);
}

TEST_CASE("GROMACS preprocessor: files on the disk, and GMXLIB") {
  const TemporaryFolder folder, library;
  write_text(folder / "a.top", "#include \"b.itp\"\n#include \"c.itp\"\n");
  write_text(folder / "b.itp", "b\n");
  write_text(library / "c.itp", "c\n");
  const std::string path = folder / "a.top";
  std::string text;
  setenv("GMXLIB", (":/none:" + library.path()).c_str(), 1);
  GromacsPreprocessor lines(path, {});
  for (SourceLine line; lines.next(line);) text += std::string(line.text) + *line.path + '|';
  unsetenv("GMXLIB");
  CHECK(text == "b" + folder.path() + "/b.itp|c" + library.path() + "/c.itp|");
  const std::string missing = error_of([&] {
    GromacsPreprocessor again(path, {});
    for (SourceLine line; again.next(line);) continue;
  });
  CHECK(missing.starts_with(path + ":2: there is no file 'c.itp' to include (looked in " + folder.path() +
                            ", "));
  CHECK(missing.find("/usr/share/gromacs/top") != missing.npos);
}

TEST_CASE("GROMACS preprocessor: what it refuses, and the chain of includes") {
  const std::string there = "; it is included from b.itp:2, a.top:3";
  const auto nested = [](const std::string& text) {
    return error_of_files(
        {{"a.top", "\n\n#include \"b.itp\"\n"}, {"b.itp", "\n#include \"c.itp\"\n"}, {"c.itp", text}});
  };
  CHECK(nested("x\n#include \"d.itp\"\n") ==
        "c.itp:2: there is no file 'd.itp' to include (looked in .); install the package gromacs-data, or "
        "name its "
        "folder as an include folder or in GMXLIB" +
            there);
  CHECK(nested("#include \"b.itp\"\n") ==
        "c.itp:1: includes b.itp, which includes this file; remove one #include" + there);
  CHECK(nested("#error Choose a water\n") ==
        "c.itp:1: #error 'Choose a water' was reached; define the words that the force field needs" + there);
  CHECK(nested("#ifdef A\n\n") ==
        "c.itp:1: this #ifdef or #ifndef has no #endif in its file; add it" + there);
  CHECK(nested("#endif\n") ==
        "c.itp:1: #endif has no #ifdef or #ifndef in this file before it; add one, or remove it" + there);
  CHECK(error_of_text("#ifdef A\n#else\n#else\n#endif\n") ==
        "a.top:3: #else comes a second time for one #ifdef or #ifndef; remove one");
  CHECK(error_of_text("#if 1\n") == "a.top:1: #if is not a GROMACS directive; use #ifdef or #ifndef");
  CHECK(error_of_text("#warning x\n") ==
        "a.top:1: '#warning x' is not a GROMACS directive; write ; before a comment");
  CHECK(error_of_text("#define\n") == "a.top:1: #define names nothing; add the name");
  CHECK(error_of_text("#ifdef\n") == "a.top:1: #ifdef names nothing; add the name");
  for (const std::string name : {"b.itp", "\"b.itp", "<b.itp\"", "\"\"", ""})
    CHECK(error_of_text("#include " + name + "\n").find(" has no file name in quotes") != std::string::npos);
  // An #ifdef of the including file is not ended by the included one.
  CHECK(error_of_files({{"a.top", "#ifndef A\n#include \"b.itp\"\n#endif\n"}, {"b.itp", "#endif\n"}})
            .starts_with("b.itp:1: #endif has no"));
}

TEST_CASE("GROMACS preprocessor: files that include others without end are stopped") {
  Files deep, wide;
  for (int i = 0; i < 100; ++i) {
    const std::string name = i == 0 ? "a.top" : "f" + std::to_string(i);
    const std::string next = "#include \"f" + std::to_string(i + 1) + "\"\n";
    deep[name] = next;
    if (i < 40) wide[name] = next + next;
  }
  wide["f40"] = "";
  CHECK(error_of_files(deep).starts_with("f63:1: files are included to a depth of more than 64; do they"));
  CHECK(error_of_files(wide).find("files are included more than 10000 times") != std::string::npos);
}
