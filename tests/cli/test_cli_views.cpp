// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "support/example.hpp"
#include "support/terminal.hpp"

using namespace ionwell::test;
using Strings = std::vector<std::string>;

namespace {

Strings placing(const std::string& output, const Strings& more = {}) {
  Strings words = {"place",     duplex, "--ion",   "MG:4", "--ion", "NA:neutralize",
                   "--spacing", "1",    "--quiet", "-o",   output};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A variable of the environment while this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    setenv(name, value, 1);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("views: a page next to the ions, with the view") {
  const TemporaryFolder folder;
  Strings words = placing(folder / "ions.pdb", {"--html", folder / "r.html"});
  std::erase(words, "--quiet");  // which leaves notes out
  const ProgramResult run = run_ionwell(words);
  CHECK(run.exit_code == 0);
  const std::string page = read_text(folder / "r.html");
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(has(page, "\"command\":\"ionwell place "));
  CHECK(has(page, "\"nearest_atom\":[\"D"));
  CHECK(has(page, "$3Dmol"));
  CHECK(run.err.empty());
}

TEST_CASE("views: scripts of viewers name the files, whatever these are called") {
  const TemporaryFolder folder;
  const std::string odd = folder / "a b'\"$[x].pdb", stem = odd.substr(0, odd.size() - 4);
  for (const auto& [program, ending] :
       {std::pair("vmd", ".vmd.tcl"), {"pymol", ".pml"}, {"chimerax", ".cxc"}}) {
    CAPTURE(std::string(program));
    const ProgramResult run = run_ionwell(placing(odd, {"--view", program}));
    CHECK(run.err == "");
    REQUIRE(run.exit_code == 0);
    CHECK(std::filesystem::exists(stem + ending));
    CHECK(has(read_text(stem + ".solute.pdb"), "ATOM"));
    std::filesystem::remove(stem + ".solute.pdb");
  }
  CHECK(has(read_text(stem + ".vmd.tcl"), R"(a b'\"\$\[x\].pdb")"));
  CHECK(has(read_text(stem + ".pml"), R"(a b'\"$[x].pdb")"));
  // With the solute in the file none is written beside it.
  CHECK(run_ionwell(placing(folder / "all.pdb", {"--view", "vmd", "--with-solute"})).exit_code == 0);
  CHECK(has(read_text(folder / "all.vmd.tcl"), "index 758 to 775"));
  CHECK_FALSE(std::filesystem::exists(folder / "all.solute.pdb"));
}

TEST_CASE("views: what a viewer cannot open is refused before the run") {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& output, const Strings& more) {
    const ProgramResult run = run_ionwell(placing(output, more));
    CHECK(run.exit_code == 2);
    return run.err;
  };
  CHECK(
      has(message(folder / "a.gro", {"--view", "vmd"}), "--view vmd shows the ions of a .pdb or .cif file"));
  CHECK(has(message("-", {"--view", "pymol"}), "-o is -"));
  CHECK(
      has(message(folder / "f", {"--view", "vmd", "--for", "vmd"}), "the folder of --for vmd has view.tcl"));
  CHECK(has(message(folder / "a.pdb", {"--view", "pymol", "--save-map", folder / "m.h5"}), "shows .dx"));
  CHECK(has(message(folder / "a.pdb", {"--view", "jmol"}), "--view"));
  CHECK(has(message(folder / "a.pdb", {"--html", folder / "a.pdb"}), "are both"));
  CHECK(folder.entries().empty());
}

TEST_CASE(
    "place: its table has colours on a terminal unless NO_COLOR is set, signs where the locale has them") {
  const TemporaryFolder folder;
  Strings words = placing(folder / "ions.pdb", {});
  words.erase(std::find(words.begin(), words.end(), "--quiet"));
  const Variable utf8("LC_ALL", "C.UTF-8");
  {
    const Variable allowed("NO_COLOR", "");
    const std::string terminal = run_on_terminal(words, 110).out;
    CHECK(has(terminal, "\x1b[36m  1 MG\x1b[0m"));
    CHECK(has(terminal, "[\u00c5]"));
    CHECK(has(terminal, "\u2588"));
    CHECK_FALSE(has(run_ionwell(words).out, "\x1b"));
    CHECK_FALSE(has(run_ionwell(words).out, "\u00c5"));
  }
  const Variable forbidden("NO_COLOR", "1");
  CHECK_FALSE(has(run_on_terminal(words, 110).out, "\x1b"));
  const Variable ascii("LC_ALL", "C");
  const std::string plain = run_on_terminal(words, 110).out;
  CHECK_FALSE(has(plain, "\u00c5"));
  CHECK(has(plain, "x [A]"));
}
