// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "chemistry/decisions/atoms_to_build.hpp"
#include "input/entry_charges.hpp"
#include "input/pdb2pqr_double.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

double distance_A(const Atom& a, const Atom& b) {
  return std::sqrt(distance_squared(a.position_A, b.position_A));
}

double angle_degrees(const Atom& a, const Atom& centre, const Atom& b) {
  const Vec3<double> u = a.position_A - centre.position_A, v = b.position_A - centre.position_A;
  return std::acos(dot(u, v) / std::sqrt(dot(u, u) * dot(v, v))) * 57.29577951308232;
}

const Atom* atom_of(const std::vector<Atom>& atoms, int number, const char* name) {
  const auto found = std::find_if(atoms.begin(), atoms.end(), [&](const Atom& atom) {
    return atom.residue_number == number && atom.name == Label(name);
  });
  return found == atoms.end() ? nullptr : &*found;
}

bool has_row(const ChargedEntry& entry, const char* residue, const std::string& what) {
  return std::any_of(entry.rows.begin(), entry.rows.end(),
                     [&](const ChemistryRow& row) { return row.residue == residue && row.what == what; });
}

/// Positions of a residue's atoms, for those that are given.
void place(MadeStructure& made, std::size_t residue,
           const std::vector<std::pair<const char*, Vec3<double>>>& places) {
  for (const auto& [name, position_A] : places) made.atoms()[made.at(residue, name)].position_A = position_A;
}

}  // namespace

TEST_CASE("built atoms: an amino acid alone has both ends, with its OXT in the plane of its carboxylate") {
  MadeStructure made;
  made.add("GLY");
  place(made, 0, {{"N", {-0.5, 1.4, 0.0}}, {"CA", {0, 0, 0}}, {"C", {1.52, 0, 0}}, {"O", {2.15, 1.05, 0}}});
  Pdb2pqrDouble program(1.25);  // 1.0 without OXT: that of the first residue of a chain
  program.without = "OXT";
  const ChargedEntry entry = charged(made, program);
  const auto& atoms = entry.structure.atoms;
  CHECK(atom_of(program.asked.atoms, 1, "OXT") != nullptr);  // it gives up without it
  const Atom *const end = atom_of(atoms, 1, "OXT"), *const carbon = atom_of(atoms, 1, "C");
  REQUIRE(end != nullptr);
  CHECK(distance_A(*end, *carbon) == doctest::Approx(1.25).epsilon(1e-3));
  CHECK(end->position_A.z == 0.0);
  CHECK(angle_degrees(*end, *carbon, *atom_of(atoms, 1, "O")) == doctest::Approx(120.5).epsilon(0.01));
  CHECK(charge_of(entry.structure, 1) == doctest::Approx(0.0));
  CHECK(end->charge_e < -0.6);
  CHECK(end->charge_e == doctest::Approx(atom_of(atoms, 1, "O")->charge_e));
  CHECK(has_row(entry, "GLY 1 A", "OXT built"));
  CHECK(has_row(entry, "GLY 1 A", "single residue, with NH3+ and COO-"));
  CHECK(entry.structure.warnings.empty());
}

TEST_CASE("built atoms: the third oxygen of a 5' phosphate that is kept lies opposite to the other three") {
  MadeStructure made;
  made.add("G").bound("C", {{}, ChainEnd::three_hydroxyl});
  const double s = 1.5 / std::sqrt(3.0);
  place(made, 0, {{"P", {0, 0, 0}}, {"OP1", {s, s, -s}}, {"OP2", {s, -s, s}}, {"O5'", {-s, s, s}}});
  Pdb2pqrDouble program(-0.3081);
  const ChargedEntry kept = charged(made, program, {.choices = {.five_phosphate = FivePhosphate::keep}});
  const Atom* const built = atom_of(kept.structure.atoms, 1, "OP3");
  REQUIRE(built != nullptr);
  CHECK(distance_A(*built, *atom_of(kept.structure.atoms, 1, "P")) == doctest::Approx(1.48).epsilon(1e-3));
  CHECK(built->position_A.x == doctest::Approx(-1.48 / std::sqrt(3.0)).epsilon(1e-3));
  CHECK(built->position_A.y == doctest::Approx(built->position_A.x));
  CHECK(charge_of(kept.structure, 1) == doctest::Approx(-1.3081));
  CHECK(has_row(kept, "G 1 A", "OP3 of its 5' phosphate built"));
  CHECK(atom_of(charged(made, program).structure.atoms, 1, "OP3") == nullptr);  // where it is removed
}

TEST_CASE("built atoms: half a disulfide gets its other sulfur, by the record or by the distance") {
  for (const double across_A : {3.0, 3.6}) {
    MadeStructure made;
    made.add("CYS").bound("GLY").bound("CYS", {{}, ChainEnd::c_terminal});
    const Vec3<double> sulfur{5, 5, 5};
    place(made, 0, {{"SG", sulfur}, {"CB", {5, 6.81, 5}}});
    place(made, 2, {{"CB", {5 + across_A, 5, 5}}, {"CA", {6.2 + across_A, 5.9, 5}}});
    made.atoms().erase(made.atoms().begin() + made.at(2, "SG"));
    EntryRecords records;
    records.bonds.push_back({{"A", 1, ' '}, {"A", 3, ' '}, "SG", "SG"});
    for (const bool is_recorded : {true, false}) {
      CAPTURE(across_A);
      CAPTURE(is_recorded);
      Pdb2pqrDouble program;
      const ChargedEntry entry = charge_entry(structure_of(made), is_recorded ? records : EntryRecords{}, {},
                                              [&program](const Structure& sent) { return program(sent); });
      const auto& atoms = entry.structure.atoms;
      const Atom* const built = atom_of(atoms, 3, "SG");
      if (!is_recorded && across_A > 3.4) {  // no disulfide is known of
        CHECK(built == nullptr);
        continue;
      }
      REQUIRE(built != nullptr);
      CHECK(distance_A(*built, *atom_of(atoms, 1, "SG")) == doctest::Approx(2.038).epsilon(1e-3));
      CHECK(distance_A(*built, *atom_of(atoms, 3, "CB")) == doctest::Approx(1.81).epsilon(1e-3));
      if (across_A == 3.0)
        CHECK(angle_degrees(*atom_of(atoms, 1, "CB"), *atom_of(atoms, 1, "SG"), *built) ==
              doctest::Approx(104.0).epsilon(0.05));
      CHECK(has_row(entry, "CYS 3 A", "SG built, for a disulfide bond to CYS 1 A"));
      CHECK(has_row(entry, "CYS 1 A", "disulfide bond to CYS 3 A"));
      CHECK(std::count_if(program.asked.atoms.begin(), program.asked.atoms.end(), [](const Atom& atom) {
              return atom.residue == Label("CYX") && atom.name == Label("SG");
            }) == 2);
    }
  }
  MadeStructure far;
  far.add("CYS").bound("GLY").bound("CYS", {{}, ChainEnd::c_terminal});
  far.atoms().erase(far.atoms().begin() + far.at(2, "SG"));
  EntryRecords records;
  records.bonds.push_back({{"A", 1, ' '}, {"A", 3, ' '}, "SG", "SG"});
  Pdb2pqrDouble program;
  const ChargedEntry entry = charge_entry(structure_of(far), records, {},
                                          [&program](const Structure& sent) { return program(sent); });
  CHECK(has_row(entry, "CYS 3 A", "no disulfide bond to CYS 1 A"));
}

TEST_CASE("built atoms: an amino acid whose C is bound to a nucleotide has no carboxylate") {
  MadeStructure made;
  made.add("GLY").chain("B").add("A", {{}, ChainEnd::three_hydroxyl});
  place(made, 0, {{"N", {-0.5, 1.4, 0.0}}, {"CA", {0, 0, 0}}, {"C", {1.52, 0, 0}}, {"O", {2.15, 1.05, 0}}});
  place(made, 1, {{"O3'", {2.2, -1.15, 0.0}}});
  Pdb2pqrDouble program;
  CHECK(atom_of(charged(made, program).structure.atoms, 1, "OXT") == nullptr);
}

TEST_CASE("built atoms: O2' that a modified ribose lacks is on the side of its O3'") {
  MadeStructure made;
  made.add("G").bound("CBV").bound("C", {{}, ChainEnd::three_hydroxyl});
  place(made, 1,
        {{"C2'", {0, 0, 0}}, {"C1'", {1.5, 0, 0}}, {"C3'", {-0.3, 1.5, 0}}, {"O3'", {-0.9, 2.1, 1.2}}});
  std::erase_if(made.atoms(),
                [](const Atom& atom) { return atom.residue_number == 2 && atom.name == Label("O2'"); });
  const Chemistry chemistry = perceive(made.atoms());
  const ResidueUse use{.acts = [](std::uint32_t) { return true; },
                       .has_charges = [](std::string_view) { return false; }};
  const std::vector<AtomToBuild> built = atoms_to_build(made.atoms(), chemistry, {}, {}, use);
  REQUIRE(built.size() == 1);
  REQUIRE(built[0].atom.has_value());
  CHECK(built[0].residue == 1);
  const Atom &oxygen = *built[0].atom, centre{}, one{.position_A = {1.5, 0, 0}};
  CHECK(oxygen.name == Label("O2'"));
  CHECK(oxygen.position_A.z > 1.0);
  CHECK(distance_A(oxygen, centre) == doctest::Approx(1.41).epsilon(1e-3));
  CHECK(angle_degrees(oxygen, centre, one) == doctest::Approx(112.0).epsilon(0.05));
}
