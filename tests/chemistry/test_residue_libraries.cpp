// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "chemistry/force_field_files.hpp"
#include "chemistry/templates/residue_table.hpp"
#include "support/shared_data.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::set<std::string> template_names(const ResidueTemplate& t, NamingScheme scheme) {
  std::set<std::string> names;
  for (const Label& name : t.names[std::size_t(scheme)]) names.emplace(name.view());
  return names;
}

/// What one has and the other lacks, for a message.
template <typename Set>
std::string difference(const Set& ours, const Set& theirs) {
  std::string text;
  const auto add = [&](const auto& element, const char* sign) {
    if constexpr (std::is_same_v<typename Set::value_type, std::string>)
      text += sign + element + ' ';
    else
      text += sign + element.first + '-' + element.second + ' ';
  };
  for (const auto& element : ours)
    if (!theirs.contains(element)) add(element, "+");
  for (const auto& element : theirs)
    if (!ours.contains(element)) add(element, "-");
  return text;
}

std::set<std::pair<std::string, std::string>> template_bonds(const ResidueTemplate& t, NamingScheme scheme) {
  LibraryResidue made;
  for (const TemplateBond& b : t.bonds)
    made.bond(std::string(t.name_in(scheme, b.first).view()),
              std::string(t.name_in(scheme, b.second).view()));
  return made.bonds;
}

/// Names and bonds are the same; the charge is, after rounding. The ends of nucleic acids have whole charges
/// only together: in AMBER -0.308 e and -0.692 e for 0 and -1.
void compare(const ResidueTemplate& t, NamingScheme scheme, const LibraryResidue& theirs) {
  CAPTURE(describe(t));
  CAPTURE(std::string(to_string(scheme)));
  std::set<std::string> names;
  for (const auto& [name, charge_e] : theirs.charges_e) names.insert(name);
  CHECK(difference(template_names(t, scheme), names) == "");
  std::set<std::pair<std::string, std::string>> bonds;
  for (const auto& bond : theirs.bonds)
    if (names.contains(bond.first) && names.contains(bond.second))
      bonds.insert(bond);  // others lead to neighbours
  if (t.kind == ResidueClass::water)
    std::erase_if(bonds, [](const auto& b) { return b.first[0] == 'H' && b.second[0] == 'H'; });
  CHECK(difference(template_bonds(t, scheme), bonds) == "");
  const bool is_nucleic = t.kind == ResidueClass::rna || t.kind == ResidueClass::dna;
  const bool has_one_end = (t.ends.first == ChainEnd::none) != (t.ends.last == ChainEnd::none);
  CHECK(std::abs(theirs.charge_e() - t.charge_e()) < (is_nucleic && has_one_end ? 0.5 : 0.02));
}

/// Templates that a program has are in its library, or their names are returned; those that it lacks are not.
std::set<std::string> compare_all(NamingScheme scheme, const Library& library, std::size_t& compared) {
  std::set<std::string> absent;
  for (const ResidueTemplate& t : residue_table().templates()) {
    const auto& name = t.called_in(scheme);
    if (!name) {
      CAPTURE(describe(t));
      // AMBER's NH4 is a point; RU is ruthenium, and a uridine in GROMACS.
      if (t.ends == ChainEnds{} && t.name != Label("NH4") && t.name != Label("RU"))
        CHECK_FALSE(library.contains(std::string(t.name.view())));
      continue;
    }
    const auto found = library.find(std::string(name->residue.view()));
    if (found == library.end()) {
      absent.emplace(name->residue.view());
      continue;
    }
    compare(t, scheme, found->second);
    ++compared;
  }
  return absent;
}

}  // namespace

TEST_CASE("residue libraries: AMBER has the same atoms, bonds and charges") {
  Library library;
  for (const char* const name :
       {"amino12", "amino19", "aminont12", "aminoct12", "RNA", "DNA.OL15", "ff-nucleic-OL21", "all_modrna08",
        "phosaa19SB", "atomic_ions", "solvents"}) {
    const std::string path = shared_data(std::string("data/leap/") + name + ".lib.gz");
    if (path.empty()) return;
    library.merge(read_leap_library(path));
  }
  library["WAT"] = library.at("TP3");  // as leaprc files have it
  std::size_t compared = 0;
  const std::set<std::string> absent = compare_all(NamingScheme::amber, library, compared);
  const std::set<std::string> of_leap_in = {"AP5", "CP5", "GP5", "UP5", "DAP", "DCP", "DGP", "DTP"};
  CHECK(difference(absent, of_leap_in) == "");
  CHECK(compared > 170);
}

TEST_CASE("residue libraries: every amino acid and nucleotide of AMBER is in the table") {
  for (const char* const name : {"amino12", "aminont12", "aminoct12", "RNA", "DNA.OL15"}) {
    const std::string path = shared_data(std::string("data/leap/") + name + ".lib.gz");
    if (path.empty()) return;
    std::set<std::string> unknown;
    for (const auto& [unit, residue] : read_leap_library(path)) {
      const auto numbers = residue_table().candidates(unit);
      const bool is_there = std::any_of(numbers.begin(), numbers.end(), [&](std::uint32_t n) {
        const auto& called = residue_table().templates()[n].called_in(NamingScheme::amber);
        return called && called->residue.view() == unit;
      });
      if (!is_there && unit != "HYP" && unit != "CHYP" && unit != "OHE") unknown.insert(unit);
    }
    CAPTURE(std::string(name));
    CHECK(difference(unknown, {}) == "");
  }
}

TEST_CASE("residue libraries: CHARMM has the same atoms, bonds and charges, patches done") {
  Library library;
  for (const char* const name : {"top_all36_prot.rtf", "top_all36_na.rtf", "toppar_all36_na_rna_modified.str",
                                 "toppar_water_ions.str"}) {
    const std::string path = shared_data(std::string("data/toppar/") + name + ".gz");
    if (path.empty()) return;
    library.merge(read_charmm_topology(path));
  }
  // In a stream file that Lemkul-Lab/toppar_c36_releases has, which TOPPAR may name: phosphorylation. In
  // none: ions of the supplement.
  std::set<std::string> elsewhere = {"SR2P", "MN2P", "CO2P"};
  const char* const toppar = std::getenv("TOPPAR");
  const std::string stream =
      std::string(toppar == nullptr ? "" : toppar) + "/stream/prot/toppar_all36_prot_na_combined.str";
  if (std::filesystem::exists(stream))
    library.merge(read_charmm_topology(stream));
  else
    elsewhere.insert({"SP1", "SP2", "TP1", "TP2", "THP1", "THPB"});
  std::size_t compared = 0;
  for (const ResidueTemplate& t : residue_table().templates()) {
    const auto& name = t.called_in(NamingScheme::charmm);
    if (!name) continue;
    std::vector<std::string> parts;
    for (const Label& patch : name->patches) parts.emplace_back(patch.view());
    if (!name->residue.empty()) parts.insert(parts.begin(), std::string(name->residue.view()));
    if (std::any_of(parts.begin(), parts.end(), [&](const auto& part) { return elsewhere.contains(part); }))
      continue;
    CAPTURE(describe(t));
    LibraryResidue theirs;
    for (const std::string& part : parts) {
      CAPTURE(part);
      REQUIRE(library.contains(part));
      theirs = patched(theirs, library.at(part));
    }
    if (t.kind == ResidueClass::cap)  // a patch of the neighbour, whose atoms it changes, too
      for (const char* const neighbour : {"C", "O", "N", "HN", "CA", "HA"}) theirs.charges_e.erase(neighbour);

    if (t.kind == ResidueClass::cap) theirs.charges_e.begin()->second -= theirs.charge_e();
    compare(t, NamingScheme::charmm, theirs);
    ++compared;
  }
  CHECK(compared > 300);
}

TEST_CASE("residue libraries: GROMACS's residue databases have the same atoms, bonds and charges") {
  const std::string top = "/usr/share/gromacs/top/";
  if (!std::filesystem::exists(top)) {
    skip("GROMACS is not installed");
    return;
  }
  Library library;
  for (const char* const name : {"aminoacids", "rna", "dna"})
    library.merge(read_gromacs_residues(top + "amber99sb-ildn.ff/" + name + ".rtp"));
  std::size_t compared = 0;
  // Ions that are in its ions.itp and not in a residue database.
  const std::set<std::string> ions = {"BA", "BR", "CD", "F", "I"};
  CHECK(difference(compare_all(NamingScheme::gromacs, library, compared), ions) == "");
  CHECK(compared > 120);
}

TEST_CASE("residue libraries: GROMACS's charmm27 has the same atoms, bonds and charges within chains") {
  const std::string top = "/usr/share/gromacs/top/";
  if (!std::filesystem::exists(top)) {
    skip("GROMACS is not installed");
    return;
  }
  Library library;
  for (const char* const name : {"aminoacids", "rna", "dna"})
    library.merge(read_gromacs_residues(top + "charmm27.ff/" + name + ".rtp"));
  std::size_t compared = 0;
  for (const ResidueTemplate& t : residue_table().templates()) {
    const auto& name = t.called_in(NamingScheme::gromacs_charmm);
    if (!name || t.ends != ChainEnds{} || name->residue.empty()) continue;
    CAPTURE(describe(t));
    REQUIRE(library.contains(std::string(name->residue.view())));
    compare(t, NamingScheme::gromacs_charmm, library.at(std::string(name->residue.view())));
    ++compared;
  }
  CHECK(compared > 40);
}
