// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "chemistry/force_field_files.hpp"
#include "structures/written_folder.hpp"
#include "support/run_program.hpp"
#include "support/shared_data.hpp"
#include "support/skip.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell::test;

namespace {

constexpr double charge_tolerance_e = 0.01;  // libraries have four to six decimals

bool has_pdb2pqr() {
  std::istringstream folders(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    for (const char* const name : {"/pdb2pqr30", "/pdb2pqr"})
      if (std::filesystem::exists(folder + name)) return true;
  skip("PDB2PQR is not here");
  return false;
}

/// The libraries that leap.in or psfgen.tcl name; without files where the data are not here.
struct ForceField {
  std::string engine;
  Library units;

  LibraryResidue unit_of(const WrittenResidue& written) const;
};

/// Residues and patches of files that the data do not have: what they add to a charge. Their atoms are not
/// compared.
const std::map<std::string, double> unread_e = {{"SP1", -1}, {"TP1", -1}, {"THP1", -1},
                                                {"SP2", -2}, {"TP2", -2}, {"THPB", -2},
                                                {"MN2P", 2}, {"SR2P", 2}, {"CO2P", 2}};

LibraryResidue ForceField::unit_of(const WrittenResidue& written) const {
  const auto unit = units.find(written.unit);
  LibraryResidue residue = unit == units.end() ? LibraryResidue{} : unit->second;
  double unread_patches_e = 0.0;
  bool is_unread = unit == units.end() && unread_e.contains(written.unit);
  if (is_unread) unread_patches_e = unread_e.at(written.unit);
  for (const auto& [name, which] : written.patches) {
    const auto patch = units.find(name);
    if (patch != units.end()) {
      residue = patched(residue, patch->second, which);
    } else if (unread_e.contains(name)) {
      is_unread = true;
      unread_patches_e += unread_e.at(name);
    } else {
      return {};
    }
  }
  if (!is_unread) return residue;
  LibraryResidue by_charge;
  for (const auto& [name, atom] : written.atoms) by_charge.charges_e[name] = 0.0;
  by_charge.charges_e.begin()->second = residue.charge_e() + unread_patches_e;
  return by_charge;
}

ForceField force_field(const std::string& engine) {
  ForceField field{engine, {}};
  if (engine == "amber") {
    for (const char* const name : {"amino19", "aminont12", "aminoct12", "amino12", "RNA", "DNA.OL15",
                                   "all_modrna08", "phosaa19SB", "atomic_ions", "solvents"})
      field.units.merge(read_leap_library(shared_data(std::string("data/leap/") + name + ".lib.gz")));
    // As terminal_monophosphate.lib, which the data do not have, with the charges of RNA.lib for all else.
    for (const char* const base : {"A", "C", "G", "U"}) {
      LibraryResidue unit = field.units.at(base);
      unit.charges_e["OP3"] = -0.621;
      unit.charges_e["HOP3"] = 0.3129;
      unit.bond("P", "OP3");
      unit.bond("OP3", "HOP3");
      field.units[std::string(base) + "P5"] = unit;
    }
  } else {
    for (const char* const name : {"top_all36_prot.rtf", "top_all36_na.rtf",
                                   "toppar_all36_na_rna_modified.str", "toppar_water_ions.str"})
      field.units.merge(read_charmm_topology(shared_data(std::string("data/toppar/") + name + ".gz")));
  }
  return field;
}

struct Placed {
  int code = 0;
  std::string message;
  nlohmann::json report;
  FolderFiles files;
};

Placed place(const std::string& entry, const std::string& engine, const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  std::vector<std::string> all = {
      "place",        entry,      "--ion",           "NA:1",    "--spacing", "2", "--for", engine, "-o",
      folder / "out", "--report", folder / "r.json", "--quiet", "--threads", "1"};
  all.insert(all.end(), words.begin(), words.end());
  const ProgramResult run = run_ionwell(all);
  Placed placed{run.exit_code, run.err, {}, {}};
  if (run.exit_code != 0) return placed;
  placed.report = nlohmann::json::parse(read_text(folder / "r.json"));
  for (const auto& file : std::filesystem::directory_iterator(folder / "out"))
    placed.files[file.path().filename().string()] = read_text(file.path().string());
  return placed;
}

/// Bonds between sulfurs that the report's rows name; a bond may have a row for each of its sides.
std::size_t disulfide_rows(const nlohmann::json& report) {
  std::size_t rows = 0;
  for (const auto& row : report.value("chemistry", nlohmann::json::array()))
    rows += row["what"].get<std::string>().find("disulfide bond") != std::string::npos;
  return rows;
}

/// Compares what was written with the library; charges of pieces of several residues, in no order.
std::vector<double> check(const Placed& placed, const ForceField& field) {
  const WrittenFolder folder =
      field.engine == "amber" ? read_leap_folder(placed.files) : read_psfgen_folder(placed.files);
  const FolderCheck result =
      check_folder(folder, [&](const WrittenResidue& residue) { return field.unit_of(residue); });
  for (const std::string& fault : result.faults) FAIL_CHECK(fault);
  CHECK(result.residues > 0);
  CHECK(result.bonds > 10 * result.residues);
  CHECK(std::abs(result.charge_e - placed.report["net_charge_after_e"].get<double>()) < charge_tolerance_e);
  for (const auto& [piece, charge_e] : result.piece_charges_e) {
    CAPTURE(piece);
    CHECK(charge_e == doctest::Approx(std::round(charge_e)).epsilon(charge_tolerance_e));
  }
  std::size_t disulfides = 0;
  for (const WrittenBond& bond : folder.bonds)
    disulfides += bond.first_atom == "SG" && bond.second_atom == "SG";
  const std::size_t rows = disulfide_rows(placed.report);
  CHECK((disulfides == rows || 2 * disulfides == rows));
  std::map<std::size_t, double> of_chains_e;
  for (const WrittenResidue& residue : folder.residues)
    if (residue.atoms.size() > 4)
      of_chains_e[residue.piece] = std::round(result.piece_charges_e.at(residue.piece));
  std::vector<double> charges_e;
  for (const auto& [piece, charge_e] : of_chains_e) charges_e.push_back(charge_e);
  return charges_e;
}

/// Both programs' folders of an entry.
void check_entry(const std::string& name, const std::vector<std::string>& words) {
  CAPTURE(name);
  const std::string entry = shared_data("data/entries/" + name);
  if (entry.empty() || !has_pdb2pqr()) return;
  std::vector<std::vector<double>> charges_e;
  for (const char* const engine : {"amber", "charmm"}) {
    CAPTURE(std::string(engine));
    const Placed placed = place(entry, engine, words);
    CAPTURE(placed.message);
    REQUIRE(placed.code == 0);
    charges_e.push_back(check(placed, force_field(engine)));
  }
  CHECK(charges_e[0] == charges_e[1]);  // of chains, in the order of the entry
}

/// What a message says of residues without charges that are in no chain: they are left out.
std::string left_out(const std::string& message) {
  std::smatch found;
  if (message.find("PDB2PQR has no charges") != message.npos &&
      std::regex_search(message, found, std::regex("--ignore (?:'([^']*)'|(\\w+))")))
    return found[1].str() + found[2].str();
  if (std::regex_search(message, found,
                        std::regex("force fields? have no (NCO|HG|SO4|PO4|NH4|ACT|NO3|FMT) ")))
    return "resname " + found[1].str();
  return {};
}

/// Ligands left out, as the messages say.
Placed place_as_told(const std::string& entry, const std::string& engine, std::string ignored,
                     std::vector<std::string> words) {
  for (int turn = 0; turn < 5; ++turn) {
    std::vector<std::string> all = words;
    if (!ignored.empty()) all.insert(all.end(), {"--ignore", ignored});
    Placed placed = place(entry, engine, all);
    const std::string more = left_out(placed.message);
    const bool may_lack = !words.empty() && placed.message.find("--allow-missing") != std::string::npos;
    if (placed.code == 0 || (more.empty() && !may_lack)) return placed;
    if (!more.empty() && ignored.find(more) == ignored.npos)
      ignored += (ignored.empty() ? "" : " or ") + more;
    else if (may_lack && words.size() == 1)
      words.emplace_back("--allow-missing");
    else
      return placed;
  }
  return {};
}

/// Ligands that are no residues of chains by their names: an antibiotic of amino acids, AMP, a complex of
/// iridium.
std::string ligand_of(const std::string& entry) {
  if (entry.find("5d8h") != entry.npos) return "chain D";
  if (entry.find("4m30") != entry.npos) return "resname A and resid 103 to 104";
  return entry.find("4xw7") != entry.npos ? "resname IRI" : "";
}

bool has_modified_residues(const nlohmann::json& report) {
  for (const auto& row : report.value("chemistry", nlohmann::json::array()))
    for (const char* const key : {"what", "why"})
      for (const char* const word : {"modified", "made from"})
        if (row[key].get<std::string>().find(word) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("entries: a protein with disulfides") {
  check_entry("1aki.pdb.gz", {});
}

TEST_CASE("entries: RNA with modified nucleotides, and with a phosphate at its beginning") {
  check_entry("1ehz.pdb.gz", {});
  check_entry("1ehz.pdb.gz", {"--five-phosphate", "keep"});
}

TEST_CASE("entries: a protein with DNA, whose cysteines bind metals") {
  check_entry("1d66.pdb.gz", {});
}

TEST_CASE("entries: a protein and RNA with gaps, with caps, and of parents of modified residues") {
  check_entry("rna/1hq1.pdb.gz", {"--replace-nonstandard", "--gap-ends", "capped"});
}

TEST_CASE(
    "all entries: names, charges and bonds are those of AMBER's and CHARMM's libraries, or a message says "
    "what to do") {
  const std::string folder = shared_data("data/entries");
  if (folder.empty() || !has_pdb2pqr()) return;
  std::vector<std::string> entries;
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = file.path().filename().string();
    if (name.ends_with(".gz") && !name.starts_with("step5")) entries.push_back(file.path().string());
  }
  std::sort(entries.begin(), entries.end());
  CHECK(entries.size() == 75);
  for (const char* const engine : {"amber", "charmm"}) {
    CAPTURE(std::string(engine));
    const ForceField field = force_field(engine);
    std::size_t written = 0;
    for (const std::string& entry : entries) {
      CAPTURE(entry);
      Placed placed;
      for (const std::vector<std::string>& words : {std::vector<std::string>{}, {"--replace-nonstandard"}}) {
        placed = place_as_told(entry, engine, ligand_of(entry), words);
        CAPTURE(placed.message);
        if (placed.code == 0) {
          check(placed, field);
          if (!has_modified_residues(placed.report)) break;
        } else {
          CHECK(placed.message.find("ionwell: ") != std::string::npos);
          CHECK(placed.message.find("; ") != std::string::npos);  // what to do
        }
      }
      written += placed.code == 0;
    }
    CHECK(written >= 73);
  }
}
