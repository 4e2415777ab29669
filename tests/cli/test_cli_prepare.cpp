// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "support/program_paths.hpp"
#include "support/rod_files.hpp"
#include "support/waiting.hpp"

using namespace ionwell::test;
using nlohmann::json;

TEST_CASE("prepare: water, counter-ions and salt in one file, and a report that has the counts of the file") {
  const RodFiles files;
  const ProgramResult result = files.prepare({"--ion", "MG:1", "--ion", "NA:neutralize", "--salt", "NaCl:0.3",
                                              "-o", files.out, "--report", files.report});
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.empty());
  const json told = files.told();
  const std::int64_t ions = std::ssize(told["ions"]), left = told["water"]["left"];
  CHECK(told["net_charge_after_e"].get<double>() == doctest::Approx(0.0));
  CHECK(told["water"]["before"] == told["solvation"]["water"]["molecules"]);
  CHECK(told["water"]["before"] == left + ions);
  CHECK(told["salt"]["concentrations"][0]["asked_M"] == 0.3);
  CHECK(told["solvation"]["water"]["model"] == "tip3p");
  CHECK(told["solvation"]["cell"]["volume_A3"].get<double>() >
        told["solvation"]["solute"]["volume_A3"].get<double>());
  CHECK(told["structure"]["cell"]["used"] == true);
  // Counter-ions by themselves and half of the salt's cations: the mean of Na+ and Cl- beside a bath is the
  // bath.
  double molarity = 0.0;
  for (const json& kind : told["salt"]["ions"]) molarity += 0.5 * kind["in_the_end_M"].get<double>();
  CHECK(molarity == doctest::Approx(0.3).epsilon(0.25));  // some 20 ions, each of which is 5 %

  const std::string text = read_text(files.out);
  CHECK(count_in(text, " HOH ") == 3 * left);
  CHECK(count_in(text, "MG    MG") == 1);
  CHECK(count_in(text, "ATOM  ") + count_in(text, "HETATM") == 6 + ions + 3 * left);
  CHECK(text.find("MG    MG") < text.find(" HOH "));
  CHECK(has(text, "CRYST1"));
  for (const char* const label :
       {"cell ", "own image ", "water ", "salt ", "scheme ", "system ", "net charge "})
    CHECK_MESSAGE(has(result.out, std::string("\n") + label), label);
  CHECK(has(result.out, "-6 e before, 0 e after"));
}

TEST_CASE("prepare: from a PQR with charges in any cell, the same for any number of threads") {
  const RodFiles files;
  const std::vector<std::string> words = {"--salt", "KCl:0.2", "--cell-shape", "octahedron", "--quiet", "-o"};
  std::string first;
  for (const char* const threads : {"1", "2"}) {
    std::vector<std::string> more = words;
    more.insert(more.end(), {files.out, "--threads", threads});
    REQUIRE(files.prepare(more).exit_code == 0);
    if (first.empty()) first = read_text(files.out);
    CHECK(read_text(files.out) == first);
  }
  CHECK(has(first, "70.53 109.47  70.53"));
}

TEST_CASE("prepare: what a careful colleague would say") {
  const RodFiles files;
  const auto said = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"-o", files.out, "--quiet"});
    const ProgramResult result = files.prepare(more);
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    return result.err;
  };
  CHECK(said({"--ion", "NA:neutralize"}).empty());
  CHECK(has(said({"--ion", "MG:2"}), "the box has a charge of -2 e after placement"));
  CHECK(has(said({"--ion", "NA:neutralize", "--cutoff", "30"}),
            "from its own image, which is within the cutoff of 30 A"));
  CHECK(has(said({"--salt", "NaCl:4", "--ion-ion", "2", "--seed", "3"}),
            "of ions of opposite charge are within 4 A"));
  std::string text = read_text(files.rod);
  text.replace(text.find("-1.000"), 6, "-0.600");
  write_text(files.rod, text);
  CHECK(has(said({"--ion", "NA:5"}), "the net charge is -5.600 e, not an integer"));
}

TEST_CASE("prepare: a crystal's waters stay, but for those that ions may have") {
  const RodFiles files;
  std::string text = read_text(files.rod);
  for (int i = 0; i < 4; ++i)
    text += pqr_line("O", "HOH", 100 + i, 5.0 * i, 4.5 + 0.1 * i, 0.0, i == 0 ? -0.834 : 0.0);
  write_text(files.rod, text);
  const ProgramResult kept = files.prepare({"--ion", "NA:6", "-o", files.out, "--report", files.report});
  REQUIRE(kept.exit_code == 0);
  CHECK(has(kept.out, "-0.834 e; they stay\n"));
  CHECK(files.told()["water"]["stay"]["of the crystal"] == 4);
  CHECK(count_in(read_text(files.out), "HOH A 10") == 4);
  REQUIRE(files
              .prepare({"--ion", "NA:1", "--near", "resid 103:1", "--ion-solute", "3", "--tune",
                        "keep-water=0", "--tune", "replace-crystal-water", "-o", files.out, "--quiet"})
              .exit_code == 0);
  CHECK(count_in(read_text(files.out), "HOH A 10") == 3);
  REQUIRE(files.prepare({"--ion", "NA:6", "--input-water", "ignore", "-o", files.out, "--quiet"}).exit_code ==
          0);
  CHECK(count_in(read_text(files.out), "HOH A 10") == 0);
}

TEST_CASE("prepare: no water and no ion between the tails of a membrane, by CHARMM's names") {
  const RodFiles files;
  constexpr int side = 5;
  constexpr double apart_A = 8.0, tails_A = 15.0;  // an area of 64 A^2 a lipid, as in a fluid bilayer
  std::string text;
  int number = 0;
  for (const double up : {1.0, -1.0})
    for (int i = 0; i < side * side; ++i) {
      const double x = apart_A * (i % side), y = apart_A * (i / side);
      ++number;
      const auto add = [&](const std::string& name, double right, double height, double e) {
        text += pqr_line(name.c_str(), "POPC", number, x + right, y, up * height, e);
      };
      add("N", 2.0, 21.5, 1.0);
      add("P", 0.0, 19.0, -1.0);
      add("O21", -2.0, 17.0, 0.0);
      add("O31", 2.0, 17.0, 0.0);
      for (int n = 0; n < 12; ++n)
        for (const double chain : {-2.0, 2.0})
          add((chain < 0 ? "C2" : "C3") + std::to_string(n + 1), chain, tails_A - 1.25 * n, 0.0);
    }
  write_text(files.rod, text);
  const std::string middle_cell = "40,40,90";
  const auto heights = [&](const std::string& pdb, const std::string& residue) {
    std::vector<double> found;  // of atoms that are no hydrogens, from the middle
    std::istringstream lines(pdb);
    for (std::string line; std::getline(lines, line);)
      if (line.size() > 77 && line.substr(17, 3) == residue && line[77] != 'H')
        found.push_back(std::stod(line.substr(46, 8)) - 45.0);
    return found;
  };
  const auto check_tails = [&](const std::vector<double>& found, std::size_t least) {
    CHECK(found.size() >= least);
    std::size_t above = 0;
    for (const double height_A : found) {
      CHECK(std::abs(std::remainder(height_A, 90.0)) > tails_A - 3.0);
      above += height_A > 0.0;
    }
    CHECK(above > found.size() / 4);
    CHECK(above < 3 * found.size() / 4);
  };
  const ProgramResult wet = run_ionwell(
      {"solvate", files.rod, "--cell", middle_cell, "-o", files.out, "--report", files.report, "--quiet"});
  REQUIRE(wet.exit_code == 0);
  CHECK(files.told()["water"]["left_out"]["among_lipid_tails"].get<int>() > 100);
  check_tails(heights(read_text(files.out), "HOH"), 1500);
  const ProgramResult salted =
      run_ionwell({"prepare", files.rod, "--cell", middle_cell, "--salt", "NaCl:0.5", "--ion-solute", "3",
                   "--tune", "keep-water=0", "-o", files.out, "--report", files.report, "--quiet"});
  REQUIRE_MESSAGE(salted.exit_code == 0, salted.err);
  const std::string system = read_text(files.out);
  check_tails(heights(system, "HOH"), 1500);
  check_tails(heights(system, " NA"), 10);
  check_tails(heights(system, " CL"), 10);
}

TEST_CASE("prepare: what makes no sense gets one message and leaves nothing") {
  const RodFiles files("CL", "CL");
  const auto message = [&](std::vector<std::string> more, int code) {
    more.insert(more.begin(), {"prepare", files.rod});
    const ProgramResult result = run_ionwell(more);
    CHECK(result.exit_code == code);
    CHECK(result.out.empty());
    CHECK(count_in(result.err, "\n") == 1);
    CHECK(files.folder.entries() == std::vector<std::string>{"rod.pqr"});
    return result.err;
  };
  const std::string& out = files.out;
  const std::string folder = files.folder / "run";
  CHECK(has(message({"--ion", "NA:6"}, 2), "-o is missing"));
  CHECK(has(message({"-o", out}, 2), "--ion and --salt are missing"));
  CHECK(has(message({"--ion", "NA:6", "-o", out, "--for", "amber"}, 2),
            "is the name of a file; name the folder"));
  CHECK(
      has(message({"--ion", "NA:6", "-o", "-", "--for", "amber"}, 2), "--for writes a folder, but -o is -"));
  CHECK(has(message({"--ion", "NA:6", "-o", folder, "--for", "amber", "--water-names", "pdb"}, 2),
            "--water-names has no effect with --for: "));
  CHECK(has(message({"--ion", "NA:6", "-o", folder, "--for", "gromacs"}, 2),
            "no file is a topology; give the .top"));
  CHECK(has(message({"--ion", "NA:6", "-o", folder, "--for", "gromacs", "--force-field", "oplsaa"}, 2),
            "--force-field oplsaa: ionwell knows the names of residues"));
  CHECK(has(message({"--ion", "NA:6", "-o", folder, "--for", "amber", "--force-field", "charmm27"}, 2),
            "--force-field has no effect without --for gromacs"));
  CHECK(has(message({"--ion", "NA:6", "-o", folder, "--for", "gromacs", "--water-model", "opc"}, 2),
            "pdb2gmx cannot make a topology of an entry with this water"));
  CHECK(has(message({"--ion", "NA:6", "-o", folder, "--for", "charmm", "--water-model", "opc"}, 2),
            "--water-model is opc, which CHARMM's toppar_water_ions.str do not have"));
  CHECK(has(message({"--ion", "NA:6", "-o", folder, "--for", "amber", "--water-model", "tip5p"}, 2),
            "use one that they have (tip3p, spce, opc, tip4pew)"));
  CHECK(has(message({"--ion", "F:1", "-o", folder, "--for", "charmm"}, 2), "F"));
  CHECK(has(message({"--ion", "CL:neutralize", "-o", out}, 2), "neutralize"));
  CHECK(has(message({"--ion", "MG:neutralize", "--ion", "NA:1", "-o", out, "--cell", "9,9,9"}, 2), "9"));
  CHECK(has(message({"--ion", "NA:6", "-o", out, "--cell", "20,20,20"}, 2), "larger than the cell"));
  CHECK(has(message({"--ion", "NA:6", "-o", out, "--cutoff", "-1"}, 2), "--cutoff is -1"));
  CHECK(has(message({"--ion", "NA:6", "-o", out, "--scheme", "add"}, 2),
            "--scheme has no effect without --salt; add it, or leave --scheme out"));
  CHECK(has(message({"--ion", "NA:6", "-o", out, "--save-preset", out}, 2), "give each its own file"));
  CHECK(has(message({"--salt", "NaCl:6", "-o", out}, 3), "no water was left"));
  CHECK(has(message({"--ion", "NA:6", "-o", out, "--input-water", "replace"}, 2), "ignore, solute"));
}

TEST_CASE("prepare: a write that fails and a run that is stopped leave nothing") {
  const RodFiles files("CL", "CL");
  const std::string folder = files.folder / "run";
  for (const std::vector<std::string>& output : {std::vector<std::string>{"-o", files.out},
                                                 std::vector<std::string>{"-o", folder, "--for", "amber"}}) {
    std::vector<std::string> words = {"prepare", files.rod, "--ion", "NA:6", "--quiet"};
    words.insert(words.end(), output.begin(), output.end());
    const ProgramResult full = run_ionwell(words, {.largest_file_bytes = 50'000});
    CHECK(full.exit_code == 1);
    CHECK(count_in(full.err, "\n") == 1);
    CHECK(files.folder.entries() == std::vector<std::string>{"rod.pqr"});

    // Stopped while it waits to write its report, all else written under temporary names.
    REQUIRE(mkfifo(files.report.c_str(), 0600) == 0);
    words.insert(words.end(), {"--report", files.report});
    words.insert(words.begin(), program_path());
    RunningProgram running(words);
    const auto has_part = [&] {
      const std::string path = output.size() == 2 ? files.folder.path() : folder;
      std::error_code none;
      for (const auto& entry : std::filesystem::directory_iterator(path, none))
        if (entry.path().string().ends_with(".part") && std::filesystem::file_size(entry, none) > 0)
          return true;
      return false;
    };
    CHECK(wait_until(has_part));
    running.send(SIGINT);
    CHECK(running.wait().signal == SIGINT);
    std::filesystem::remove(files.report);
    CHECK(files.folder.entries() == std::vector<std::string>{"rod.pqr"});
  }
}

TEST_CASE("prepare: several solutes in one file share the counter-ions") {
  const RodFiles files;
  std::string both;
  for (int i = 0; i < 12; ++i)
    both += pqr_line("P", "U", i + 1, 5.0 * (i % 6), i < 6 ? 0.0 : 30.0, 0.0, -1.0);
  write_text(files.rod, both);
  const ProgramResult result =
      files.prepare({"--ion", "NA:neutralize", "-o", files.out, "--report", files.report});
  REQUIRE(result.exit_code == 0);
  const json told = files.told();
  CHECK(told["net_charge_after_e"].get<double>() == doctest::Approx(0.0));
  REQUIRE(told["ions"].size() == 12);
  double lowest_A = 1e9, highest_A = -1e9;
  for (const json& ion : told["ions"]) {
    CHECK(ion["nearest_solute_A"].get<double>() < 10.0);
    lowest_A = std::min(lowest_A, ion["position_A"][1].get<double>());
    highest_A = std::max(highest_A, ion["position_A"][1].get<double>());
  }
  CHECK(highest_A - lowest_A > 15.0);  // at both
}

TEST_CASE("prepare and solvate: ignored atoms are not written, not counted, and water takes their place") {
  const RodFiles files("CL", "CL");
  const std::string with_rest = files.folder / "rest.pqr", folder = files.folder / "run";
  // Ions that would count as salt, a ligand and a water of the crystal, within the box of the rod.
  std::string rest = read_text(files.rod);
  rest += pqr_line("BR", "BR", 201, 5.0, 3.5, 0.0, -1.0) + pqr_line("BR", "BR", 202, 15.0, 3.5, 0.0, -1.0) +
          pqr_line("S", "SO4", 203, 10.0, 3.5, 0.0, -2.0) + pqr_line("O", "HOH", 204, 20.0, 3.0, 0.0, 0.0);
  write_text(with_rest, rest);
  const std::string ignored = "resname BR SO4 HOH", rod = files.rod;
  const auto atoms_of = [](const std::string& text) {
    std::string atoms;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("ATOM") || line.starts_with("HETATM")) atoms += line + '\n';
    return atoms;
  };
  const std::vector<std::string> cell = {"--cell", "45,40,40", "--quiet", "-o"};
  const auto made = [&](std::vector<std::string> words, const std::string& output, bool ignores) {
    words.insert(words.begin() + 1, ignores ? with_rest : rod);
    if (ignores) words.insert(words.end(), {"--ignore", ignored});
    words.insert(words.end(), cell.begin(), cell.end());
    words.push_back(output);
    const ProgramResult result = run_ionwell(words);
    CHECK_MESSAGE(result.exit_code == 0, result.err);
  };
  const std::vector<std::vector<std::string>> commands = {
      {"prepare", "--ion", "NA:neutralize", "--salt", "NaCl:0.3"}, {"solvate"}};
  for (const std::vector<std::string>& command : commands) {
    CAPTURE(command.front());
    made(command, files.out, false);
    const std::string right = atoms_of(read_text(files.out));
    made(command, files.out, true);
    CHECK(atoms_of(read_text(files.out)) == right);
    for (const char* const engine : {"openmm", "amber", "charmm", "vmd"}) {
      CAPTURE(std::string(engine));
      std::vector<std::string> words = command;
      words.insert(words.end(), {"--for", engine});
      std::string atoms[2];
      for (const bool ignores : {false, true}) {
        made(words, folder, ignores);
        for (const auto& file : std::filesystem::directory_iterator(folder)) {
          const std::string name = file.path().filename().string();
          if (!name.ends_with(".pdb") && !name.ends_with(".cif")) continue;
          atoms[ignores] += atoms_of(read_text(file.path().string()));
        }
        std::filesystem::remove_all(folder);
      }
      CHECK(!atoms[0].empty());
      CHECK(atoms[1].size() == atoms[0].size());
      CHECK(!has(atoms[1], "SO4"));
    }
  }
  // What --solute leaves out stays in the box of prepare.
  const ProgramResult solute = run_ionwell({"prepare", with_rest, "--solute", "resname CL", "--ion", "NA:6",
                                            "-o", files.out, "--cell", "45,40,40", "--quiet"});
  CHECK(solute.exit_code == 0);
  CHECK(has(read_text(files.out), "SO4"));
}

TEST_CASE("place: ignored atoms are not in the folder of an engine, and a box does not count them as salt") {
  const RodFiles files, of_ions("CL", "CL");
  const std::string with_rest = files.folder / "rest.pqr", folder = files.folder / "run";
  write_text(with_rest, read_text(of_ions.rod) + pqr_line("S", "SO4", 203, 10.0, 6.0, 0.0, -2.0));
  REQUIRE(run_ionwell({"place", with_rest, "--ignore", "resname SO4", "--ion", "NA:2", "--for", "openmm",
                       "-o", folder, "--quiet"})
              .exit_code == 0);
  CHECK(!has(read_text(folder + "/system.cif"), "SO4"));
  // A box of water with chloride, which is ignored, and one without it.
  const std::string box = files.folder / "box.pqr", chloride = files.folder / "chloride.pqr";
  REQUIRE(files.prepare({"--ion", "NA:6", "-o", box, "--quiet"}).exit_code == 0);
  const std::string text = read_text(box);
  const std::size_t first = text.find("ATOM");
  write_text(chloride, text.substr(0, first) + pqr_line("CL", "CL", 301, 2.0, 2.0, 2.0, -1.0) +
                           pqr_line("CL", "CL", 302, 8.0, 2.0, 2.0, -1.0) + text.substr(first));
  std::string atoms[2];
  for (const bool ignores : {false, true}) {
    std::vector<std::string> words = {
        "place", ignores ? chloride : box, "--salt", "NaCl:0.3", "-o", files.out, "--quiet"};
    if (ignores) words.insert(words.end(), {"--ignore", "resid 301 302 and resname CL"});
    const ProgramResult result = run_ionwell(words);
    REQUIRE_MESSAGE(result.exit_code == 0, result.err);
    atoms[ignores] = read_text(files.out);
    atoms[ignores].erase(0, atoms[ignores].find("CRYST1"));
  }
  CHECK(has(atoms[0], "CL    CL"));
  CHECK(atoms[1] == atoms[0]);
}

TEST_CASE("prepare: salt around a solute without charges goes to random places") {
  const RodFiles files;
  std::string text = read_text(files.rod);
  const std::string charged = " -1.0";
  for (std::size_t at = text.find(charged); at != std::string::npos; at = text.find(charged, at))
    text.replace(at, charged.size(), "  0.0");
  write_text(files.rod, text);
  const ProgramResult result =
      files.prepare({"--salt", "NaCl:0.3", "-o", files.out, "--report", files.report});
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  CHECK(has(result.err, "the charges of all 6 atoms are zero"));
  const nlohmann::json told = files.told();
  CHECK(told["ions"].size() > 10);
  for (const nlohmann::json& ion : told["ions"]) CHECK(ion["placed_by"] == "chance");
  const ProgramResult refused = files.prepare({"--ion", "NA:1", "-o", files.out});
  CHECK(refused.exit_code == 1);
  CHECK(has(refused.err, "without charges there is no potential"));
}

TEST_CASE("prepare: a water that pdb2gmx makes no topology with is refused before anything runs") {
  const TemporaryFolder folder;
  write_text(folder / "entry.pdb",
             "ATOM      1  CA  GLY A   1       0.000   0.000   0.000  1.00  0.00           C\nEND\n");
  const ProgramResult result = run_ionwell({"prepare", folder / "entry.pdb", "--salt", "NaCl:0.1", "--for",
                                            "gromacs", "--water-model", "tip4pew", "-o", folder / "run"});
  CHECK(result.exit_code == 2);
  CHECK(result.err.find(
            "--water-model tip4pew: pdb2gmx cannot make a topology of an entry with this water in ") !=
        std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder / "run"));
}
