// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>

#include "support/example.hpp"
#include "support/hostile_names.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using Strings = std::vector<std::string>;

namespace {

/// Whether a terminal would obey some of it.
bool commands_a_terminal(const std::string& text) {
  for (const char c : text)
    if ((c >= 0 && c < ' ' && c != '\n') || c == '\x7f') return true;
  return text.find("\u009b") != text.npos || text.find('\xff') != text.npos;
}

/// A nucleotide's atoms in a PQR file, named as asked for.
std::string pqr_of(std::string_view residue, std::string_view chain) {
  std::string text;
  for (int n = 0; n < 4; ++n)
    text += "ATOM " + std::to_string(n + 1) + " P" + std::to_string(n) + ' ' + std::string(residue) + ' ' +
            std::string(chain) + " 1 " + std::to_string(2 * n) + ".0 0.5 0.25 -1.0 1.5\n";
  return text;
}

constexpr const char* odd_file = "a\nquit\n\x1b[2J\u009b1m\xff'\"$[x]`<b>.pqr";

}  // namespace

TEST_CASE("names: no name of a file reaches a terminal, a script or a page as it is") {
  const TemporaryFolder folder;
  const std::string pqr = folder / odd_file;
  write_text(pqr, pqr_of("DA", "A"));
  const Strings quick = {"--spacing", "2", "--border", "8"};
  const auto run = [&](Strings words, const Strings& more = {}) {
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run_ionwell(words);
    CAPTURE(words.front());
    CAPTURE(result.err);
    CHECK(!commands_a_terminal(result.out));
    CHECK(!commands_a_terminal(result.err));
    return result.exit_code;
  };
  CHECK(run({"info", pqr}) == 0);
  CHECK(run({"map", pqr, "-o", folder / "m\x1b.dx"}, quick) == 0);
  CHECK(run({"info", folder / "m\x1b.dx"}) == 0);
  CHECK(run({"convert", folder / "m\x1b.dx", folder / "m.cube"}) == 0);
  CHECK(run({"compare", pqr, folder / "no\x1b.pdb"}) == 1);
  CHECK(run({"potential", pqr, "--surface", "ses", "-o", folder / "s\x1b.csv"}) == 0);
  CHECK(run({"place", pqr, "--ion", "\x1b[2J:1", "-o", folder / "no.pdb"}) == 2);
  CHECK(run({"\x1b[2J"}) == 2);
  CHECK(run({"place", pqr, "--\x1b[2J"}) == 2);
  CHECK(run({"info", folder / "none\x1b[2J\u009b\xff"}) == 1);
  const std::string report = folder / "r\n.json", page = folder / "r.html";
  for (const char* const output : {"o.pdb", "o.cif", "o.gro", "o.pqr", "o.crd", "o.rst7", "o.xyz"}) {
    CAPTURE(std::string(output));
    CHECK(run({"place", pqr, "--ion", "MG:2", "--with-solute", "-o", folder / output, "--report", report,
               "--html", page},
              quick) == 0);
    const std::string text = read_text(folder / output);
    CHECK(!commands_a_terminal(text));
    CHECK(text.find("\nquit") == text.npos);
  }
  CHECK(read_text(page).find("<b>") == std::string::npos);
  const std::string ions = folder / ("b" + std::string(odd_file));  // folders are of whole residues
  write_text(ions, "ATOM 1 CL CL A 1 0.0 0.5 0.25 -1.0 1.5\nATOM 2 CL CL A 2 6.0 0.5 0.25 -1.0 1.5\n");
  for (const char* const engine : {"amber", "charmm", "openmm", "vmd"}) {
    const std::string out = folder / engine;
    CAPTURE(std::string(engine));
    CHECK(run({"place", ions, "--ion", "MG:2", "--for", engine, "-o", out}, quick) == 0);
    for (const auto& entry : std::filesystem::directory_iterator(out)) {
      const std::string text = read_text(entry.path().string());
      CHECK(!commands_a_terminal(text));
      CHECK(text.find("\nquit\n") ==
            (entry.path().filename() == "leap.in" ? text.rfind("\nquit\n") : text.npos));
    }
  }
}

TEST_CASE("names: what is not printable of a residue or a chain is replaced, with a warning") {
  const TemporaryFolder folder;
  const std::string pqr = folder / "a.pqr", ions = folder / "i.pdb", report = folder / "r.json";
  write_text(pqr, pqr_of("\x1b[2J", "\u009b"));
  const ProgramResult result = run_ionwell({"place", pqr, "--ion", "MG:2", "--spacing", "2", "--border", "8",
                                            "--with-solute", "-o", ions, "--report", report});
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("4 atoms have names with characters other than printable ASCII, first '\\x1b[2J'; "
                        "each of these characters is read as '_'") != std::string::npos);
  CHECK(!commands_a_terminal(result.out + result.err));
  CHECK(result.out.find("_[2J 1 __ P") != std::string::npos);
  CHECK(read_text(ions).find(" _[2J ") != std::string::npos);
  CHECK(!commands_a_terminal(read_text(ions)));
  CHECK(read_text(report).find("\\u001b") == std::string::npos);
}

TEST_CASE("names: maps of sampled ions are in the folder that was asked for, whatever the ions are called") {
  const TemporaryFolder folder;
  const std::string pqr = folder / "a.pqr", below = folder / "below";
  std::filesystem::create_directory(below);
  write_text(pqr, pqr_of("DA", "A"));
  // Two that would have the same name as files.
  const ProgramResult result = run_ionwell({"sample",
                                            pqr,
                                            "--ion",
                                            "../x:2:+1",
                                            "--ion",
                                            "..|x:2:+1",
                                            "--ion-radius",
                                            "../x:1",
                                            "--ion-radius",
                                            "..|x:1",
                                            "--start",
                                            "random",
                                            "--sweeps",
                                            "100",
                                            "--equilibration",
                                            "10",
                                            "--sample-every",
                                            "5",
                                            "--blocks",
                                            "2",
                                            "--wall-distance",
                                            "8",
                                            "--spacing",
                                            "2",
                                            "-o",
                                            below + "/i.pdb",
                                            "--density",
                                            below + "/d.dx"});
  CHECK(result.err == "");
  CHECK(result.exit_code == 0);
  CHECK(std::filesystem::exists(below + "/d.___x.dx"));
  CHECK(std::filesystem::exists(below + "/d.___x2.dx"));
  CHECK(folder.entries() == Strings{"a.pqr", "below"});
}
