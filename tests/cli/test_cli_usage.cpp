// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <stdlib.h>

#include <sstream>
#include <thread>

#include "support/example.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;

namespace {

struct WrongUsage {
  std::vector<std::string> arguments;
  std::string message;  // the beginning of it
};

void check_refused(const WrongUsage& c) {
  std::string words;
  for (const std::string& word : c.arguments) words += ' ' + word;
  CAPTURE(words);
  const ProgramResult result = run_ionwell(c.arguments);
  CHECK(result.exit_code == 2);
  CHECK(result.out.empty());
  CHECK(result.err.substr(0, 9 + c.message.size()) == "ionwell: " + c.message);
  CHECK(result.err.find('\n') == result.err.size() - 1);  // one message, one line
}

}  // namespace

TEST_CASE("program: help and version go to standard output") {
  const ProgramResult help = run_ionwell({"--help"});
  CHECK(help.exit_code == 0);
  CHECK(help.err.empty());
  for (const char* const command : {"place", "map", "potential", "info", "compare"})
    CHECK(help.out.find("\n  " + std::string(command) + "  ") != std::string::npos);

  const ProgramResult version = run_ionwell({"--version"});
  CHECK(version.exit_code == 0);
  CHECK(version.out.substr(0, 8) == "ionwell ");
}

TEST_CASE("commands: help shows the defaults and two examples, whatever else is on the line") {
  for (const char* const command : {"place", "map", "potential", "info", "compare"}) {
    CAPTURE(std::string(command));
    const ProgramResult help = run_ionwell({command, "--help"});
    CHECK(help.exit_code == 0);
    CHECK(help.err.empty());
    CHECK(help.out.substr(0, 15) == "Usage: ionwell ");
    const std::string example = "\n  ionwell " + std::string(command) + ' ';
    const std::size_t first = help.out.find(example);
    REQUIRE(first != std::string::npos);
    CHECK(help.out.find(example, first + 1) != std::string::npos);
  }
  const auto help_of = [](const std::string& command) {  // however its lines are broken
    std::string text;
    std::istringstream words(run_ionwell({command, "--help-all"}).out);
    for (std::string word; words >> word;) text += word + ' ';
    return text;
  };
  const std::string place = help_of("place");
  CHECK(place.find("distance between lattice points (default: 0.5; with --pb 1)") != std::string::npos);
  CHECK(place.find("distance that ions keep from solute atoms (default: 5)") != std::string::npos);
  CHECK(place.find("(default: 298.15)") != std::string::npos);
  CHECK(place.find("(default: debye-hueckel, at --ionic-strength or 0.15 M; with --pb coulomb, until "
                   "the next solution)") != std::string::npos);
  CHECK(place.find("the ions are the same") != std::string::npos);
  CHECK(run_ionwell({"help", "tune"}).out.find("dielectric of the potential of --update (default:") !=
        std::string::npos);
  for (const char* const command : {"map", "average", "potential", "sample"}) {  // place no ions
    CAPTURE(std::string(command));
    CHECK(help_of(command).find("ions are the same") == std::string::npos);
    CHECK(help_of(command).find("ions do not depend") == std::string::npos);
  }
}

TEST_CASE("program: a mistyped command or option is answered with the nearest real one") {
  const std::vector<WrongUsage> cases = {
      {{}, "no command is given; 'ionwell --help' lists the commands"},
      {{"plcae"}, "there is no command 'plcae'; did you mean 'place'?"},
      {{"--versoin"}, "there is no command '--versoin'; did you mean '--version'?"},
      {{"frobnicate"}, "there is no command 'frobnicate'; 'ionwell --help' lists the commands"},
      {{"place", duplex, "--sapcing", "1"}, "ionwell place has no option --sapcing; did you mean --spacing?"},
      {{"place", duplex, "--spac=1"}, "ionwell place has no option --spac; did you mean --spacing?"},
      {{"place", duplex, "-spacing", "1"}, "ionwell place has no option -spacing; did you mean --spacing?"},
      {{"info", duplex, "--ion-solute", "3"},
       "ionwell info has no option --ion-solute; 'ionwell info --help-all'"},
      {{"info", duplex, "---"},
       "ionwell info has no option ---; 'ionwell info --help-all' lists the options"},
  };
  for (const WrongUsage& c : cases) check_refused(c);
}

TEST_CASE("options: each wrong value gets one message and exit code 2") {
  const std::vector<WrongUsage> cases = {
      {{"info", duplex, "--spacing", "1", "--spacing", "2"}, "--spacing is given more than once"},
      {{"info", duplex, "--spacing"}, "the required argument for option '--spacing' is missing"},
      {{"info", duplex, "--spacing", "--border", "8"},
       "--spacing needs a value, but the next argument is --border"},
      {{"info", duplex, "--spacing", ""}, "--spacing has an empty value"},
      {{"info", duplex, "--spacing="}, "the argument for option '--spacing' should follow immediately"},
      {{"info", duplex, "--spacing", "0.5x"}, "--spacing is '0.5x', which is not a number"},
      {{"info", duplex, "--spacing", " 1"}, "--spacing is ' 1', which is not a number"},
      {{"info", duplex, "--spacing", "0,5"}, "--spacing is '0,5', which is not a number"},
      {{"info", duplex, "--spacing", "nan"}, "--spacing is 'nan', which is not a number"},
      {{"info", duplex, "--spacing", "inf"}, "--spacing is 'inf', which is not a number"},
      {{"info", duplex, "--spacing", "1e999"}, "--spacing is '1e999', which is not a number"},
      {{"info", duplex, "--spacing", "0"}, "the lattice spacing is 0 A"},
      {{"info", duplex, "--spacing", "-0.5"}, "the lattice spacing is -0.5 A"},
      {{"info", duplex, "--spacing", "1e-30"}, "a lattice of "},
      {{"info", duplex, "--border", "-1"}, "--border is -1 A; it must not be negative"},
      {{"info", duplex, "--box", "0,0,0,9,9"}, "--box is '0,0,0,9,9', which is not a box"},
      {{"info", duplex, "--box", "0,0,0,9,9,9,9"}, "--box is '0,0,0,9,9,9,9', which is not a box"},
      {{"info", duplex, "--box", "0,0,0,9,9,"}, "--box is '0,0,0,9,9,', which is not a box"},
      {{"info", duplex, "--box", "0,0,0,9,9,9,"}, "--box is '0,0,0,9,9,9,', which is not a box"},
      {{"info", duplex, "--box", "0,0,0,9,9,nan"}, "--box is '0,0,0,9,9,nan', which is not a box"},
      {{"info", duplex, "--box", "0,0,9,9,9,0"},
       "the corners of the box are in the wrong order: it goes from 9 to 0 A in z"},
      {{"info", duplex, "--box", "0,0,0,9,9,9", "--border", "8"},
       "--border cannot be used with --box: --box sets the extent of the lattice; "},
      {{"info", duplex, "--box", "900,0,0,909,9,9"},
       "the box (900, 0, 0) to (909, 9, 9) A does not overlap the solute, which "},
      {{"info", duplex, duplex}, duplex + ": is a PQR file, and " + duplex + " is a PQR file already"},
      {{"info", ""}, "the name of STRUCTURE or MAP is empty"},
      {{"compare", duplex}, "SITES.pdb is missing; usage: ionwell compare"},
      {{"map", duplex}, "-o is missing"},
      {{"place"}, "STRUCTURE [COORDINATES] is missing; usage: ionwell place"},
      {{"place", duplex, "--ion", "MG:1"}, "-o is missing"},
      {{"place", duplex, "-o", "x.pdb"}, "--ion is missing"},
      {{"place", duplex, "--ion", "-o", "x.pdb"}, "the required argument for option '--ion' is missing"},
      {{"place", duplex, "--ion", "", "-o", "x.pdb"}, "--ion has an empty value"},
      {{"place", duplex, "--ion", "MG:1", "--threads", "2.5", "-o", "x.pdb"}, "--threads is '2.5'"},
      {{"place", duplex, "--ion", "MG:1", "--devices", "0,,1", "-o", "x.pdb"},
       "--devices is '0,,1'; it must be numbers of GPUs"},
      {{"place", duplex, "--ion", "MG:1", "--backend", "cpu", "--devices", "0", "-o", "x.pdb"},
       "--devices has no effect with --backend cpu: it uses no GPU; leave one of them out"},
      {{"place", duplex, "--ion", "MG:1", "--backend", "cpu", "--tune", "gpu-memory=1", "-o", "x.pdb"},
       "--tune gpu-memory has no effect with --backend cpu: "},
      {{"place", duplex, "--ion", "MG:1", "--tune", "gpu-memory=0", "-o", "x.pdb"},
       "--tune gpu-memory is 0 GB; it must be greater than 0"},
      {{"place", duplex, "--ion", "MG:1", "--threads", "-2", "-o", "x.pdb"}, "--threads is -2; it must be"},
      {{"place", duplex, "--ion", "MG:1", "-o", "x.pdb.bz2"},
       "-o is x.pdb.bz2, but ions are not written as .bz2"},
      {{"place", duplex, "--ion", "MG:1", "-o", "X.XTC.gz"},
       "-o is X.XTC.gz, but ions are not written as .xtc"},
      {{"place", duplex, "--ion", "MG:1", "--tune", "simd=mmx", "-o", "x.pdb"},
       "--tune simd is 'mmx'; it must be one of auto, "},
      {{"place", duplex, "--ion", "MG:1", "--ion-names", "pbd", "-o", "x.pdb"},
       "--ion-names is 'pbd'; it must be"},
      {{"place", duplex, "--ion", "MG:1", "--quiet=yes", "-o", "x.pdb"},
       "option '--quiet' does not take any arguments"},
  };
  for (const WrongUsage& c : cases) check_refused(c);
}

TEST_CASE("options: negative numbers are values, not options") {
  const ProgramResult result =
      run_ionwell({"info", duplex, "--box", "-10,-10,-10,10,10,10", "--spacing", "+1"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(result.out.find("21 x 21 x 21 = 9,261 points") != std::string::npos);
  CHECK(result.out.find("from (-10, -10, -10) A") != std::string::npos);
}

TEST_CASE("info: tells what a run needs before anything is computed") {
  const ProgramResult result = run_ionwell({"info", duplex, "--spacing", "0.1", "--border", "200"});
  CHECK(result.exit_code == 0);  // far more than fits: info says so, and does not allocate it
  for (const char* const expected : {"758", "-22 e", "net charge", "extents", "lattice", "needed", "free"})
    CHECK(result.out.find(expected) != std::string::npos);
}

TEST_CASE("threads: one for each core at most, whoever asks for more") {
  const TemporaryFolder folder;
  const std::string cores = std::to_string(std::thread::hardware_concurrency());
  const auto threads_row = [] {
    std::istringstream out(run_ionwell({"info"}).out);
    for (std::string line; std::getline(out, line);)
      if (line.starts_with("threads")) return line.substr(line.find_last_of(' ') + 1);
    return std::string();
  };
  CHECK(threads_row() == cores);
  setenv("OMP_NUM_THREADS", "1", 1);
  CHECK(threads_row() == "1");
  setenv("OMP_NUM_THREADS", "100000", 1);
  CHECK(threads_row() == cores);
  unsetenv("OMP_NUM_THREADS");
  const ProgramResult result = run_ionwell({"place", duplex, "--ion", "MG:1", "--backend", "cpu", "--threads",
                                            "100000", "-o", folder / "ions.pdb"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("\ncomputed on     " + cores + " CPU thread") != std::string::npos);
}
