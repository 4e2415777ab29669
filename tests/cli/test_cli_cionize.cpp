// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/example.hpp"
#include "support/program_paths.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"
#include "support/shared_data.hpp"
#include "support/terminal.hpp"

using namespace ionwell::test;
using nlohmann::json;

namespace {

/// Runs cionize on a script in a file of that folder.
ProgramResult run_script(const TemporaryFolder& folder, const std::string& script,
                         const std::string& structure = duplex, std::vector<std::string> options = {}) {
  write_text(folder / "X.in", script);
  std::vector<std::string> words = {cionize_path(), "-i", folder / "X.in"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(structure);
  return RunningProgram(words).wait();
}

struct Record {
  std::string name;
  int number;
  double position_A[3];
};

std::vector<Record> ion_records_of(const std::string& path) {
  std::vector<Record> records;
  std::istringstream lines(read_text(path));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("HETATM"))
      records.push_back(
          {line.substr(17, 4),
           std::stoi(line.substr(22, 4)),
           {std::stod(line.substr(30, 8)), std::stod(line.substr(38, 8)), std::stod(line.substr(46, 8))}});
  return records;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("cionize: a script as VMD's wrapper writes it gives the files that it reads") {
  const TemporaryFolder folder;
  const std::string prefix = folder / "dna";
  const ProgramResult result = run_script(
      folder,
      "R_ION_SOLUTE 5\nR_ION_ION 5\nBORDERSIZE 10\nGRIDSPACING 0.5\nBEGIN\nPLACEION MG 4 2\n"
      "SAVEION " +
          prefix + "-ions_1-MG.pdb\nPLACEION SOD 14 1\nSAVEION pdb " + prefix + "-ions_2-SOD.pdb\nEXIT\n",
      duplex, {"-m", "single", "-p", "2"});
  CHECK(result.err == "");
  REQUIRE(result.exit_code == 0);
  CHECK(folder.entries() == std::vector<std::string>{"X.in", "dna-ions_1-MG.pdb", "dna-ions_2-SOD.pdb"});
  // The ions of ionwell in one run.
  REQUIRE(run_ionwell({"place", duplex, "--ion", "MG:4", "--ion", "SOD:14", "-o", folder / "all.pdb"})
              .exit_code == 0);
  const std::vector<Record> expected = ion_records_of(folder / "all.pdb");
  std::vector<Record> found = ion_records_of(prefix + "-ions_1-MG.pdb");
  REQUIRE(found.size() == 4);
  CHECK(found[0].name == " MG ");
  for (const Record& record : ion_records_of(prefix + "-ions_2-SOD.pdb")) {
    CHECK(record.name == "SOD ");  // as typed
    found.push_back(record);
  }
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i].number == int(i) + 1);  // they go on in the second file: psfgen wants them unique
    for (int axis = 0; axis < 3; ++axis) CHECK(found[i].position_A[axis] == expected[i].position_A[axis]);
  }
}

TEST_CASE("cionize: help has the options and the commands, in lines that fit") {
  const ProgramResult help = RunningProgram({cionize_path(), "--help"}).wait();
  CHECK(help.exit_code == 0);
  for (const char* const word : {"-p, --processors", "-m, --mode", "PLACEION name n charge", "SAVEGRID file"})
    CHECK(contains(help.out, word));
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
}

TEST_CASE("cionize: the modes place the same ions, but for ddd") {
  const std::string script = "GRIDSPACING 2\nBEGIN\nPLACEION MG 5 2\nSAVEION -\n";
  const auto ions = [&](const std::string& text, const std::vector<std::string>& options) {
    const TemporaryFolder folder;
    const ProgramResult result = run_script(folder, text, duplex, options);
    CHECK(result.exit_code == 0);
    // The table with the energies is where standard output is not.
    return result.out.substr(result.out.find("HETATM")) + result.err.substr(result.err.find("\nion "));
  };
  const std::string standard = ions(script, {});
  for (const char* const mode : {"standard", "single", "double", "multigrid"}) {
    CAPTURE(mode);
    CHECK(ions(script, {"-m", mode}) == standard);
  }
  CHECK(ions("MULTIGRID\n" + script, {}) == standard);
  const std::string ddd = ions(script, {"-m", "ddd"});
  CHECK(ddd != standard);
  CHECK(ions("DDD 3\n" + script, {"-m", "double"}) == ddd);
  CHECK(ions("DDD 3\nMULTIGRID\n" + script, {}) == ddd);
}

TEST_CASE("cionize: the lattice and the distances are the original's") {
  const TemporaryFolder folder;
  // 19.4 A are nearest to 22 steps of 0.9 A, 18.4 A to 20, and 3.3 A to 4.
  const ProgramResult box =
      run_script(folder,
                 "R_ION_ION 3.3\nGRIDSPACING 0.9\nXYZDIM 0 0 0 18.9 19.4 18.4\nBORDERSIZE 3\n"
                 "SHOWOPT\nBEGIN\n");
  REQUIRE(box.exit_code == 0);
  CHECK(contains(box.out, "lattice         22 x 23 x 21 = "));
  CHECK(contains(box.out, "XYZDIM          0 0 0 18.9 19.4 18.4\n"));
  CHECK(contains(box.out, "R_ION_ION is 3.3 A and counts as 3.6 A, whole steps of 0.9 A"));
  CHECK(contains(box.out, "BORDERSIZE has no effect with XYZDIM"));

  const ProgramResult defaults = run_script(folder, "SHOWOPT\n");
  CHECK(defaults.exit_code == 0);
  CHECK(defaults.out == "R_ION_SOLUTE    6\nR_ION_ION       10\nBORDERSIZE      10\nGRIDSPACING     0.5\n");
}

TEST_CASE("cionize: a map of an earlier run is taken, and ions act in it by a solution's rule") {
  const TemporaryFolder folder;
  const std::string map = folder / "pot.dx", other = folder / "pot.potential";
  const ProgramResult saved =
      run_script(folder, "GRIDSPACING 1\nBEGIN\nSAVEGRID " + map + "\nPLACEION MG 1 2\nSAVEION " +
                             (folder / "a.pdb") + "\nSAVEGRID " + other + "\n");
  REQUIRE(saved.exit_code == 0);
  CHECK(read_text(map).find("object 1 class gridpositions counts 65 41 41") != std::string::npos);
  CHECK(read_text(other).find("gridpositions") != std::string::npos);  // OpenDX, whatever the name
  CHECK(read_text(other) != read_text(map));
  const ProgramResult placed = run_script(
      folder, "GRIDFILE " + map + "\nBEGIN\nPLACEION MG 1 2\nSAVEION " + (folder / "b.pdb") + "\n");
  REQUIRE(placed.exit_code == 0);
  CHECK(contains(placed.out, "Debye-Hueckel, 0.15 M"));
  const auto a = ion_records_of(folder / "a.pdb"), b = ion_records_of(folder / "b.pdb");
  REQUIRE(b.size() == 1);
  for (int axis = 0; axis < 3; ++axis) CHECK(b[0].position_A[axis] == a[0].position_A[axis]);

  // A map that does not say its unit is in kT/e.
  const std::string text = read_text(map), silent = folder / "silent.dx";
  write_text(silent, text.substr(text.find("object 1")));
  const ProgramResult unsaid = run_script(
      folder, "GRIDFILE " + silent + "\nBEGIN\nPLACEION MG 1 2\nSAVEION " + (folder / "c.pdb") + "\n");
  CHECK_MESSAGE(unsaid.exit_code == 0, unsaid.err);
  const auto c = ion_records_of(folder / "c.pdb");
  REQUIRE(c.size() == 1);
  for (int axis = 0; axis < 3; ++axis) CHECK(c[0].position_A[axis] == a[0].position_A[axis]);
  const auto line_of_ion = [](const std::string& out) { return out.substr(out.find("\n  1 MG"), 60); };
  CHECK(line_of_ion(unsaid.out) == line_of_ion(placed.out));

  const ProgramResult refused = run_script(folder, "GRIDFILE " + map + "\nDDD 3\nBEGIN\n");
  CHECK(refused.exit_code == 1);
  CHECK(contains(refused.err, "X.in:3: GRIDFILE and DDD are both given"));
}

TEST_CASE("cionize: a net charge that three decimals make a fraction is no reason for a warning") {
  const TemporaryFolder folder;
  const std::string rounded = folder / "vmd.pqr", cut = folder / "cut.pqr";
  std::istringstream lines(read_text(duplex));
  std::string all, part;
  int atoms = 0;
  double net_e = 0.0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("ATOM")) continue;
    std::istringstream words(line);
    std::string word;
    std::vector<std::string> fields;
    while (words >> word) fields.push_back(word);
    char text[128];
    const std::size_t n = fields.size();
    std::snprintf(text, sizeof text, "ATOM  %5d %-4s %s %5s    %8.3f %8.3f %8.3f %.3f %.3f\n", ++atoms,
                  fields[2].c_str(), fields[3].c_str(), fields[n - 6].c_str(), std::stod(fields[n - 5]),
                  std::stod(fields[n - 4]), std::stod(fields[n - 3]), std::stod(fields[n - 2]),
                  std::stod(fields[n - 1]));
    all += text;
    net_e += std::round(1000.0 * std::stod(fields[n - 2])) / 1000.0;
    if (atoms <= 20) part += text;  // whose net charge is a fraction, not by rounding
  }
  REQUIRE(std::abs(net_e - std::round(net_e)) > 0.01);
  write_text(rounded, all);
  write_text(cut, part);
  const std::string script = "GRIDSPACING 2\nBEGIN\n";
  CHECK(!contains(run_script(folder, script, rounded).out, "not an integer"));
  CHECK(contains(run_script(folder, script, cut).out, "not an integer"));
  CHECK(contains(run_ionwell({"info", rounded}).err + run_ionwell({"info", rounded}).out, "not an integer"));
}

TEST_CASE("cionize: SAVEION writes the ions since the last one, again when nothing came between") {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_script(folder, "GRIDSPACING 1\nBEGIN\nPLACEION MG 2 2\nPLACEION CLA 1 -1\nSAVEION " +
                             (folder / "1.pdb") + "\nSAVEION xyz \"" + (folder / "same ions") +
                             "\"\nPLACEION SOD 3 1\nSAVEION " + (folder / "2.pdb") + "\nPLACEION Q7 1 3\n");
  REQUIRE(result.exit_code == 0);
  CHECK(ion_records_of(folder / "1.pdb").size() == 3);
  CHECK(read_text(folder / "same ions").starts_with("3\n"));
  CHECK(ion_records_of(folder / "2.pdb").size() == 3);
  CHECK(result.err == "");  // Tcl's exec would take the run for failed
  CHECK(contains(result.out, "warning: Q7 is not a known ion"));
  CHECK(contains(result.out, "warning: 1 ion was placed after the last SAVEION"));
}

TEST_CASE("cionize: errors have the line, and leave no file") {
  struct Wrong {
    std::string script, message;
    int exit_code;
    std::vector<std::string> options = {};
  };
  const std::string placed = "GRIDSPACING 1\nBEGIN\nPLACEION MG 1 2\n";
  for (const Wrong& wrong : {
           Wrong{placed + "SAVEIO ions.pdb\n", "X.in:4: 'SAVEIO' is not a command; did you mean SAVEION?", 1},
           Wrong{placed + "SAVEION /no/such/ions.pdb\n", "X.in:4: SAVEION: cannot write /no/such/ions.pdb",
                 1},
           Wrong{placed + "SAVEION " + duplex + "\n", "X.in:4: SAVEION: the output", 1},
           Wrong{placed + "SAVEION ions.dx\n",
                 "X.in:4: SAVEION: the file is ions.dx, but ions are not written as .dx", 1},
           Wrong{"GRIDSPACING 1\nBEGIN\nPLACEION MG 900 2\nSAVEION FOLDER/ions.pdb\n",
                 "then no lattice point was free; a smaller R_ION_ION (10 A) or R_ION_SOLUTE (6 A), or a "
                 "larger BORDERSIZE (10 A)",
                 3},
           Wrong{"GRIDSPACING 0.0001\nBEGIN\n", "X.in:2: a lattice of", 1},
           Wrong{"XYZDIM 900 0 0 910 9 9\nBEGIN\n", "a XYZDIM that overlaps it", 1},
           Wrong{"GRIDFILE none.dx\nBEGIN\n", "X.in:2: none.dx: no such file", 1},
           Wrong{placed,
                 "-m is 'triple'; it must be standard, single, double, ddd or multigrid",
                 2,
                 {"-m", "triple"}},
           Wrong{placed, "-p is -1; it must be 1 or more", 2, {"-p", "-1"}},
           Wrong{placed, "is a PQR file, and -f is mol2", 2, {"-f", "mol2"}},
           Wrong{placed, "cionize has no option --quick", 2, {"--quick"}},
       }) {
    CAPTURE(wrong.script);
    const TemporaryFolder folder;
    std::string script = wrong.script;
    if (const std::size_t at = script.find("FOLDER"); at != script.npos) script.replace(at, 6, folder.path());
    const ProgramResult result = run_script(folder, script, duplex, wrong.options);
    CHECK(result.exit_code == wrong.exit_code);
    CAPTURE(result.err);
    CHECK(contains(result.err, "cionize: "));
    CHECK(contains(result.err, wrong.message));
    CHECK(folder.entries() == std::vector<std::string>{"X.in"});
  }
}

TEST_CASE("cionize: commands come from standard input, without a prompt where it is no terminal") {
  const TemporaryFolder folder;
  write_text(folder / "X.in",
             "GRIDSPACING 1\nBEGIN\nPLACEION MG 2 2\nSAVEION " + (folder / "ions.pdb") + "\n");
  const ProgramResult result =
      RunningProgram({cionize_path(), duplex}, {.standard_input = folder / "X.in"}).wait();
  CHECK(result.exit_code == 0);
  CHECK_FALSE(contains(result.out, ">>>"));
  CHECK(ion_records_of(folder / "ions.pdb").size() == 2);
}

TEST_CASE("cionize: on a terminal commands are done as they are typed, and a mistake ends nothing") {
  const TemporaryFolder folder;
  ProgramOnTerminal program({cionize_path(), "-f", "pqr", duplex}, 80);
  const auto type = [&](const std::string& line, const std::string& shown) {
    program.type(line + "\n");
    REQUIRE(program.shows(shown));
  };
  REQUIRE(program.shows(">>> "));
  type("GRIDSPACNG 1", "did you mean GRIDSPACING?");
  type("GRIDSPACING 1", ">>> ");
  type("PLACEION MG 2 2", "comes before BEGIN");
  type("BEGIN", "computed on");
  type("SAVEION " + (folder / "x"), "no ions to save");
  type("PLACEION MG 2 2", "nearest atom");
  type("SAVEGRID " + (folder / "m.dx"), "written");
  type("SAVEION " + (folder / "x"), "written");
  program.type("EXIT\n");
  const ProgramResult result = program.wait();
  CHECK(result.exit_code == 0);
  CHECK(ion_records_of(folder / "x").size() == 2);
  CHECK(folder.entries() == std::vector<std::string>{"m.dx", "x"});
}

TEST_CASE("cionize: the reference's direct runs, ion by ion") {
  for (const char* const name : {"430d", "1drz"}) {
    CAPTURE(name);
    const std::string truth = shared_data("reference/" + std::string(name) + ".json"),
                      structure = shared_data("data/structures/" + std::string(name) + ".pqr.gz");
    if (truth.empty() || structure.empty()) return;
    const json reference = report_of(truth), expected = reference["runs"]["direct"]["positions_A"];
    const TemporaryFolder folder;
    const ProgramResult result =
        run_script(folder,
                   "R_ION_SOLUTE 5\nR_ION_ION 5\nBEGIN\nPLACEION MG " + std::to_string(expected.size()) +
                       " 2\nSAVEION " + (folder / "ions.pdb") + "\n",
                   structure);
    REQUIRE(result.exit_code == 0);
    const std::vector<Record> found = ion_records_of(folder / "ions.pdb");
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CAPTURE(i);
      for (std::size_t axis = 0; axis < 3; ++axis)
        CHECK(std::abs(found[i].position_A[axis] - expected[i][axis].get<double>()) < 0.01);
    }
  }
}
