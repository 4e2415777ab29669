// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "chemistry/chemistry_lines.hpp"
#include "chemistry/entry_facts.hpp"
#include "chemistry/entry_file.hpp"
#include "chemistry/perception/chemistry.hpp"
#include "chemistry/perception_invariants.hpp"
#include "structures/pdb/mmcif_reader.hpp"
#include "structures/pdb/pdb_reader.hpp"
#include "support/shared_data.hpp"
#include "support/source_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// perceived_entries.txt: facts by the name of the file.
std::map<std::string, std::string> known_facts() {
  std::ifstream in(std::string(source_folder()) + "/tests/chemistry/perceived_entries.txt");
  std::map<std::string, std::string> facts;
  std::string name;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("entry "))
      facts[name = line.substr(6)];
    else if (!line.starts_with('#'))
      facts.at(name) += line + '\n';
  }
  return facts;
}

/// An entry as the program reads it.
struct ReadEntry {
  std::vector<Atom> atoms;
  Chemistry chemistry;
};

ReadEntry perceived(const std::string& path) {
  if (path.find(".cif") != path.npos) {
    MmcifFile file = read_mmcif_entry(InputFile(path));
    Chemistry chemistry = perceive(file.structure.atoms, file.records);
    return {std::move(file.structure.atoms), std::move(chemistry)};
  }
  PdbFile file = read_pdb(InputFile(path));
  Chemistry chemistry = perceive(file.structure.atoms, file.records);
  return {std::move(file.structure.atoms), std::move(chemistry)};
}

EntryFile entry(const std::string& name) {
  const std::string path = shared_data("data/entries/" + name + ".pdb.gz");
  return path.empty() ? EntryFile{} : read_entry_file(path);
}

}  // namespace

TEST_CASE("perceived entries: chains, gaps, links, metals, ligands and charges of entries of the PDB") {
  const auto known = known_facts();
  CHECK(known.size() >= 76);
  for (const auto& [name, facts] : known) {
    const std::string path = shared_data("data/entries/" + name + ".gz");
    if (path.empty()) return;
    const ReadEntry entry = perceived(path);
    CAPTURE(name);
    CHECK(broken_invariant(entry.chemistry, entry.atoms.size()) == "");
    CHECK(entry_facts(entry.chemistry, entry.atoms) == facts);
  }
}

TEST_CASE("perceived entries: the PDB file and the mmCIF file of an entry give the same table") {
  for (const auto& [pdb, mmcif] : {std::pair("1y26.pdb", "1Y26.cif"), std::pair("2src.pdb", "2src.cif")}) {
    const std::string first = shared_data(std::string("data/entries/") + pdb + ".gz"),
                      second = shared_data(std::string("data/entries/") + mmcif + ".gz");
    if (first.empty() || second.empty()) return;
    const ReadEntry a = perceived(first), b = perceived(second);
    CHECK(chemistry_lines(a.chemistry, a.atoms, 1000) == chemistry_lines(b.chemistry, b.atoms, 1000));
    CHECK(entry_facts(a.chemistry, a.atoms) == entry_facts(b.chemistry, b.atoms));
  }
}

TEST_CASE("perceived entries: modified nucleotides, bound metals, and a phosphotyrosine are kept") {
  const EntryFile trna = entry("1ehz"), gal4 = entry("1d66"), kinase = entry("2src");
  if (trna.atoms.empty() || gal4.atoms.empty() || kinase.atoms.empty()) return;
  const Chemistry rna = perceive(trna.atoms, trna.records);
  REQUIRE(rna.pieces.size() == 1);
  CHECK(rna.pieces[0].residues.size() == 76);
  std::size_t modified = 0, deprotonated = 0;
  for (const PerceivedResidue& residue : rna.residues)
    modified += residue.found != nullptr && residue.found->parent != residue.found->residue ? 1 : 0;
  CHECK(modified == 14);
  const Chemistry complex = perceive(gal4.atoms, gal4.records);
  for (const PerceivedResidue& residue : complex.residues)
    deprotonated += residue.standard != nullptr && residue.standard->name == Label("CYM") ? 1 : 0;
  CHECK(deprotonated == 12);
  std::size_t phosphotyrosines = 0, cofactors = 0;
  const Chemistry src = perceive(kinase.atoms, kinase.records);
  for (const PerceivedResidue& residue : src.residues) {
    const Label name = kinase.atoms[residue.begin].residue;
    if (name == Label("PTR"))
      phosphotyrosines += residue.standard != nullptr && residue.piece != nothing ? 1 : 0;
    if (name == Label("ANP")) cofactors += residue.role == ResidueRole::cofactor ? 1 : 0;
  }
  CHECK(phosphotyrosines == 1);
  CHECK(cofactors == 1);
}

TEST_CASE("perceived entries: the small cases of a disulfide and a gap") {
  const std::string bridge = shared_data("data/cases/disulfide.pdb"), gap = shared_data("data/cases/gap.pdb");
  if (bridge.empty() || gap.empty()) return;
  const EntryFile two_chains = read_entry_file(bridge), loop = read_entry_file(gap);
  const Chemistry bridged = perceive(two_chains.atoms), torn = perceive(loop.atoms);
  REQUIRE(bridged.links.size() == 1);
  CHECK(bridged.links[0].kind == LinkKind::disulfide);
  CHECK(bridged.links[0].distance_A == doctest::Approx(2.05).epsilon(0.005));
  CHECK(bridged.pieces.size() == 2);
  REQUIRE(torn.gaps.size() == 1);
  CHECK(torn.gaps[0].distance_A == doctest::Approx(8.47).epsilon(0.005));
  CHECK(torn.pieces.size() == 2);
}
