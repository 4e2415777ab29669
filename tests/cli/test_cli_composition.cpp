// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/example.hpp"
#include "support/report.hpp"
#include "support/run_program.hpp"

using namespace ionwell::test;
using nlohmann::json;

namespace {

/// The duplex of the examples with a calcium ion at its side, and two waters far from it.
std::string wet_duplex() {
  std::string text =
      "CRYST1   60.000   70.000   80.000  90.00  90.00  90.00 P 1           1\n" + read_text(duplex);
  text.erase(text.find("END\n", text.size() - 5));
  for (const char* const line : {"ATOM      1 CA    CA C   1      15.000  15.000   0.000  2.0000 1.7000\n",
                                 "ATOM      1 OW   SOL W   1      60.000   0.000   0.000 -0.8000 1.8000\n",
                                 "ATOM      2 HW1  SOL W   1      61.000   0.000   0.000  0.4000 0.5000\n",
                                 "ATOM      3 HW2  SOL W   1      60.000   1.000   0.000  0.4000 0.5000\n",
                                 "ATOM      4 OW   SOL W   2      60.000   5.000   0.000 -0.8000 1.8000\n",
                                 "ATOM      5 HW1  SOL W   2      61.000   5.000   0.000  0.4000 0.5000\n",
                                 "ATOM      6 HW2  SOL W   2      60.000   6.000   0.000  0.4000 0.5000\n"})
    text += line;
  return text + "END\n";
}

std::string row(const std::string& out, const std::string& label) {
  const std::size_t at = out.find('\n' + label + ' ');
  if (at == std::string::npos) return "";
  const std::size_t value = out.find_first_not_of(' ', at + 1 + label.size());
  return out.substr(value, out.find('\n', value) - value);
}

const std::string water_warning = ": contains 2 waters, and water counts as solute";

}  // namespace

TEST_CASE("info: tells what a structure consists of, on the terminal and in its report") {
  const TemporaryFolder folder;
  write_text(folder / "wet.pqr", wet_duplex());
  const ProgramResult result = run_ionwell({"info", folder / "wet.pqr", "--report", folder / "wet.json"});
  REQUIRE(result.exit_code == 0);
  CHECK(result.err.find("ionwell: warning: " + folder / "wet.pqr" + water_warning) == 0);
  CHECK(result.err.find("--input-water ignore") != std::string::npos);
  CHECK(result.err.find("--input-water solute") != std::string::npos);
  CHECK(row(result.out, "nucleic acid") == "24 residues, 758 atoms, -22 e");
  CHECK(row(result.out, "water") == "2 residues, 6 atoms, 0 e; solute");
  CHECK(row(result.out, "ions") == "1 CA (+2); solute");
  CHECK(row(result.out, "cell") ==
        "60 x 70 x 80 A; not used: the solute stands alone, without periodic images");
  CHECK(row(result.out, "kind of cell") == "of a crystal or a simulation; the file does not state which");
  CHECK(report_of(folder / "wet.json")["structure"]["cell"]["kind"] == "undecided");
  CHECK(row(result.out, "protein").empty());
  CHECK(row(result.out, "written") == folder / "wet.json");

  const json report = report_of(folder / "wet.json");
  CHECK(report["schema_version"] == 1);
  CHECK(report["structure"]["atoms"] == 765);
  CHECK(report["structure"]["net_charge_e"].get<double>() == doctest::Approx(-20.0));
  CHECK(report["structure"]["composition"]["nucleic_acid"]["residues"] == 24);
  CHECK(report["structure"]["composition"]["ions"] ==
        json::array({json{{"name", "CA"}, {"element", "CA"}, {"charge_e", 2.0}, {"count", 1}}}));
  CHECK(report["structure"]["cell"]["lengths_A"] == json({60.0, 70.0, 80.0}));
  CHECK(report["lattice"]["spacing_A"] == json({0.5, 0.5, 0.5}));
  CHECK(report["memory_bytes"]["host_needed"].get<double>() > 1e6);
  REQUIRE(report["warnings"].size() == 1);
}

TEST_CASE("info: says nothing of what is not there, and needs a structure for its report") {
  const TemporaryFolder folder;
  const ProgramResult dry = run_ionwell({"info", duplex});
  CHECK(dry.exit_code == 0);
  CHECK(dry.err.empty());
  CHECK(row(dry.out, "nucleic acid") == "24 residues, 758 atoms, -22 e");
  for (const char* const label : {"protein", "lipids", "water", "ions", "unknown", "cell", "written"})
    CHECK(row(dry.out, label).empty());

  const ProgramResult none = run_ionwell({"info", "--report", folder / "x.json"});
  CHECK(none.exit_code == 2);
  CHECK(none.err.find("--report has no effect without a structure; leave it out") != std::string::npos);
  REQUIRE(run_ionwell({"map", duplex, "-o", folder / "a.dx", "--spacing", "4", "--quiet"}).exit_code == 0);
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--report", folder / "x.json"}, {"--input-water", "ignore"}}) {
    const ProgramResult map = run_ionwell({"info", folder / "a.dx", option[0], option[1]});
    CHECK(map.exit_code == 2);
    CHECK(map.err.find(" has no effect without a structure; leave it out") != std::string::npos);
  }
  CHECK(run_ionwell({"info", duplex, "--report", duplex}).exit_code == 2);
  CHECK(folder.entries() == std::vector<std::string>{"a.dx"});
}

TEST_CASE("info: of many kinds of ions and unknown residues shows the first") {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 1; i <= 12; ++i)
    text += "ATOM 1 C1 L" + std::to_string(i) + " A " + std::to_string(i) + " 0.0 0.0 " +
            std::to_string(3 * i) + ".0 0.5 1.5\n";
  write_text(folder / "many.pqr", text);
  CHECK(row(run_ionwell({"info", folder / "many.pqr"}).out, "unknown") ==
        "12 residues, 12 atoms, +6 e: 1 L1, 1 L2, 1 L3, 1 L4, 1 L5, 1 L6, 1 L7, 1 L8 and 4 more");
}

TEST_CASE("place: water is solute with a warning, on purpose, or left out of everything") {
  const TemporaryFolder folder;
  write_text(folder / "wet.pqr", wet_duplex());
  std::string dry_text = wet_duplex();
  const std::size_t first_water = dry_text.find("ATOM      1 OW"), end = dry_text.find("END\n", first_water);
  write_text(folder / "dry.pqr", dry_text.erase(first_water, end - first_water));
  const auto place = [&](const std::string& structure, const std::vector<std::string>& more) {
    std::vector<std::string> words = {
        "place", folder / structure, "--ion",    "NA:5",           "--spacing", "1",
        "-o",    folder / "i.pdb",   "--report", folder / "r.json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_ionwell(words);
  };

  const ProgramResult plain = place("wet.pqr", {});
  REQUIRE(plain.exit_code == 0);
  CHECK(plain.err.find(water_warning) != std::string::npos);
  CHECK(row(plain.out, "water") == "2 residues, 6 atoms, 0 e; solute");
  CHECK(row(plain.out, "ions") == "1 CA (+2); solute");
  const json wet = report_of(folder / "r.json");
  CHECK(wet["structure"]["atoms"] == 765);
  CHECK(wet["warnings"].size() == 1);

  const ProgramResult meant = place("wet.pqr", {"--input-water", "solute"});
  CHECK(meant.exit_code == 0);
  CHECK(meant.err.empty());
  CHECK(report_of(folder / "r.json")["ions"] == wet["ions"]);

  const ProgramResult ignored = place("wet.pqr", {"--input-water", "ignore", "--with-solute"});
  CHECK(ignored.exit_code == 0);
  CHECK(ignored.err.empty());
  CHECK(row(ignored.out, "water") == "2 residues, 6 atoms, 0 e; left out");
  CHECK(read_text(folder / "i.pdb").find("SOL") == std::string::npos);
  const json left_out = report_of(folder / "r.json");
  CHECK(left_out["structure"]["atoms"] == 759);
  CHECK(left_out["structure"]["composition"]["water"]["left_out"] == true);
  CHECK(left_out["lattice"] != wet["lattice"]);

  REQUIRE(place("dry.pqr", {}).exit_code == 0);
  const json dry = report_of(folder / "r.json");
  CHECK(left_out["lattice"] == dry["lattice"]);
  CHECK(left_out["ions"] == dry["ions"]);

  const ProgramResult wrong = place("wet.pqr", {"--input-water", "drop"});
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("--input-water is 'drop'; it must be one of replace, ignore, solute") !=
        std::string::npos);
}

TEST_CASE("map: reads its structure as place does") {
  const TemporaryFolder folder;
  write_text(folder / "wet.pqr", wet_duplex());
  const std::vector<std::string> words = {"map",      folder / "wet.pqr", "-o",        folder / "p.dx",
                                          "--report", folder / "r.json",  "--spacing", "4"};
  const ProgramResult plain = run_ionwell(words);
  CHECK(plain.exit_code == 0);
  CHECK(plain.err.find(water_warning) != std::string::npos);
  CHECK(row(plain.out, "ions") == "1 CA (+2); solute");
  std::vector<std::string> ignoring = words;
  ignoring.insert(ignoring.end(), {"--input-water", "ignore"});
  const ProgramResult ignored = run_ionwell(ignoring);
  CHECK(ignored.exit_code == 0);
  CHECK(ignored.err.empty());
  CHECK(report_of(folder / "r.json")["structure"]["composition"]["water"]["left_out"] == true);
}

TEST_CASE("structures: nothing but water, and water left out") {
  const TemporaryFolder folder;
  write_text(folder / "w.pqr",
             "ATOM 1 O HOH A 1 0.0 0.0 0.0 -0.8 1.5\nATOM 2 H1 HOH A 1 1.0 0.0 0.0 0.4 0.5\n");
  const ProgramResult result = run_ionwell({"info", folder / "w.pqr", "--input-water", "ignore"});
  CHECK(result.exit_code == 1);
  CHECK(result.err.find("contains 1 water and nothing else") != std::string::npos);
}

TEST_CASE("info: the ions of a Drude force field, and its particles") {
  const TemporaryFolder folder;
  write_text(folder / "a.psf",
             "PSF EXT CMAP CHEQ DRUDE XPLOR\n\n         1 !NTITLE\n* T\n\n         4 !NATOM\n"
             "         1 ION      1        POT      POT      POT          3.290000     39.098300       0\n"
             "         2 ION      1        POT      DPOT     DRUD        -2.290000      0.400000       0\n"
             "         3 ION      2        CLA      CLA      CLA          2.500000     35.450000       0\n"
             "         4 ION      2        CLA      DCLA     DRUD        -3.500000      0.400000       0\n"
             "\n         0 !NBOND\n");
  write_text(folder / "a.pdb",
             "ATOM      1  POT POT     1       0.000   0.000   0.000  1.00  0.00      ION\n"
             "ATOM      2 DPOT POT     1       0.000   0.000   0.005  1.00  0.00      ION\n"
             "ATOM      3  CLA CLA     2       8.000   0.000   0.000  1.00  0.00      ION\n"
             "ATOM      4 DCLA CLA     2       8.000   0.000   0.005  1.00  0.00      ION\nEND\n");
  const ProgramResult result = run_ionwell({"info", folder / "a.psf", folder / "a.pdb"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(row(result.out, "ions") == "1 POT (+1), 1 CLA (-1); solute");
  CHECK(row(result.out, "Drude") == "2 particles, counted with their atoms");
  CHECK(row(result.out, "unknown").empty());
  const ProgramResult refused = run_ionwell({"place", folder / "a.psf", folder / "a.pdb", "--ion", "NA:1",
                                             "--for", "charmm", "-o", folder / "out"});
  CHECK(refused.exit_code == 2);
  CHECK(
      refused.err.starts_with("ionwell: the structure has 2 Drude particles, and --for charmm writes files"));
  CHECK(!std::filesystem::exists(folder / "out"));
}

TEST_CASE("info: a structure without charges is described, with a warning") {
  const TemporaryFolder folder;
  write_text(folder / "a.pqr", "ATOM 1 AR AR 1 0.0 0.0 0.0 0.0 1.9\n");
  const ProgramResult result = run_ionwell({"info", folder / "a.pqr"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.find("the charge of its one atom is zero") != std::string::npos);
  CHECK(run_ionwell({"map", folder / "a.pqr", "-o", folder / "a.dx"}).exit_code == 1);
}
