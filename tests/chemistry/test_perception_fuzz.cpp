// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "chemistry/entry_file.hpp"
#include "chemistry/made_structure.hpp"
#include "chemistry/perception/chemistry.hpp"
#include "chemistry/perception_invariants.hpp"
#include "chemistry/templates/residue_match.hpp"
#include "support/shared_data.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Random = std::mt19937_64;

std::size_t below(std::size_t most, Random& random) {
  return std::size_t(random() % most);
}

/// Does some of what goes wrong in files: atoms and residues that are missing, renamed, there twice, or
/// elsewhere.
void damage(std::vector<Atom>& atoms, Random& random) {
  static const std::vector<const char*> names = {"N", "C",   "CA", "P",  "O3'", "SG",
                                                 "H", "1HB", "",   "BB", "ZN",  "XXXXXXXX"};
  static const std::vector<const char*> residues = {"GLY", "A", "DA",  "CYS", "HOH", "ZN",
                                                    "LIG", "",  "UNK", "GTP", "NAG", "CA"};
  for (std::size_t times = 1 + below(8, random); times > 0 && !atoms.empty(); --times) {
    const std::size_t n = below(atoms.size(), random),
                      count = std::min(1 + below(20, random), atoms.size() - n);
    const auto from = atoms.begin() + std::ptrdiff_t(n), to = from + std::ptrdiff_t(count);
    const std::vector<Atom> part(from, to);
    switch (below(10, random)) {
      case 0:
        atoms.erase(from, to);
        break;
      case 1:
        atoms[n].name = names[below(names.size(), random)];
        break;
      case 2:
        for (auto at = from; at != to; ++at) at->residue = residues[below(residues.size(), random)];
        break;
      case 3:
        atoms.insert(to, part.begin(), part.end());
        break;
      case 4:
        atoms.insert(atoms.begin() + std::ptrdiff_t(below(atoms.size(), random)), part.begin(), part.end());
        break;
      case 5:
        atoms[n].position_A = atoms[below(atoms.size(), random)].position_A;
        break;
      case 6:
        atoms[n].residue_number = int(random());
        break;
      case 7:
        std::shuffle(from, to, random);
        break;
      case 8:
        std::rotate(from, from + std::ptrdiff_t(below(count, random)), to);
        break;
      default:
        atoms[n].ends_chain = !atoms[n].ends_chain;
        atoms[n].element = "";
    }
  }
}

/// A residue that is not what its name and atoms say, and of which nothing is said; or atoms that its
/// template lacks. Empty where there is none.
std::string unnamed(const Chemistry& chemistry, const std::vector<Atom>& atoms) {
  std::set<std::uint32_t> noted;
  for (const ChemistryNote& note : chemistry.notes) noted.insert(note.residue);
  ResidueMatcher matcher(residue_table());
  for (std::uint32_t r = 0; r < chemistry.residues.size(); ++r) {
    const PerceivedResidue& residue = chemistry.residues[r];
    using enum ResidueRole;
    if (noted.contains(r) || residue.role == bead || residue.role == water || residue.role == lipid) continue;
    const std::string name = describe_residue(atoms[residue.begin]);
    if (residue.found == nullptr) {
      if (residue.role != ion) return name + " has no template and no note";
      continue;
    }
    std::vector<Label> names;
    for (std::uint32_t n = residue.begin; n < residue.end; ++n) names.push_back(atoms[n].name);
    const ResidueMatch& match = matcher.match(atoms[residue.begin].residue.view(), names);
    if (match.unknown_heavy + match.unknown_hydrogens > 0) return name + " has strange atoms and no note";
  }
  return "";
}

EntryRecords any_records(const std::vector<Atom>& atoms, Random& random) {
  EntryRecords records;
  const auto id = [&] {
    const Atom& atom = atoms[below(atoms.size(), random)];
    return RecordedResidue{atom.chain, atom.residue_number, atom.insertion_code};
  };
  const auto name = [&] { return atoms[below(atoms.size(), random)].name; };
  for (std::size_t n = below(4, random); n > 0; --n) {
    records.bonds.push_back({id(), id(), name(), name(), below(4, random) == 0});
    records.modifications.push_back({id(), "ALA"});
    records.missing.push_back({id(), "GLY"});
    records.sequences.push_back({id().chain, {"GLY", "ALA"}});
    records.connected_atoms.emplace_back(std::uint32_t(random()), std::uint32_t(below(atoms.size(), random)));
    records.connected_atoms.emplace_back(std::uint32_t(below(atoms.size(), random)),
                                         std::uint32_t(below(atoms.size(), random)));
  }
  return records;
}

MadeStructure mixed_structure(MadeStructure::Hydrogens hydrogens) {
  MadeStructure made(hydrogens);
  made.add("ACE").bound("CYS").bound("HIS").bound("LYS").bound("GLY", {{}, ChainEnd::c_terminal}).end_chain();
  made.chain("B")
      .add("CYS")
      .add("ZN")
      .chain("C")
      .add("GTP")
      .bound("PSU")
      .bound("DA")
      .bound("CCC")
      .end_chain();
  made.chain("D")
      .add("HOH")
      .add("SO4")
      .add("NCO")
      .add_atoms("NAG", {"C1", "O5", "C2"})
      .add_atoms("LIG", {"C1", "C2"});
  made.add_atoms("ALA", {"CA"}).add_atoms("GLY", {"CA"});
  made.join(1, "SG", 5, "SG", 2.05).join(2, "NE2", 6, "ZN", 2.1);
  return made;
}

}  // namespace

TEST_CASE("perception: whatever is done to a structure, it has a chemistry") {
  constexpr int rounds = 1000;
  for (const auto hydrogens : {MadeStructure::Hydrogens::no, MadeStructure::Hydrogens::yes}) {
    const MadeStructure made = mixed_structure(hydrogens);
    REQUIRE(broken_invariant(perceive(made.atoms()), made.atoms().size()) == "");
    for (int round = 0; round < rounds; ++round) {
      Random random{std::uint64_t(round)};
      std::vector<Atom> atoms = made.atoms();
      damage(atoms, random);
      if (atoms.empty()) continue;
      const Chemistry chemistry = perceive(atoms, any_records(atoms, random));
      CAPTURE(round);
      REQUIRE(broken_invariant(chemistry, atoms.size()) == "");
      REQUIRE(unnamed(chemistry, atoms) == "");
    }
  }
}

TEST_CASE("perception: whatever is done to entries, they have a chemistry") {
  for (const char* const name : {"1ehz", "1d66", "4lzt", "1u19", "rna/5d8h", "rna/3hax"}) {
    const std::string path = shared_data(std::string("data/entries/") + name + ".pdb.gz");
    if (path.empty()) return;
    const EntryFile entry = read_entry_file(path);
    constexpr int rounds = 10;
    for (int round = 0; round < rounds; ++round) {
      Random random{std::uint64_t(round)};
      std::vector<Atom> atoms = entry.atoms;
      for (int times = 0; times < 30; ++times) damage(atoms, random);
      const Chemistry chemistry = perceive(atoms, entry.records);
      CAPTURE(std::string(name));
      CAPTURE(round);
      REQUIRE(broken_invariant(chemistry, atoms.size()) == "");
      REQUIRE(unnamed(chemistry, atoms) == "");
    }
  }
}
