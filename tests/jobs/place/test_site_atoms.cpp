// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "jobs/place/ways/site_atoms.hpp"
#include "structures/formats/read_structure.hpp"
#include "support/example.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Atoms of one residue, 3 A apart along x; a name that begins with '+' is 1 A from the one before.
std::vector<Atom> residue(const char* name, const std::vector<const char*>& atoms, int number = 1) {
  std::vector<Atom> made;
  double x = 20.0 * number;
  for (const char* atom : atoms) {
    x += atom[0] == '+' ? 1.0 : 3.0;
    made.push_back({.position_A = {x, 0, 0},
                    .name = atom[0] == '+' ? atom + 1 : atom,
                    .residue = name,
                    .residue_number = number});
  }
  return made;
}

std::vector<std::string_view> classes(const std::vector<Atom>& atoms) {
  std::vector<std::string_view> names;
  for (const SiteAtom& atom : site_atoms(atoms))
    names.push_back(site_atom_class_names[std::size_t(atom.kind)]);
  return names;
}

using Names = std::vector<std::string_view>;

}  // namespace

TEST_CASE("site atoms: bases are told by their atoms, whatever the residue is called") {
  for (const char* name : {"A", "ADE", "RA5", "1MA"})
    CHECK(classes(
              residue(name, {"P", "OP1", "O2P", "O5'", "C1'", "O2'", "N1", "N3", "N6", "N7", "N9", "C8"})) ==
          Names{"phosphorus", "phosphate_oxygen", "phosphate_oxygen", "sugar_oxygen", "sugar_carbon",
                "hydroxyl_oxygen", "ring_nitrogen", "ring_nitrogen", "amino_nitrogen", "n7", "amino_nitrogen",
                "base_carbon"});
  CHECK(classes(residue("RG", {"C1*", "O2*", "O6", "N1", "N2", "N3", "N7"})) ==
        Names{"sugar_carbon", "hydroxyl_oxygen", "carbonyl_oxygen", "amino_nitrogen", "amino_nitrogen",
              "ring_nitrogen", "n7"});
  CHECK(classes(residue("C", {"C1'", "O2", "N3", "N4", "N1"})) ==
        Names{"sugar_carbon", "pyrimidine_oxygen", "ring_nitrogen", "amino_nitrogen", "amino_nitrogen"});
  CHECK(classes(residue("U", {"C1'", "O2", "O4", "N3"})) ==
        Names{"sugar_carbon", "pyrimidine_oxygen", "carbonyl_oxygen", "amino_nitrogen"});
}

TEST_CASE("site atoms: outside of nucleic acids by element, and hydrogens by what they are on") {
  CHECK(classes(residue("SER", {"N", "+H", "CA", "+HA", "OG", "+HG", "O"})) ==
        Names{"other_heavy", "polar_hydrogen", "other_heavy", "nonpolar_hydrogen", "other_oxygen",
              "polar_hydrogen", "other_oxygen"});
  CHECK(classes(residue("LIG", {"O6", "N7", "P1"})) == Names{"other_oxygen", "other_heavy", "other_heavy"});
  CHECK(classes(residue("LIG", {"H1"})) == Names{"nonpolar_hydrogen"});
  CHECK(classes({}).empty());
}

TEST_CASE("site atoms: every atom of a duplex has a class of nucleic acids") {
  const Structure structure = read_structure(duplex);
  const std::vector<SiteAtom> atoms = site_atoms(structure.atoms);
  REQUIRE(atoms.size() == structure.atoms.size());
  int counts[site_atom_classes] = {};
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    ++counts[int(atoms[n].kind)];
    CHECK(atoms[n].charge_e == structure.atoms[n].charge_e);
  }
  CHECK(counts[int(SiteAtomClass::phosphorus)] == 22);
  CHECK(counts[int(SiteAtomClass::phosphate_oxygen)] == 44);
  CHECK(counts[int(SiteAtomClass::n7)] == 12);
  CHECK(counts[int(SiteAtomClass::other_oxygen)] == 0);
  CHECK(counts[int(SiteAtomClass::other_heavy)] == 0);
}
