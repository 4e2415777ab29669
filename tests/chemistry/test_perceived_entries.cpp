#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "chemistry/entry_file.hpp"
#include "chemistry/perception/chemistry.hpp"
#include "chemistry/perception_invariants.hpp"
#include "support/shared_data.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// An entry, and what is in it.
struct KnownEntry {
  std::string name;
  std::size_t amino_acids, nucleotides, pieces, gaps, disulfides, other_links, metals, additives, ligands;
  std::int64_t charge_e;  // of all chains, in standard conditions
};

// Residues of chains are those of SEQRES without those of REMARK 465, but for nucleotides and peptides that
// are ligands or bound to a chain; disulfides are those of SSBOND. Gaps, links and ligands are what
// was perceived; the notes were read, and some compared with the entries.
const std::vector<KnownEntry>& known_entries() {
  static const std::vector<KnownEntry> entries = {
      {"1aki", 129, 0, 1, 0, 4, 0, 0, 0, 0, 8},
      {"1d66", 114, 38, 4, 0, 0, 0, 4, 0, 0, -30},
      {"1ehz", 0, 76, 1, 0, 0, 0, 9, 0, 0, -73},
      {"1u19", 698, 0, 2, 0, 2, 17, 13, 4, 20, -14},
      {"1ubq", 76, 0, 1, 0, 0, 0, 0, 0, 0, 0},
      {"1y26", 0, 71, 1, 0, 0, 0, 5, 0, 1, -70},
      {"2src", 450, 0, 1, 0, 0, 0, 0, 0, 1, -6},
      {"304d", 0, 8, 1, 0, 0, 0, 0, 0, 1, -7},
      {"3p4a", 0, 48, 6, 0, 0, 0, 11, 0, 0, -42},
      {"4lzt", 129, 0, 1, 0, 4, 0, 0, 6, 0, 8},
      {"rna/1b23", 406, 74, 3, 0, 0, 1, 3, 2, 1, -86},
      {"rna/1dk1", 86, 57, 2, 0, 0, 0, 12, 0, 0, -49},
      {"rna/1drz", 95, 72, 2, 0, 0, 0, 3, 2, 0, -63},
      {"rna/1hc8", 74, 58, 2, 0, 0, 0, 11, 0, 0, -58},
      {"rna/1hq1", 76, 49, 3, 1, 0, 0, 7, 0, 0, -43},
      {"rna/1hr2", 0, 315, 2, 0, 0, 0, 42, 0, 0, -313},
      {"rna/1lnt", 0, 24, 2, 0, 0, 0, 7, 0, 0, -22},
      {"rna/1mji", 359, 68, 4, 0, 0, 0, 6, 0, 0, -52},
      {"rna/1mms", 203, 116, 4, 0, 0, 0, 35, 0, 0, -101},
      {"rna/1mzp", 217, 55, 2, 0, 0, 0, 3, 0, 0, -38},
      {"rna/1nuj", 0, 96, 8, 0, 0, 0, 10, 0, 0, -88},
      {"rna/1pjo", 0, 20, 2, 0, 0, 0, 6, 0, 0, -18},
      {"rna/1y26", 0, 71, 1, 0, 0, 0, 5, 0, 1, -70},
      {"rna/2nok", 0, 88, 4, 0, 0, 0, 13, 0, 0, -84},
      {"rna/2nug", 434, 44, 6, 0, 0, 0, 19, 0, 0, -29},
      {"rna/2pjp", 121, 23, 2, 0, 0, 0, 22, 0, 0, -24},
      {"rna/2ply", 410, 46, 6, 2, 0, 0, 20, 0, 0, -38},
      {"rna/2yie", 0, 111, 2, 0, 0, 0, 16, 0, 1, -117},
      {"rna/2zzm", 333, 84, 2, 0, 0, 0, 5, 0, 1, -78},
      {"rna/3cul", 183, 184, 4, 0, 0, 0, 11, 0, 0, -170},
      {"rna/3egz", 91, 65, 2, 0, 0, 0, 12, 0, 1, -56},
      {"rna/3f2q", 0, 109, 2, 1, 0, 0, 16, 0, 1, -112},
      {"rna/3f4h", 0, 110, 2, 0, 0, 0, 13, 0, 1, -108},
      {"rna/3gx3", 0, 94, 1, 0, 0, 0, 10, 0, 1, -93},
      {"rna/3hax", 503, 74, 6, 1, 0, 0, 6, 5, 0, -69},
      {"rna/3la5", 0, 71, 1, 0, 0, 0, 10, 0, 1, -70},
      {"rna/3loa", 0, 44, 2, 0, 0, 0, 3, 2, 0, -42},
      {"rna/3mei", 0, 46, 2, 0, 0, 0, 5, 0, 0, -44},
      {"rna/3q3z", 0, 150, 2, 0, 0, 0, 13, 0, 4, -156},
      {"rna/3ski", 0, 136, 2, 0, 0, 0, 4, 9, 2, -140},
      {"rna/3ssf", 0, 24, 2, 0, 0, 0, 3, 0, 0, -22},
      {"rna/3tzr", 0, 36, 2, 0, 0, 0, 6, 3, 1, -34},
      {"rna/3u56", 228, 80, 2, 0, 0, 0, 11, 1, 0, -73},
      {"rna/430d", 0, 29, 1, 0, 0, 0, 9, 0, 0, -28},
      {"rna/4bwm", 538, 24, 3, 0, 0, 0, 3, 4, 1, -27},
      {"rna/4ghl", 498, 36, 6, 0, 0, 0, 11, 4, 0, -11},
      {"rna/4k27", 0, 55, 1, 0, 0, 0, 3, 0, 0, -54},
      {"rna/4l81", 0, 96, 1, 0, 0, 0, 15, 0, 1, -95},
      {"rna/4lx6", 0, 71, 1, 0, 0, 0, 5, 0, 1, -70},
      {"rna/4m30", 438, 56, 6, 0, 0, 0, 9, 1, 0, -42},
      {"rna/4nya", 0, 160, 2, 0, 0, 0, 15, 0, 2, -168},
      {"rna/4oji", 0, 52, 2, 1, 0, 0, 5, 0, 0, -50},
      {"rna/4oog", 480, 34, 4, 0, 0, 0, 4, 0, 0, -37},
      {"rna/4pqv", 0, 68, 1, 0, 0, 0, 9, 0, 0, -67},
      {"rna/4tzx", 0, 71, 1, 0, 0, 0, 9, 0, 1, -70},
      {"rna/4xw7", 0, 64, 1, 0, 0, 0, 17, 0, 1, -63},
      {"rna/4yb0", 0, 168, 2, 0, 0, 0, 7, 0, 2, -172},
      {"rna/4znp", 0, 139, 3, 1, 0, 0, 3, 0, 2, -136},
      {"rna/5bjo", 0, 72, 2, 0, 0, 0, 8, 0, 1, -68},
      {"rna/5btm", 0, 86, 2, 0, 0, 0, 5, 0, 0, -84},
      {"rna/5d8h", 383, 74, 4, 0, 0, 8, 15, 3, 1, -70},
      {"rna/5dhc", 0, 56, 4, 0, 0, 0, 15, 0, 8, -40},
      {"rna/5e54", 0, 133, 2, 0, 0, 0, 4, 0, 0, -131},
      {"rna/5fj0", 0, 57, 3, 0, 0, 0, 3, 0, 0, -54},
      {"rna/5fj1", 0, 192, 8, 0, 0, 0, 24, 0, 0, -184},
      {"rna/5ns4", 284, 62, 15, 11, 0, 0, 7, 0, 1, -46},
      {"rna/5nzd", 0, 82, 2, 0, 0, 0, 11, 2, 0, -80},
      {"rna/5t3k", 0, 66, 4, 0, 0, 0, 10, 0, 0, -60},
      {"rna/5xtm", 244, 94, 4, 0, 0, 0, 24, 0, 0, -106},
      {"rna/5y85", 0, 136, 4, 0, 0, 0, 26, 0, 0, -132},
      {"rna/6cc3", 0, 193, 3, 1, 0, 0, 28, 0, 1, -194},
      {"rna/6dnr", 0, 107, 1, 0, 0, 0, 3, 0, 0, -111},
      {"step5_input", 0, 0, 0, 0, 0, 0, 5, 0, 56, 0},
  };
  return entries;
}

EntryFile entry(const std::string& name) {
  const std::string path = shared_data("data/entries/" + name + ".pdb.gz");
  return path.empty() ? EntryFile{} : read_entry_file(path);
}

std::size_t count(const Chemistry& chemistry, std::initializer_list<ResidueRole> roles) {
  std::size_t sum = 0;
  for (const ResidueRole role : roles) sum += chemistry.counts[std::size_t(role)];
  return sum;
}

}  // namespace

TEST_CASE("perceived entries: chains, gaps, links, ligands and charges of entries of the PDB") {
  for (const KnownEntry& known : known_entries()) {
    const EntryFile file = entry(known.name);
    if (file.atoms.empty()) return;
    const Chemistry chemistry = perceive(file.atoms, file.records);
    CAPTURE(known.name);
    CHECK(broken_invariant(chemistry, file.atoms.size()) == "");
    std::size_t amino_acids = 0, nucleotides = 0, disulfides = 0;
    std::int64_t charge_e = 0;
    for (const PerceivedResidue& residue : chemistry.residues) {
      if (residue.piece == nothing) continue;
      ++(residue.role == ResidueRole::nucleotide ? nucleotides : amino_acids);
      if (residue.standard != nullptr) charge_e += residue.standard->charge_e();
    }
    for (const ResidueLink& link : chemistry.links) disulfides += link.kind == LinkKind::disulfide ? 1 : 0;
    CHECK(amino_acids == known.amino_acids);
    CHECK(nucleotides == known.nucleotides);
    CHECK(chemistry.pieces.size() == known.pieces);
    CHECK(chemistry.gaps.size() == known.gaps);
    CHECK(disulfides == known.disulfides);
    CHECK(chemistry.links.size() - disulfides == known.other_links);
    CHECK(chemistry.metals.size() == known.metals);
    CHECK(count(chemistry, {ResidueRole::additive}) == known.additives);
    using enum ResidueRole;
    CHECK(count(chemistry, {cofactor, sugar, lipid, ligand}) == known.ligands);
    CHECK(charge_e == known.charge_e);
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
