// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "support/example.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using nlohmann::json;

namespace {

constexpr double shell_A = 2.07;           // from Mg2+ to its waters
constexpr double rounding_A = 2e-3;        // of distances between atoms of a PDB file
constexpr double exact_rounding_A = 2e-6;  // and of a report

struct Point {
  double x = 0.0, y = 0.0, z = 0.0;
};

struct NamedAtom {
  std::string name, residue;
  Point position_A;
};

std::vector<NamedAtom> atoms_in(const std::string& path) {
  std::vector<NamedAtom> atoms;
  std::istringstream lines(read_text(path));
  const auto word = [](std::string text) {
    std::erase(text, ' ');
    return text;
  };
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("ATOM") || line.starts_with("HETATM"))
      atoms.push_back(
          {word(line.substr(12, 4)),
           word(line.substr(17, 4)),
           {std::stod(line.substr(30, 8)), std::stod(line.substr(38, 8)), std::stod(line.substr(46, 8))}});
  return atoms;
}

std::vector<Point> positions_of(const std::vector<NamedAtom>& atoms, const std::string& residue,
                                const std::string& name) {
  std::vector<Point> positions_A;
  for (const NamedAtom& atom : atoms)
    if (atom.residue == residue && atom.name == name) positions_A.push_back(atom.position_A);
  return positions_A;
}

double apart_A(const Point& a, const Point& b) {
  return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

Point vector_in(const json& numbers) {
  return {numbers[0], numbers[1], numbers[2]};
}

ProgramResult prepare(const TemporaryFolder& folder, const std::string& file, std::vector<std::string> more) {
  more.insert(more.begin(), {"prepare", file, "--model", "sites", "--padding", "6", "--quiet"});
  const ProgramResult result = run_ionwell(more);
  CAPTURE(folder.path());
  CHECK_MESSAGE(result.exit_code == 0, result.err);
  return result;
}

}  // namespace

TEST_CASE("prepare --model sites: the ions and waters of place, in front of all that a box adds") {
  const TemporaryFolder folder;
  REQUIRE(run_ionwell({"place", duplex, "--model", "sites", "--ion", "MG:8", "--hydrate", "MG:6",
                       "--with-solute", "-o", folder / "placed.pdb", "--quiet"})
              .exit_code == 0);
  prepare(folder, duplex,
          {"--ion", "MG:8", "--hydrate", "MG:6", "--salt", "NaCl:0.15", "--orient", "-o",
           folder / "system.pdb", "--report", folder / "report.json"});
  const std::vector<NamedAtom> placed = atoms_in(folder / "placed.pdb"),
                               system = atoms_in(folder / "system.pdb");
  const auto ions = positions_of(system, "MG", "MG"), ions_alone = positions_of(placed, "MG", "MG");
  const auto waters = positions_of(system, "HOH", "O"), waters_alone = positions_of(placed, "HOH", "O");
  REQUIRE(ions.size() == 8);
  REQUIRE(waters_alone.size() > 12);
  // The system is turned: what is the same are distances to atoms of the solute.
  for (const std::size_t atom : {0U, 100U, 500U}) {
    for (std::size_t n = 0; n < ions.size(); ++n)
      CHECK(apart_A(ions[n], system[atom].position_A) ==
            doctest::Approx(apart_A(ions_alone[n], placed[atom].position_A)).epsilon(rounding_A));
    for (std::size_t n = 0; n < waters_alone.size(); ++n)
      CHECK(apart_A(waters[n], system[atom].position_A) ==
            doctest::Approx(apart_A(waters_alone[n], placed[atom].position_A)).epsilon(rounding_A));
  }
  const json report = report_of(folder / "report.json");
  CHECK(report["structure"]["net_charge_e"] == -22.0);
  CHECK(report["net_charge_after_e"].get<double>() == doctest::Approx(0.0));
  CHECK(report["sites"]["requested_ions"] == 8);
  CHECK(report["sites"]["exclusion"]["ion_solute_A"] == 1.7);
  CHECK(report["exclusion"]["ion_solute_A"] == 5.0);
  CHECK(report["sites"]["hydration"]["waters"] == waters_alone.size());
  CHECK(report["water"]["stay"]["around ions at sites"] == waters_alone.size());
  // The waters of the shells come first, and no other water is as near, but where one had no room.
  std::size_t next = 0;
  bool has_full_shell = false;
  for (std::size_t n = 0; n < ions.size(); ++n) {
    const json& shell = report["sites"]["hydration"]["shells"][n];
    const std::size_t end = next + shell["waters"].get<std::size_t>();
    for (std::size_t w = 0; w < waters.size(); ++w) {
      const double d_A = apart_A(ions[n], waters[w]);
      if (w >= next && w < end)
        CHECK(d_A == doctest::Approx(shell_A).epsilon(rounding_A));
      else if (shell["left_out"] == 0) {
        CHECK(d_A > shell_A + 0.9);
        has_full_shell = true;
      }
    }
    next = end;
  }
  CHECK(next == waters_alone.size());
  CHECK(has_full_shell);
  REQUIRE(report["sites"]["ions"].size() == 8);
  for (std::size_t n = 0; n < ions.size(); ++n) {
    const json& ion = report["sites"]["ions"][n];
    CHECK(ion["probability"].get<double>() > 0.0);
    CHECK(ion["lattice_index"].is_null());
    CHECK(apart_A(vector_in(ion["position_A"]), ions[n]) < rounding_A);
  }
  for (const json& ion : report["ions"]) {
    CHECK(ion["name"] != "MG");
    for (const Point& site : ions)
      CHECK(apart_A(vector_in(ion["position_A"]), site) > 5.0 - exact_rounding_A);
  }
  // The solute has -22 e and the ions at sites +6 e: the other ions neutralize the difference.
  std::int64_t net = 0;
  for (const json& ion : report["ions"]) net += ion["charge_e"].get<std::int64_t>();
  CHECK(net == 6);
  const std::string text = read_text(folder / "system.pdb");
  CHECK(text.find("Ions at sites: 8 MG (+2), placed before") != std::string::npos);
  CHECK(text.find("Hydrated: 8 ions with " + std::to_string(next) + " waters") != std::string::npos);
  CHECK(text.find("Net charge: -22 e before, 0 e after") != std::string::npos);
}

TEST_CASE("prepare --model sites: the summary names ions at sites apart, and other ions go by their energy") {
  const TemporaryFolder folder;
  const ProgramResult result = run_ionwell(
      {"prepare", duplex, "--model", "site-terms", "--ion", "NA:neutralize", "--ion", "MG:2", "--padding",
       "6", "--ion-solute", "6", "-o", folder / "system.pdb", "--report", folder / "report.json"});
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  const auto has = [&](const char* part) { return result.out.find(part) != std::string::npos; };
  CHECK(has("\nat sites        2 MG (+2); site model of MG, built in"));
  CHECK(has("\nby energy       22 NA (+1)\n"));
  CHECK(has("-22 e before, +4 e after"));  // Na+ was to neutralize what was there before Mg2+
  CHECK_FALSE(has("\nhydration"));
  const json report = report_of(folder / "report.json");
  CHECK(report["sites"]["exclusion"]["ion_solute_A"] == 1.7);  // the model's own
  CHECK(report["exclusion"]["ion_solute_A"] == 6.0);
  CHECK_FALSE(report["sites"].contains("hydration"));
}

TEST_CASE("prepare --hydrate: a salt of the same ion is named, for its ions get no shell") {
  const TemporaryFolder folder;
  const ProgramResult result = prepare(folder, duplex,
                                       {"--ion", "MG:1", "--hydrate", "MG:6", "--salt", "MgCl2:0.05",
                                        "--salt", "NaCl:0.1", "-o", folder / "system.pdb"});
  CHECK(result.err.find(
            "--hydrate MG puts waters around the MG at sites only: the MG of --salt MgCl2:0.05 replace "
            "waters, and have other waters around them") != std::string::npos);
  CHECK(result.err.find("NaCl") == std::string::npos);
}

TEST_CASE("prepare --model sites: waters around ions have all sites of the box's water") {
  const TemporaryFolder folder;
  prepare(folder, duplex,
          {"--ion", "MG:1", "--hydrate", "MG", "--water-model", "opc", "-o", folder / "system.pdb",
           "--report", folder / "report.json"});
  const std::vector<NamedAtom> system = atoms_in(folder / "system.pdb");
  const Point ion = positions_of(system, "MG", "MG").front();
  const auto oxygens = positions_of(system, "HOH", "O"), first = positions_of(system, "HOH", "H1"),
             extra = positions_of(system, "HOH", "M");
  REQUIRE(extra.size() == oxygens.size());
  const json hydration = report_of(folder / "report.json")["sites"]["hydration"];
  CHECK(hydration["water"] == "opc");
  REQUIRE(hydration["waters"].get<std::size_t>() >= 4);
  for (std::size_t w = 0; w < hydration["waters"].get<std::size_t>(); ++w) {
    CHECK(apart_A(oxygens[w], ion) == doctest::Approx(shell_A).epsilon(rounding_A));
    CHECK(apart_A(oxygens[w], first[w]) == doctest::Approx(0.8724).epsilon(rounding_A));  // OPC's
    CHECK(apart_A(oxygens[w], extra[w]) == doctest::Approx(0.1594).epsilon(1e-2));
    CHECK(apart_A(extra[w], ion) > shell_A);  // the hydrogens point away, and the bisector with them
  }
}

TEST_CASE("prepare --model sites: a crystal's waters give way to ions and their shells") {
  const TemporaryFolder folder;
  REQUIRE(run_ionwell(
              {"place", duplex, "--model", "sites", "--ion", "MG:1", "-o", folder / "alone.pdb", "--quiet"})
              .exit_code == 0);
  const Point ion = atoms_in(folder / "alone.pdb").front().position_A;
  std::string text = read_text(duplex);
  text.erase(text.rfind("END"));
  for (const double away_A : {0.5, 2.3, 3.6}) {  // on the ion, in its shell, and beyond that
    std::ostringstream line;
    line << "HETATM 900 O HOH W " << std::round(10.0 * away_A) << ' ' << ion.x << ' ' << ion.y << ' '
         << ion.z + away_A << " 0.0 1.5\n";
    text += line.str();
  }
  const std::string crystal = folder / "crystal.pqr";
  write_text(crystal, text);
  const auto kept = [&](const std::vector<std::string>& more, const char* said) {
    std::vector<std::string> words = {"prepare",   crystal,
                                      "--model",   "sites",
                                      "--padding", "6",
                                      "--ion",     "MG:1",
                                      "-o",        folder / "system.pdb",
                                      "--report",  folder / "report.json"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run_ionwell(words);
    CHECK_MESSAGE(result.exit_code == 0, result.err);
    CHECK(result.err.find(said) != std::string::npos);
    return report_of(folder / "report.json")["water"]["stay"]["of the crystal"].get<int>();
  };
  CHECK(kept({}, "1 water of the input is left out, because it overlaps ions at sites") == 2);
  CHECK(kept({"--hydrate", "MG"}, "waters of the input are left out, because they overlap ions at sites") <=
        1);
}

TEST_CASE("prepare --model sites: what cannot be is refused") {
  const TemporaryFolder folder;
  const auto refused = [&](std::vector<std::string> words, int code, const char* message) {
    words.insert(words.begin(), {"prepare", duplex, "-o", folder / "system.pdb"});
    const ProgramResult result = run_ionwell(words);
    CAPTURE(message);
    CHECK(result.exit_code == code);
    CHECK_MESSAGE(result.err.find(message) != std::string::npos, result.err);
    CHECK(folder.entries().empty());
  };
  refused({"--model", "sites", "--ion", "NA:3"}, 2,
          "--model sites places MG, but no such ion is requested; add for example --ion MG:6");
  refused({"--model", "sites", "--ion", "MG:3", "--ion", "NA:2", "--hydrate", "NA"}, 2,
          "--hydrate NA: NA is not placed by --model sites");
  refused({"--model", "sites", "--ion", "MG:3", "--hydrate", "CL"}, 2, "the shell of CL is not known");
  refused({"--ion", "MG:3", "--hydrate", "MG"}, 2,
          "--hydrate has no effect without --model sites or site-terms");
  refused({"--model", "sites", "--salt", "NaCl:0.1"}, 2, "no such ion is requested");
  refused({"--model", "sites", "--ion", "MG:3", "--tune", "model-file=no.json"}, 1, "no.json");
  refused({"--model", "sites", "--ion", "MG:900", "--padding", "4"}, 3,
          "ions could be placed at sites; request fewer");
}

TEST_CASE("prepare --model sites: the same for any number of threads, and after a preset") {
  const TemporaryFolder folder;
  const std::string preset = folder / "preset.json", one = folder / "one.pdb", other = folder / "other.pdb";
  prepare(folder, duplex,
          {"--ion", "MG:2", "--hydrate", "MG:6", "--salt", "KCl:0.1", "--threads", "1", "-o", one,
           "--save-preset", preset});
  const json options = json::parse(read_text(preset))["options"];
  CHECK(options["model"] == "sites");
  CHECK(options["hydrate"] == json({"MG:6"}));
  const ProgramResult again =
      run_ionwell({"prepare", duplex, "--preset", preset, "--threads", "2", "-o", other, "--quiet"});
  REQUIRE_MESSAGE(again.exit_code == 0, again.err);
  CHECK(read_text(other) == read_text(one));
  // On the command line the model gives way, and with it what is its.
  const ProgramResult by_energy =
      run_ionwell({"prepare", duplex, "--preset", preset, "--model", "electrostatics", "-o", other});
  REQUIRE_MESSAGE(by_energy.exit_code == 0, by_energy.err);
  CHECK(by_energy.out.find("by energy       2 MG (+2)") != std::string::npos);
  CHECK(by_energy.out.find("at sites") == std::string::npos);
}
