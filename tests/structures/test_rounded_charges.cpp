// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "structures/formats/read_structure.hpp"
#include "structures/rounded_charges.hpp"
#include "support/shared_data.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

// Charges of whole residues. AMBER (ff14SB, OL3) has four decimals and CHARMM (36) two; both add up to whole
// charges, but for AMBER's and CHARMM's ends of a nucleic acid, which do so together.
using Charges = std::vector<double>;
const Charges amber_alanine = {-0.4157, 0.2719, 0.0337, 0.0823, -0.1825,
                               0.0603,  0.0603, 0.0603, 0.5973, -0.5679};
const Charges amber_lysine = {-0.3479, 0.2747, -0.2400, 0.1426, -0.0094, 0.0362,  0.0362, 0.0187,
                              0.0103,  0.0103, -0.0479, 0.0621, 0.0621,  -0.0143, 0.1135, 0.1135,
                              -0.3854, 0.3400, 0.3400,  0.3400, 0.7341,  -0.5894};
const Charges charmm_alanine = {-0.47, 0.31, 0.07, 0.09, -0.27, 0.09, 0.09, 0.09, 0.51, -0.51};
const Charges charmm_lysine = {-0.47, 0.31, 0.07, 0.09, -0.18, 0.09,  0.09, -0.18, 0.09, 0.09, -0.18,
                               0.09,  0.09, 0.21, 0.05, 0.05,  -0.30, 0.33, 0.33,  0.33, 0.51, -0.51};
const Charges charmm_5_end = {0.53, -1.0},
              charmm_3_end = {0.47, -1.0};  // sums as in 5TER and 3TER, -0.47 and -0.53
const Charges tip3p = {-0.834, 0.417, 0.417}, spc = {-0.82, 0.41, 0.41};

double rounded(double charge_e) {
  return std::round(charge_e * 100.0) / 100.0;
}

class Solute {
 public:
  Solute& add(const std::string& name, const Charges& charges, int count = 1) {
    for (int n = 0; n < count; ++n, ++residue_)
      for (std::size_t i = 0; i < charges.size(); ++i)
        atoms_.push_back({.charge_e = charges[i],
                          .name = Label("X" + std::to_string(i)),
                          .residue = Label(name),
                          .chain = "A",
                          .residue_number = residue_});
    return *this;
  }
  Solute& round_charges() {
    for (Atom& atom : atoms_) atom.charge_e = rounded(atom.charge_e);
    return *this;
  }
  std::optional<std::string> verdict() const { return rounded_charges(atoms_); }

 private:
  std::vector<Atom> atoms_;
  int residue_ = 1;
};

}  // namespace

TEST_CASE("rounded charges: AMBER's are found out, and only when rounded") {
  Solute solute = Solute().add("ALA", amber_alanine, 5).add("LYS", amber_lysine, 5);
  CHECK_FALSE(solute.verdict());
  const auto verdict = solute.round_charges().verdict();
  REQUIRE(verdict);
  CHECK(*verdict ==
        "the charges are rounded to two decimals, as 'gmx editconf -mead' writes them: 10 of 10 residues "
        "differ from a whole charge by a few hundredths (first ALA 1 A, -0.01 e), and the net charge of 4.85 "
        "e can be wrong by several e; use charges with all their decimals, from pdb2pqr or 'gmx dump -s "
        "topol.tpr'");
}

TEST_CASE("rounded charges: a force field that has two decimals by nature is left in peace") {
  CHECK_FALSE(Solute().add("ALA", charmm_alanine, 50).add("LYS", charmm_lysine, 50).verdict());
  // the ends of a nucleic acid, three residues cut off, and one ligand with an error of its own
  Solute odd;
  odd.add("GUA", charmm_5_end).add("CYT", {-0.5, -0.5}, 10).add("CYT", charmm_3_end).add("LIG", {0.5, 0.49});
  odd.add("LYS", {-0.47, 0.31, 0.07}).add("ALA", {-0.47, 0.31, 0.07, 0.09, -0.27}).add("ARG", {0.21, 0.13});
  CHECK_FALSE(odd.verdict());
  CHECK_FALSE(Solute().add("MG", {2.0}, 20).add("NA", {0.75}, 20).verdict());  // and scaled charges of ions
  CHECK_FALSE(rounded_charges({}));
}

TEST_CASE("rounded charges: water hides no solute, and rounded water is found out") {
  CHECK(Solute().add("ALA", amber_alanine, 5).add("SOL", spc, 10'000).round_charges().verdict());
  CHECK_FALSE(Solute().add("ALA", charmm_alanine, 5).add("SOL", spc, 10'000).verdict());
  CHECK(Solute().add("ALA", charmm_alanine, 500).add("TIP3", tip3p, 10).round_charges().verdict());
}

TEST_CASE("rounded charges: take the place of the warning of a net charge that is not an integer") {
  std::string text;
  for (int residue = 1; residue <= 2; ++residue)
    for (std::size_t i = 0; i < amber_lysine.size(); ++i) {
      char line[120];
      std::snprintf(line, sizeof line, "ATOM 1 X%zu LYS A %d %zu.0 %d.0 0.0 %.2f 1.5\n", i, residue, 3 * i,
                    9 * residue, amber_lysine[i]);
      text += line;
    }
  const std::vector<std::string> warnings = read_structure_text(text, "x.pqr").warnings;
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find(
            "x.pqr: the charges are rounded to two decimals, as 'gmx editconf -mead' writes them: 2 of 2 ") ==
        0);
}

TEST_CASE("rounded charges: published structures, as they are and rounded") {
  for (const char* const name : {"430d", "1ehz", "1kx5", "boxb-peptide"}) {
    const std::string path = shared_data(std::string("data/structures/") + name + ".pqr.gz");
    if (path.empty()) return;
    CAPTURE(std::string(name));
    Structure structure = read_structure(path);
    CHECK_FALSE(rounded_charges(structure.atoms));
    for (Atom& atom : structure.atoms) atom.charge_e = rounded(atom.charge_e);
    CHECK(rounded_charges(structure.atoms));
  }
}
