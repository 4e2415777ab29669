// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"

using namespace ionwell::test;

namespace {

struct PlacedAtom {
  const char* name;
  const char* residue;
  char chain;
  int number;
  double x, y;
};

/// Two glycines, a gap of 8 A, a glycine; and two cysteines with a disulfide, of which only some atoms are
/// there.
std::string entry_text() {
  std::string text = "REMARK 465   M RES C SSSEQI\nREMARK 465     TRP A     3\n";
  int serial = 0;
  for (const PlacedAtom& a : {PlacedAtom{"N", "GLY", 'A', 1, 0.0, 0.0}, {"CA", "GLY", 'A', 1, 1.4, 0.0},
                              {"C", "GLY", 'A', 1, 2.8, 0.0},           {"O", "GLY", 'A', 1, 2.8, 1.2},
                              {"N", "GLY", 'A', 2, 4.1, 0.0},           {"CA", "GLY", 'A', 2, 5.5, 0.0},
                              {"C", "GLY", 'A', 2, 6.9, 0.0},           {"O", "GLY", 'A', 2, 6.9, 1.2},
                              {"N", "GLY", 'A', 4, 14.9, 0.0},          {"CA", "GLY", 'A', 4, 16.3, 0.0},
                              {"C", "GLY", 'A', 4, 17.7, 0.0},          {"O", "GLY", 'A', 4, 17.7, 1.2},
                              {"N", "CYS", 'B', 1, 0.0, 20.0},          {"CA", "CYS", 'B', 1, 1.4, 20.0},
                              {"C", "CYS", 'B', 1, 2.8, 20.0},          {"SG", "CYS", 'B', 1, 1.4, 23.0},
                              {"N", "CYS", 'C', 1, 0.0, 28.0},          {"CA", "CYS", 'C', 1, 1.4, 28.0},
                              {"C", "CYS", 'C', 1, 2.8, 28.0},          {"SG", "CYS", 'C', 1, 1.4, 25.03}}) {
    char line[96];
    std::snprintf(line, sizeof line,
                  "ATOM  %5d  %-3s %-3s %c%4d    %8.3f%8.3f%8.3f  1.00 20.00           %c\n", ++serial,
                  a.name, a.residue, a.chain, a.number, a.x, a.y, 0.0, a.name[0]);
    text += line;
  }
  return text + "END\n";
}

/// What stands for PDB2PQR and PROPKA: the one gives 1 e to the first atom of each residue, the other a pKa
/// of 5 to the first aspartic acid.
class StandIns {
 public:
  explicit StandIns(const TemporaryFolder& folder) {
    if (const char* const path = std::getenv("PATH")) before_ = path;
    write("pdb2pqr30", folder,
          "for last; do out=$last; done\n"
          "awk '/^ATOM|^HETATM/ { r = substr($0, 22, 6); q = r == before ? 0 : 1; before = r\n"
          "print substr($0, 1, 54), q, 1.5 }' "
          "\"${out%.pqr}.pdb\" > $out\n");
    write("propka3", folder,
          "printf 'SUMMARY OF THIS PREDICTION\\n   ASP   1 A     5.00       3.80\\n' > solute.pka\n");
    setenv("PATH", (folder.path() + ':' + before_).c_str(), 1);
  }
  ~StandIns() { setenv("PATH", before_.c_str(), 1); }
  StandIns(const StandIns&) = delete;
  StandIns& operator=(const StandIns&) = delete;

 private:
  static void write(const char* name, const TemporaryFolder& folder, const std::string& script) {
    write_text(folder / name, "#!/bin/sh\n" + script);
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  }

  std::string before_;
};

bool has_row(const nlohmann::json& rows, const std::string& residue, const std::string& why) {
  return std::any_of(rows.begin(), rows.end(), [&](const nlohmann::json& row) {
    return row["residue"] == residue && row["why"].get<std::string>().find(why) != std::string::npos;
  });
}

/// An aspartic acid, and two cysteines with a disulfide.
std::string small_entry() {
  std::string text;
  int serial = 0;
  for (const PlacedAtom& a : {PlacedAtom{"N", "ASP", 'A', 1, 0.0, 0.0}, {"CA", "ASP", 'A', 1, 1.4, 0.0},
                              {"C", "ASP", 'A', 1, 2.8, 0.0},           {"O", "ASP", 'A', 1, 2.8, 1.2},
                              {"OXT", "ASP", 'A', 1, 3.8, -0.8},        {"CB", "ASP", 'A', 1, 1.4, 1.5},
                              {"CG", "ASP", 'A', 1, 1.4, 3.0},          {"OD1", "ASP", 'A', 1, 2.5, 3.6},
                              {"OD2", "ASP", 'A', 1, 0.3, 3.6},         {"N", "CYS", 'B', 1, 0.0, 20.0},
                              {"CA", "CYS", 'B', 1, 1.4, 20.0},         {"C", "CYS", 'B', 1, 2.8, 20.0},
                              {"O", "CYS", 'B', 1, 2.8, 18.8},          {"OXT", "CYS", 'B', 1, 3.8, 20.8},
                              {"CB", "CYS", 'B', 1, 1.4, 21.5},         {"SG", "CYS", 'B', 1, 1.4, 23.0},
                              {"N", "CYS", 'C', 1, 0.0, 28.0},          {"CA", "CYS", 'C', 1, 1.4, 28.0},
                              {"C", "CYS", 'C', 1, 2.8, 28.0},          {"O", "CYS", 'C', 1, 2.8, 29.2},
                              {"OXT", "CYS", 'C', 1, 3.8, 27.2},        {"CB", "CYS", 'C', 1, 1.4, 26.5},
                              {"SG", "CYS", 'C', 1, 1.4, 25.03}}) {
    char line[96];
    std::snprintf(line, sizeof line, "ATOM  %5d  %-3s %s %c%4d    %8.3f%8.3f%8.3f  1.00 20.00           %c\n",
                  ++serial, a.name, a.residue, a.chain, a.number, a.x, a.y, 0.0, a.name[0]);
    text += line;
  }
  return text + "END\n";
}

}  // namespace

TEST_CASE("chemistry: commands that read an entry show what was decided, and their reports have it") {
  const TemporaryFolder folder;
  const StandIns programs(folder);
  write_text(folder / "entry.pdb", small_entry());
  write_text(folder / "points.csv", "x,y,z\n0,0,50\n");
  const std::string out = folder / "out", entry = folder / "entry.pdb";
  for (std::vector<std::string> words : std::vector<std::vector<std::string>>{
           {"place", entry, "--ion", "CL:1", "--spacing", "3", "-o", out + ".pdb"},
           {"place", entry, "--ion", "CL:90000", "--spacing", "5", "--border", "6", "-o", out + ".pdb"},
           {"map", entry, "--spacing", "4", "-o", out + ".dx"},
           {"potential", entry, "--at", folder / "points.csv", "-o", out + ".csv"},
           {"sample", entry, "--ion", "CL:1", "--sweeps", "60", "--blocks", "2", "--spacing", "4", "-o",
            out + ".pdb"},
           {"solvate", entry, "--charges", "amber", "--padding", "3", "-o", out + ".gro"},
           {"prepare", entry, "--ion", "CL:1", "--padding", "3", "-o", out + ".gro"},
           {"compare", entry, "--ion", "CL:1", "--protocol", "coulomb"}}) {
    CAPTURE(words[0]);
    words.insert(words.end(), {"--report", folder / "report.json"});
    std::filesystem::remove(folder / "report.json");
    const ProgramResult result = run_ionwell(words);
    CAPTURE(result.err);
    const bool too_few = words[3] == "CL:90000";
    CHECK(result.exit_code == (too_few ? 3 : 0));
    CHECK(result.out.find("\nchemistry       ") != std::string::npos);
    CHECK(result.out.find(" CYS 1 B: disulfide bond to CYS 1 C (") != std::string::npos);
    const auto report = nlohmann::json::parse(read_text(folder / "report.json"));
    REQUIRE(report.contains("chemistry"));
    CHECK(has_row(report["chemistry"], "CYS 1 B", "SG and SG are "));
  }
}

TEST_CASE(
    "chemistry: a crystal's waters and ions are counted and named, and waters stay where water is added") {
  const TemporaryFolder folder;
  const StandIns programs(folder);
  write_text(folder / "entry.pdb",
             "HETATM   91  O   HOH D   1      12.000  12.000   9.000  1.00 20.00           O\n"
             "HETATM   92  O   HOH D   2      12.000  16.000   9.000  1.00 20.00           O\n"
             "HETATM   93 MG    MG E   1      20.000  12.000   9.000  1.00 20.00          MG\n" +
                 small_entry());
  const std::string entry = folder / "entry.pdb", out = folder / "out.pdb";
  const std::string ions =
      "1 MG ion: kept, with formal charge (of the crystal; otherwise by --crystal-ions ignore)\n";
  const std::string kept = "2 waters: kept (they stay in the cell; otherwise by --input-water ignore)\n";
  const auto shows = [&](const std::vector<std::string>& words, const std::string& row) {
    const ProgramResult result = run_ionwell(words);
    CAPTURE(result.err);
    CHECK(result.exit_code == 0);
    return result.out.find(ions) != std::string::npos && result.out.find(row) != std::string::npos;
  };
  CHECK(shows({"place", entry, "--ion", "CL:1", "--spacing", "3", "-o", out},
              "2 waters: left out (PDB2PQR assigns no charges to them; 'ionwell prepare' keeps them)\n"));
  CHECK(shows({"prepare", entry, "--ion", "CL:1", "--padding", "3", "-o", out}, kept));
  CHECK(shows({"solvate", entry, "--charges", "amber", "--padding", "3", "-o", out}, kept));
  CHECK(read_text(out).find(" O   HOH D   2 ") != std::string::npos);
  CHECK(shows({"prepare", entry, "--ion", "CL:1", "--padding", "3", "--input-water", "ignore", "-o", out},
              "2 waters: left out (--input-water ignore)\n"));
  CHECK(run_ionwell({"info", entry})
            .out.find("2 waters: kept by 'ionwell prepare' and 'ionwell solvate', left out otherwise (") !=
        std::string::npos);
  const ProgramResult refused =
      run_ionwell({"place", entry, "--ion", "CL:1", "--input-water", "solute", "-o", out});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("PDB2PQR assigns no charges to its 2 waters, so waters are left out") !=
        std::string::npos);
}

TEST_CASE(
    "prepare: a preset has each decision about an entry, so that the same command gives the same bytes") {
  const TemporaryFolder folder;
  const StandIns programs(folder);
  std::string text = small_entry();
  text.replace(text.find("END"), 3,
               "HETATM   90 MG    MG D   1      12.000  12.000   0.000  1.00 20.00          MG\nEND");
  write_text(folder / "entry.pdb", text);
  write_text(
      folder / "mg.mol2",
      "@<TRIPOS>MOLECULE\nMG\n1 0 1 0 0\nSMALL\nUSER_CHARGES\n@<TRIPOS>ATOM\n1 MG 0 0 0 Mg 1 MG 1.5\n");
  const std::string preset = folder / "preset.json", one = folder / "one.pdb", other = folder / "other.pdb";
  const auto prepare = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"prepare", folder / "entry.pdb", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run_ionwell(words);
    CHECK_MESSAGE(result.exit_code == 0, result.err);
  };
  const std::vector<std::string> choices = {"--ion",
                                            "CL:2",
                                            "--padding",
                                            "4",
                                            "--charges",
                                            "amber",
                                            "--pH",
                                            "2",
                                            "--five-phosphate",
                                            "keep",
                                            "--gap-ends",
                                            "capped",
                                            "--replace-nonstandard",
                                            "--allow-missing",
                                            "--ligand",
                                            folder / "mg.mol2"};
  for (const char* const ions : {"keep", "ignore"}) {
    std::vector<std::string> words = choices;
    words.insert(words.end(), {"--crystal-ions", ions, "-o", one, "--save-preset", preset});
    prepare(words);
    prepare({"--preset", preset, "-o", other});
    CHECK(read_text(other) == read_text(one));
    CHECK((read_text(one).find(" MG ") != std::string::npos) == (std::string(ions) == "keep"));
    const auto kept = nlohmann::json::parse(read_text(preset))["options"];
    CHECK(kept["charges"] == "amber");
    CHECK(kept["pH"] == 2.0);
    CHECK(kept["five-phosphate"] == "keep");
    CHECK(kept["crystal-ions"] == ions);
    CHECK(kept["gap-ends"] == "capped");
    CHECK(kept["replace-nonstandard"] == true);
    CHECK(kept["allow-missing"] == true);
    CHECK(kept["ligand"] == nlohmann::json({folder / "mg.mol2"}));
  }
}

TEST_CASE("info: shows states that PROPKA predicts, which its report has, too") {
  const TemporaryFolder folder;
  const StandIns programs(folder);
  write_text(folder / "entry.pdb", small_entry());
  const ProgramResult result =
      run_ionwell({"info", folder / "entry.pdb", "--pH", "2", "--report", folder / "info.json"});
  CAPTURE(result.err);
  const std::string predicted = " ASP 1 A: ";
  CHECK(result.out.find(predicted) != std::string::npos);
  const std::string bond = "CYS 1 B: disulfide bond";
  CHECK(result.out.find(bond) == result.out.rfind(bond));
  const auto rows = nlohmann::json::parse(read_text(folder / "info.json"))["chemistry"];
  CHECK(has_row(rows, "ASP 1 A", "5.00"));
  CHECK(has_row(rows, "CYS 1 B", "SG and SG are "));
}

TEST_CASE("usage: a pH that is none, and options of charges where none are made") {
  const TemporaryFolder folder;
  write_text(folder / "entry.pdb", small_entry());
  const std::string entry = folder / "entry.pdb";
  for (const char* const pH : {"-0.5", "14.5"}) {
    const ProgramResult result =
        run_ionwell({"place", entry, "--pH", pH, "--ion", "CL:1", "-o", folder / "ions.pdb"});
    CHECK(result.exit_code == 2);
    CHECK(result.err == "ionwell: --pH " + std::string(pH) + " is not from 0 to 14\n");
  }
  const ProgramResult result =
      run_ionwell({"solvate", entry, "--ligand", "lig.mol2", "-o", folder / "wet.gro"});
  CHECK(result.exit_code == 2);
  CHECK(result.err == "ionwell: --ligand needs --charges here, because no charges are assigned to " + entry +
                          " without it; add --charges, or leave --ligand out\n");
}

// PDB2PQR may be missing, and refuses these residues: the rows come before it runs.
TEST_CASE("info: shows the chemistry of an entry of the PDB, whatever comes of its charges") {
  const TemporaryFolder folder;
  write_text(folder / "entry.pdb", entry_text());
  const std::string out = run_ionwell({"info", folder / "entry.pdb"}).out;
  CHECK(
      out.starts_with("chemistry       5 amino acids in 4 pieces, 0 e with standard ends and protonation\n"));
  CHECK(
      out.find(
          "\n                GLY 4 A: a gap after GLY 2 A: two pieces, with charged ends (C and N are 8.00 A "
          "apart; missing: TRP; otherwise by --gap-ends capped)\n") != std::string::npos);
  CHECK(out.find("\n                CYS 1 B: disulfide bond to CYS 1 C (SG and SG are 2.03 A apart)\n") !=
        std::string::npos);
  CHECK(out.find("\n                CYS 1 B: lacks O CB (not in the file)\n") != std::string::npos);
}

TEST_CASE("info: shows which ends at gaps have caps, and why others have none") {
  const TemporaryFolder folder;
  write_text(folder / "entry.pdb", entry_text());
  const std::string out = run_ionwell({"info", folder / "entry.pdb", "--gap-ends", "capped"}).out;
  for (const char* const row :
       {"GLY 2 A: ends with NME (capped) (--gap-ends capped; otherwise by --gap-ends charged)\n",
        "GLY 4 A: a gap after GLY 2 A: two pieces, with one cap and one charged end (C and N are 8.00 A "
        "apart; "
        "missing: TRP; otherwise by --gap-ends charged)\n",
        "GLY 4 A: begins charged at the gap, without ACE (its N, CA and C are on a line)\n"}) {
    CAPTURE(row);
    CHECK(out.find(row) != std::string::npos);
  }
}

TEST_CASE("info: shows the chemistry of standard input, too") {
  const TemporaryFolder folder;
  write_text(folder / "entry.pdb", entry_text());
  const std::string of_file = run_ionwell({"info", folder / "entry.pdb"}).out;
  const std::string out = run_ionwell({"info", "-"}, {.standard_input = folder / "entry.pdb"}).out;
  CHECK(out.substr(0, out.find("structure")) == of_file.substr(0, of_file.find("structure")));
  CHECK(out.starts_with("chemistry       5 amino acids"));
}

TEST_CASE("info: ten lines of the chemistry are shown, and all are in the report") {
  const TemporaryFolder folder;
  std::string text;
  for (int n = 1; n <= 13; ++n) {
    char line[96];
    std::snprintf(line, sizeof line, "HETATM%5d  C1  LIG A%4d    %8.3f%8.3f%8.3f  1.00 20.00           C\n",
                  n, n, 20.0 * n, 0.0, 0.0);
    text += line;
  }
  write_text(folder / "ligands.pdb", text);
  const std::string out = run_ionwell({"info", folder / "ligands.pdb", "--report", folder / "info.json"}).out;
  CHECK(out.find("LIG 10 A: without charges: the run stops") != std::string::npos);
  CHECK(out.find("LIG 11 A") == std::string::npos);
  CHECK(out.find("\n                and 3 more\n") != std::string::npos);
  const auto report = nlohmann::json::parse(read_text(folder / "info.json"));
  REQUIRE(report["molecules"]["notes"].size() == 13);
  CHECK(report["molecules"]["notes"][12]["residue"]["number"] == "13");
  CHECK(report["molecules"]["notes"][12]["residue"]["name"] == "LIG");
  CHECK(report["molecules"]["residues"]["ligand"] == 13);
}

TEST_CASE("info: the report has pieces, gaps and links") {
  const TemporaryFolder folder;
  write_text(folder / "entry.pdb", entry_text());
  run_ionwell({"info", folder / "entry.pdb", "--report", folder / "info.json"});
  const auto chemistry = nlohmann::json::parse(read_text(folder / "info.json"))["molecules"];
  REQUIRE(chemistry["pieces"].size() == 4);
  CHECK(chemistry["pieces"][0]["residues"] == 2);
  CHECK(chemistry["pieces"][0]["last"]["number"] == "2");
  CHECK(chemistry["pieces"][0]["charge_e"] == 0);
  REQUIRE(chemistry["gaps"].size() == 1);
  CHECK(chemistry["gaps"][0]["distance_A"] == 8.0);
  CHECK(chemistry["gaps"][0]["missing"][0] == "TRP");
  REQUIRE(chemistry["links"].size() == 1);
  CHECK(chemistry["links"][0]["kind"] == "disulfide");
  CHECK(chemistry["links"][0]["atoms"][1]["residue"]["chain"] == "C");
}

TEST_CASE("info: an entry whose ligand has no charges is shown, and then refused with the ways out") {
  const TemporaryFolder folder;
  const std::string ligand =
      "HETATM   21  C1  QQQ L   1      40.000  40.000   0.000  1.00 20.00           C\n"
      "HETATM   22  C1  GOL L   2      50.000  40.000   0.000  1.00 20.00           C\n";
  std::string text = entry_text();
  text.insert(text.size() - 4, ligand);
  write_text(folder / "entry.pdb", text);
  const ProgramResult refused = run_ionwell({"info", folder / "entry.pdb"});
  CHECK(refused.exit_code == 1);
  CHECK(refused.out.find(
            "QQQ 1 L: without charges: the run stops (ligand that PDB2PQR does not know; otherwise by "
            "--ligand, --ignore)\n") != std::string::npos);
  CHECK(refused.err.find("--ignore 'additive or resname QQQ'") != std::string::npos);
  const ProgramResult shown =
      run_ionwell({"info", folder / "entry.pdb", "--ignore", "additive or resname QQQ"});
  CHECK(shown.err.find("no charges for 2 residues") == std::string::npos);
  CHECK(shown.out.find("QQQ 1 L: ligand without charges (it is ignored") != std::string::npos);
}

TEST_CASE("help: what several commands share is a table for programs, too") {
  const ProgramResult chemistry = run_ionwell({"help", "--json", "chemistry"});
  CHECK(chemistry.exit_code == 0);
  CHECK(chemistry.out.find("\"name\": \"allow-missing\"") != std::string::npos);
  CHECK(chemistry.out.find("\"name\": \"spacing\"") == std::string::npos);
  const ProgramResult tuning = run_ionwell({"help", "--json", "tune"});
  CHECK(tuning.exit_code == 0);
  CHECK(tuning.out.find("\"name\": \"hydrate-water\"") != std::string::npos);
}

TEST_CASE("help: what is decided about entries has a page of its own") {
  const std::string page = run_ionwell({"help", "chemistry"}).out;
  CHECK(page.find(": remove, keep (default: remove)") != std::string::npos);
  CHECK(page.find(": keep, ignore (default: keep)") != std::string::npos);
  for (const char* const option : {"--ligand FILE", "--pH PH", "--five-phosphate WORD", "--crystal-ions WORD",
                                   "--gap-ends WORD", "--replace-nonstandard", "--allow-missing"}) {
    CAPTURE(option);
    CHECK(page.find("\n  " + std::string(option) + '\n') != std::string::npos);
  }
  const std::string manual = run_ionwell({"help", "--man", "chemistry"}).out;
  CHECK(manual.starts_with(".TH IONWELL\\-CHEMISTRY 1 "));
  CHECK(manual.find("\\fB\\-\\-gap\\-ends\\fR \\fIWORD\\fR\n") != std::string::npos);
  CHECK(run_ionwell({"place", "--help-all"}).out.find("\n  --ligand FILE  ") != std::string::npos);
  CHECK(run_ionwell({"place", "--help"}).out.find("--ligand") == std::string::npos);
}
