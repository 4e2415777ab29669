// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <stdexcept>
#include <thread>

#include "support/example.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;

namespace {

/// Runs with the bytes of a file on standard input: through a pipe, which can be read only once.
ProgramResult run_piped(const std::vector<std::string>& words, const std::string& input) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  if (mkfifo(pipe.c_str(), 0600) != 0) throw std::runtime_error("cannot make " + pipe);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << read_text(input); });
  const ProgramResult result = run_ionwell(words, {.standard_input = pipe});
  writer.join();
  return result;
}

ProgramResult run_redirected(const std::vector<std::string>& words, const std::string& input) {
  return run_ionwell(words, {.standard_input = input});
}

/// What `info` prints after the first line, which has the name.
std::string after_name(const ProgramResult& result) {
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  return result.out.substr(result.out.find('\n'));
}

/// Up to what changes from one moment to the next.
std::string before_memory(const std::string& text) {
  return text.substr(0, text.find("\nmemory"));
}

}  // namespace

TEST_CASE("standard input: 'info' tells structures and maps of every format by their bytes") {
  const TemporaryFolder folder;
  const std::string structure = before_memory(after_name(run_ionwell({"info", duplex})));
  for (const char* const name : {"-", "/dev/stdin"}) {
    CAPTURE(std::string(name));
    CHECK(before_memory(after_name(run_piped({"info", name}, duplex))) == structure);
    CHECK(before_memory(after_name(run_redirected({"info", name}, duplex))) == structure);
  }
  for (const char* const ending : {".dx", ".dx.gz", ".dxbin", ".h5", ".mrc", ".cube", ".grd"}) {
    CAPTURE(std::string(ending));
    const std::string map = folder / ("a" + std::string(ending));
    REQUIRE(run_ionwell({"map", duplex, "--spacing", "2", "-o", map, "--quiet"}).exit_code == 0);
    const std::string expected = after_name(run_ionwell({"info", map}));
    for (const char* const name : {"-", "/dev/stdin"}) {
      CAPTURE(std::string(name));
      CHECK(after_name(run_piped({"info", name}, map)) == expected);
      CHECK(after_name(run_redirected({"info", name}, map)) == expected);
    }
  }
  const ProgramResult named = run_piped({"info", "-"}, duplex);
  CHECK(named.out.find("structure       standard input\n") == 0);
}

TEST_CASE("standard input: '-' is a file to read for every command") {
  const TemporaryFolder folder;
  const std::string map = folder / "a.h5", copy = folder / "b.h5", ions = folder / "ions.pdb";
  REQUIRE(
      run_piped({"map", "-", "--spacing", "1", "--ionic-strength", "0.15", "-o", map}, duplex).exit_code ==
      0);
  REQUIRE(run_piped({"convert", "-", copy}, map).exit_code == 0);
  REQUIRE(run_ionwell({"place", duplex, "--map", map, "--ion", "NA:2", "-o", ions}).exit_code == 0);
  const std::string expected = read_text(ions);
  const auto atoms = [](const std::string& pdb) { return pdb.substr(pdb.find("HETATM")); };
  REQUIRE(run_piped({"place", "-", "--map", map, "--ion", "NA:2", "-o", ions}, duplex).exit_code == 0);
  CHECK(atoms(read_text(ions)) == atoms(expected));
  REQUIRE(run_piped({"place", duplex, "--map", "-", "--ion", "NA:2", "-o", ions}, copy).exit_code == 0);
  CHECK(atoms(read_text(ions)) == atoms(expected));
  CHECK(run_piped({"compare", "-", ions}, ions).exit_code == 0);
  CHECK(run_piped({"compare", ions, "-"}, ions).exit_code == 0);
}

TEST_CASE("standard input: can be one file only, and messages call it by name") {
  const TemporaryFolder folder;
  const ProgramResult twice =
      run_redirected({"place", "-", "--map", "-", "--ion", "NA:1", "-o", folder / "x.pdb"}, duplex);
  CHECK(twice.exit_code == 2);
  CHECK(twice.err.find("ionwell: standard input (-) is given more than once, but can be read only once") ==
        0);
  CHECK(run_redirected({"compare", "-", "-"}, duplex).exit_code == 2);
  CHECK(run_redirected({"info", "-"}, "/dev/null").err ==
        "ionwell: standard input: is empty; check the program that wrote it\n");
  write_text(folder / "x.pdb",
             "ATOM      1  N   MET A   1      11.269 124.021 231.688  1.00 22.45           N\n");
  CHECK(run_piped({"info", "-"}, folder / "x.pdb")
            .err.find("ionwell: standard input: too few atoms of 1 residue are present to build the others: "
                      "MET 1 A (lacks CA C O CB CG SD and 2 more, which cannot be built)") == 0);
  CHECK(run_redirected({"info", "-"}, "/dev/zero").err.find("ionwell: standard input: is binary, not text") ==
        0);
  CHECK(run_redirected({"convert", "-", folder / "a.dx"}, "/dev/zero").exit_code == 1);
}
