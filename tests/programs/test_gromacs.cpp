// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>

#include "programs/gromacs.hpp"
#include "programs/gromacs_program.hpp"
#include "programs/pdb2gmx.hpp"
#include "support/error_of.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"
#include "support/tpr_dump_sample.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// A program that does what `script` says, in place of gmx.
std::string program(const TemporaryFolder& folder, const std::string& script) {
  const std::string path = folder / "gmx";
  write_text(path, "#!/bin/sh\n" + script);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

}  // namespace

TEST_CASE("tpr: what gmx dump prints is read, apart from what it complains of") {
  const TemporaryFolder folder;
  write_text(folder / "dump", tpr_dump_sample);
  const std::string gmx =
      program(folder, "echo \"$@\" > '" + (folder / "words") + "'\necho 'WARNING: old file' >&2\ncat '" +
                          (folder / "dump") + "'\necho 'Reading file' >&2\n");
  const SignalNotes notes;
  const Structure s = read_tpr("x.tpr", {.program = gmx}, notes);
  CHECK(s.path == "x.tpr");
  CHECK(s.atoms.size() == 4);
  CHECK(s.warnings == std::vector<std::string>{"x.tpr: gmx dump reports 'WARNING: old file'"});
  CHECK(read_text(folder / "words") ==
        "-quiet dump -s " + std::filesystem::absolute("x.tpr").string() + "\n");
}

TEST_CASE("tpr: gmx that is missing, fails, hangs or prints nothing") {
  const TemporaryFolder folder;
  const SignalNotes notes;
  const auto error = [&](const std::string& gmx) {
    return error_of([&] { read_tpr("x.tpr", {.program = gmx, .timeout_s = 0.3}, notes); });
  };
  CHECK(error("no-such-gmx") ==
        "there is no program no-such-gmx to read .tpr files; on Debian and Ubuntu install the package "
        "gromacs, or give the topology (.top) and coordinates instead");
  const std::string failed =
      error(program(folder, "printf 'Fatal error:\\nreading tpx file\\n\\n---\\nFor more\\n' >&2\nexit 3\n"));
  CHECK(failed.starts_with("x.tpr: GROMACS (" + folder.path() +
                           "/gmx dump) failed with exit code 3; its last output: 'reading tpx file'; "));
  CHECK(error(program(folder, "kill -9 $$\n"))
            .find("was killed by signal 9, perhaps because of too little memory") != std::string::npos);
  CHECK(error(program(folder, "exec sleep 60\n")).find("was stopped after 0.3 s") != std::string::npos);
  CHECK(error(program(folder, "echo\n")) ==
        "x.tpr: gmx dump prints 0 positions for 0 atoms; make the file again with gmx grompp");
  CHECK(error(program(folder, "exit 0\n")).find("dump.txt") != std::string::npos);
}

TEST_CASE("tpr: of GROMACS itself") {
  if (find_program("gmx").empty()) return skip("gmx is not installed");
  const TemporaryFolder folder;
  write_text(
      folder / "a.top",
      "[ defaults ]\n1 2 no 1 1\n[ atomtypes ]\nOW 8 15.999 -0.82 A 0.3 0.6\nHW 1 1.008 0.41 A 0 0\n"
      "[ moleculetype ]\nSOL 1\n[ atoms ]\n1 OW 1 SOL OW 1\n2 HW 1 SOL HW1 1\n3 HW 1 SOL HW2 1 0.4100001\n"
      "[ settles ]\n1 1 0.1 0.16\n[ system ]\nx\n[ molecules ]\nSOL 2\n");
  write_text(
      folder / "a.gro",
      "x\n6\n    1SOL     OW    1   0.126   1.624   1.679\n    1SOL    HW1    2   0.190   1.661   1.747\n"
      "    1SOL    HW2    3   0.177   1.568   1.613\n    2SOL     OW    4   1.275   0.053   0.622\n"
      "    2SOL    HW1    5   1.337   0.002   0.680\n    2SOL    HW2    6   1.326   0.120   0.568\n   3 3 "
      "3\n");
  write_text(folder / "a.mdp", "integrator = md\ncutoff-scheme = verlet\n");
  const SignalNotes notes;
  const ChildResult made =
      run_child({find_program("gmx"), "grompp", "-f", "a.mdp", "-c", "a.gro", "-p", "a.top", "-o", "a.tpr",
                 "-maxwarn", "9"},
                {.folder = folder.path(), .output_path = folder / "out"}, notes, [](double) {});
  REQUIRE(made.exit_code == 0);
  const Structure s = read_tpr(folder / "a.tpr", {}, notes);
  REQUIRE(s.atoms.size() == 6);
  CHECK(s.atoms[3].charge_e == -0.82);
  CHECK(s.atoms[3].residue_number == 2);
  CHECK(s.atoms[3].position_A.x == doctest::Approx(12.75).epsilon(1e-6));  // six digits
  CHECK(s.atoms[5].name.view() == "HW2");
  CHECK(s.atoms[5].element.view() == "H");
  REQUIRE(s.cell);
  CHECK(lengths_A(*s.cell) == Vec3<double>{30.0, 30.0, 30.0});
}

TEST_CASE("gromacs: its last words are those behind what it calls an error") {
  for (const char* const heading : {"Fatal error:", "Inconsistency in user input:", "Error in user input:"})
    CHECK(gromacs_last_words(
              std::string("Program: gmx\n\n") + heading +
              "\nCould not find force field 'x'\n\nFor more information see the\nwebsite\n---\n") ==
          "; its last output: 'Could not find force field 'x''");
}

TEST_CASE("pdb2gmx: a force field that GROMACS lacks is named, with those that it has") {
  if (find_program("gmx").empty()) return skip("gmx is not installed");
  const TemporaryFolder folder;
  write_text(folder / "input.pdb", "END\n");
  const SignalNotes notes;
  CHECK(error_of([&] { run_pdb2gmx(folder.path(), {.force_field = "amber98"}, notes, [](double) {}); })
            .starts_with("--force-field amber98: GROMACS (" + find_program("gmx") +
                         ") does not have this force field, "));
}
