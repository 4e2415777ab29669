// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/example.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;

namespace {

ProgramResult map(const std::string& output, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"map", duplex, "-o", output, "--spacing", "2"};
  words.insert(words.end(), more.begin(), more.end());
  return run_ionwell(words);
}

/// The row of `info` for one thing.
std::string row(const std::string& path, const std::string& label) {
  const ProgramResult result = run_ionwell({"info", path});
  CHECK(result.exit_code == 0);
  const std::size_t at = ('\n' + result.out).find('\n' + label + ' ');
  if (at == std::string::npos) return "no " + label;
  const std::string line = result.out.substr(at, result.out.find('\n', at) - at);
  return line.substr(line.find_first_not_of(' ', label.size()));
}

}  // namespace

TEST_CASE("maps: 'map' writes every format, 'info' and 'convert' read it") {
  const TemporaryFolder folder;
  REQUIRE(map(folder / "a.dx").exit_code == 0);
  const std::string lattice = row(folder / "a.dx", "lattice"), values = row(folder / "a.dx", "values");
  CHECK(lattice == "33 x 21 x 21 = 14,553 points, 2 A apart, from (-11.44, -20.175, -19.987) A");
  CHECK(values.find(" kT/e") != std::string::npos);
  CHECK(row(folder / "a.dx", "structure") == duplex);
  CHECK(row(folder / "a.dx", "command").find("ionwell map ") == 0);
  CHECK(row(folder / "a.dx", "method").find("the solute's potential; Coulomb, eps = 1, 298.15 K; ") == 0);
  for (const char* const name :
       {"a.dx.gz", "a.dxbin", "a.h5", "a.cmap", "a.ccp4", "a.mrc", "a.cube", "a.grd"}) {
    CAPTURE(std::string(name));
    REQUIRE(map(folder / name, {"--quiet"}).exit_code == 0);
    CHECK(row(folder / name, "lattice") == lattice);
    CHECK(row(folder / name, "values") == values);
    const ProgramResult converted = run_ionwell({"convert", folder / name, folder / "b.dx"});
    CHECK(converted.exit_code == 0);
    CHECK(row(folder / "b.dx", "values") == values);
  }
}

TEST_CASE("maps: an accuracy in place of a method is said and kept in the report") {
  const TemporaryFolder folder;
  const ProgramResult result = map(folder / "a.dx", {"--accuracy", "1e-3", "--report", folder / "a.json"});
  REQUIRE(result.exit_code == 0);
  CHECK(result.out.find(", for an accuracy of 0.001\n") != std::string::npos);
  CHECK(nlohmann::json::parse(read_text(folder / "a.json"))["accuracy"] == 1e-3);
  CHECK(map(folder / "b.dx").out.find("accuracy") == std::string::npos);
  const ProgramResult refused = map(folder / "c.dx", {"--accuracy", "0"});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("--accuracy is 0; it must be from 1e-06 to 0.1") != std::string::npos);
}

TEST_CASE("maps: units on the way out and in between") {
  const TemporaryFolder folder;
  REQUIRE(map(folder / "a.h5", {"--to-unit", "mV"}).exit_code == 0);
  REQUIRE(map(folder / "b.h5").exit_code == 0);
  CHECK(row(folder / "a.h5", "unit") == "mV");
  CHECK(row(folder / "b.h5", "unit") == "kT/e");
  REQUIRE(run_ionwell({"convert", folder / "b.h5", folder / "c.h5", "--to-unit", "mV"}).exit_code == 0);
  CHECK(row(folder / "c.h5", "values") == row(folder / "a.h5", "values"));

  write_text(
      folder / "silent.dx",
      "object 1 class gridpositions counts 1 1 1\norigin 0 0 0\ndelta 1 0 0\ndelta 0 1 0\ndelta 0 0 1\n"
      "object 3 class array type double rank 0 items 1 data follows\n1.0\n");
  const ProgramResult silent =
      run_ionwell({"convert", folder / "silent.dx", folder / "d.dx", "--to-unit", "V"});
  CHECK(silent.exit_code == 1);
  CHECK(silent.err == "ionwell: " + folder / "silent.dx" +
                          ": does not state the unit of its values; give it with --map-unit\n");
  CHECK(run_ionwell({"convert", folder / "silent.dx", folder / "d.dx", "--to-unit", "mV", "--map-unit", "V"})
            .exit_code == 0);
  CHECK(row(folder / "d.dx", "values") == "1000 to 1000, mean 1000 mV");
  REQUIRE(run_ionwell({"convert", folder / "silent.dx", folder / "warm.dx", "--map-unit", "kT/e",
                       "--temperature", "310"})
              .exit_code == 0);
  CHECK(row(folder / "warm.dx", "temperature") == "310 K");
  const std::vector<std::string> other = {"convert", folder / "warm.dx", folder / "e.dx", "--temperature",
                                          "300"};
  CHECK(run_ionwell(other).exit_code == 2);
  CHECK(run_ionwell(other).err == "ionwell: " + folder / "warm.dx" +
                                      ": states a temperature of 310 K, but --temperature is 300 K; leave "
                                      "--temperature out, or correct the file's first lines\n");
  const ProgramResult useless =
      run_ionwell({"convert", folder / "d.dx", folder / "e.dx", "--temperature", "300"});
  CHECK(useless.exit_code == 2);
  CHECK(useless.err.find("--temperature is for maps in kT/e, but neither ") != std::string::npos);
  const ProgramResult wrong = run_ionwell({"convert", folder / "d.dx", folder / "e.dx", "--map-unit", "V"});
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("states that its values are in mV, but --map-unit is V") != std::string::npos);
}

TEST_CASE("maps: options that do not go with a map, and values that nothing refined") {
  const TemporaryFolder folder;
  REQUIRE(run_ionwell({"map", duplex, "--spacing", "2", "-o", folder / "a.dx", "--report", folder / "a.json"})
              .exit_code == 0);
  CHECK(read_text(folder / "a.json").find("\"refined\": false") != std::string::npos);
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--spacing", "1"}, {"--border", "3"}, {"--box", "0,0,0,9,9,9"}}) {
    const ProgramResult result = run_ionwell({"info", folder / "a.dx", option[0], option[1]});
    CHECK(result.exit_code == 2);
    CHECK(result.err.find(option[0] + " has no effect without a structure; leave it out") !=
          std::string::npos);
  }
}

TEST_CASE("maps: 'convert' refuses what it cannot do, before and after reading") {
  const TemporaryFolder folder;
  REQUIRE(map(folder / "a.dx").exit_code == 0);
  CHECK(run_ionwell({"convert", folder / "a.dx", folder / "a.txt"}).exit_code == 2);
  CHECK(run_ionwell({"convert", folder / "a.dx", folder / "b.dx", "--temperature", "0"}).exit_code == 2);
  CHECK(run_ionwell({"convert", folder / "a.dx", folder / "a.dx"}).exit_code == 2);
  CHECK(run_ionwell({"convert", folder / "no.dx", folder / "b.dx"}).err ==
        "ionwell: " + folder / "no.dx" + ": no such file; check the path\n");
  CHECK(run_ionwell({"convert", duplex, folder / "b.dx"}).err.find("is not a map in a known format,") !=
        std::string::npos);
  CHECK(folder.entries() == std::vector<std::string>{"a.dx"});
  for (const char* const name : {"full.h5", "full.ccp4", "full.dx"}) {
    CAPTURE(std::string(name));
    const ProgramResult full =
        run_ionwell({"convert", folder / "a.dx", folder / name}, {.largest_file_bytes = 20'000});
    CHECK(full.exit_code == 1);
    CHECK(full.err.find("ionwell: cannot write " + folder / name + ": File too large; ") == 0);
    CHECK(folder.entries() == std::vector<std::string>{"a.dx"});
  }
}

TEST_CASE(
    "maps: a .ccp4 that other programs show beside its place is written with a warning, others without") {
  const TemporaryFolder folder;
  const std::string warning = ": the origin of this map is not a whole number of lattice steps";
  CHECK(map(folder / "a.dx").err.empty());
  CHECK(map(folder / "a.mrc").err.empty());
  CHECK(map(folder / "a.ccp4", {"--report", folder / "a.json"})
            .err.find("ionwell: warning: " + folder / "a.ccp4" + warning) == 0);
  CHECK(read_text(folder / "a.json").find(warning) != std::string::npos);
  CHECK(map(folder / "b.ccp4", {"--box", "-12,-20,-20,52,20,20"}).err.empty());
  CHECK(run_ionwell({"convert", folder / "a.dx", folder / "c.map"}).err.find(folder / "c.map" + warning) !=
        std::string::npos);
  CHECK(run_ionwell({"convert", folder / "a.dx", folder / "c.mrc"}).err.empty());
  const ProgramResult placed = run_ionwell({"place", duplex, "--spacing", "2", "--ion", "NA:1", "-o",
                                            folder / "x.pdb", "--save-map-after", folder / "d.ccp4"});
  CHECK(placed.exit_code == 0);
  CHECK(placed.err.find(folder / "d.ccp4" + warning) != std::string::npos);
}
