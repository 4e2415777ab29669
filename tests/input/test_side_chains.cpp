// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "input/entry_charges.hpp"
#include "input/pdb2pqr_double.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Rows = std::vector<std::string>;

/// "what (why)" of a residue's rows about its side chain.
Rows rows_of(const std::vector<ChemistryRow>& rows, const std::string& residue) {
  Rows texts;
  for (const ChemistryRow& row : rows)
    if (row.residue == residue && row.what.starts_with("its "))
      texts.push_back(row.what + " (" + row.why + ')');
  return texts;
}

const Atom& named(const std::vector<Atom>& atoms, int number, std::string_view name) {
  return *std::find_if(atoms.begin(), atoms.end(), [&](const Atom& atom) {
    return atom.residue_number == number && atom.name.view() == name;
  });
}

/// A residue within a chain, one atom of which is near zinc.
MadeStructure at_zinc(std::string_view residue, std::string_view atom, double distance_A,
                      MadeStructure::Hydrogens hydrogens = MadeStructure::Hydrogens::no) {
  MadeStructure made(hydrogens);
  made.add("GLY").bound(residue).bound("GLY", {{}, ChainEnd::c_terminal}).end_chain().chain("B").add("ZN");
  return made.join(1, atom, 3, "ZN", distance_A);
}

}  // namespace

TEST_CASE("side chains: an amide or a ring whose wrong side is at a metal is turned, and a row says so") {
  const MadeStructure amide = at_zinc("GLN", "NE2", 1.9);
  Pdb2pqrDouble program;
  CHECK(rows_of(charged(amide, program).rows, "GLN 2 A") ==
        Rows{"its amide is flipped: OE1 is bound to ZN 1 B (NE2 is 1.90 A from ZN 1 B in the file, and "
             "metals bind O of an amide)"});
  CHECK(named(program.asked.atoms, 2, "OE1").position_A == amide.atoms()[amide.at(1, "NE2")].position_A);
  CHECK(named(program.asked.atoms, 2, "NE2").position_A == amide.atoms()[amide.at(1, "OE1")].position_A);

  const MadeStructure ring = at_zinc("HIS", "CE1", 2.3);
  CHECK(rows_of(charged(ring, program).rows, "HIS 2 A") ==
        Rows{"its proton is on ND1 (HID) (NE2 is 2.30 A from ZN 1 B)",
             "its ring is flipped: NE2 is bound to ZN 1 B (CE1 is 2.30 A from ZN 1 B in the file, and metals "
             "bind N of a ring)"});
  CHECK(named(program.asked.atoms, 2, "NE2").position_A == ring.atoms()[ring.at(1, "CE1")].position_A);
  CHECK(named(program.asked.atoms, 2, "ND1").position_A == ring.atoms()[ring.at(1, "CD2")].position_A);
}

TEST_CASE("side chains: what is right, far, bound otherwise, or at a metal that is ignored stays as it is") {
  const auto is_turned = [](const MadeStructure& made, const EntryOptions& options = {}) {
    const std::vector<ChemistryRow> rows =
        chemistry_rows(structure_of(made), {}, perceive(made.atoms()), options);
    return std::any_of(rows.begin(), rows.end(),
                       [](const ChemistryRow& row) { return row.what.find("is flipped") != row.what.npos; });
  };
  CHECK(is_turned(at_zinc("ASN", "ND2", 2.6)));
  CHECK(is_turned(at_zinc("ASN", "ND2", 2.7)));
  CHECK(!is_turned(at_zinc("ASN", "ND2", 2.8)));
  CHECK(is_turned(at_zinc("HIS", "CE1", 2.2).join(3, "ZN", 1, "NE2", -2.7)));  // one metal, not two
  CHECK(!is_turned(at_zinc("ASN", "OD1", 2.0)));
  CHECK(!is_turned(at_zinc("HIS", "NE2", 2.0)));
  CHECK(!is_turned(at_zinc("GLN", "CG", 2.0)));
  CHECK(!is_turned(at_zinc("ASN", "ND2", 2.0).chain("C").add("MG").join(1, "OD1", 4, "MG", 2.1)));
  CHECK(!is_turned(
      at_zinc("ASN", "ND2", 2.0).add_atoms("NAG", {"C1", "C2", "O5"}).join(1, "ND2", 4, "C1", 1.45)));
  const MadeStructure made = at_zinc("ASN", "ND2", 2.0);
  std::vector<std::uint8_t> acts(made.atoms().size(), 1);
  acts.back() = ignored_atom;
  CHECK(!is_turned(made, {.acts = acts}));

  MadeStructure with_hydrogens = at_zinc("ASN", "ND2", 2.0, MadeStructure::Hydrogens::yes);
  with_hydrogens.join(1, "ND2", 1, "HD21", -1.0);
  CHECK(
      rows_of(chemistry_rows(structure_of(with_hydrogens), {}, perceive(with_hydrogens.atoms()), {}),
              "ASN 2 A")
          .front() ==
      "its amide stays, with ND2 at a metal (its hydrogens are in the file, although ND2 is 2.00 A from ZN 1 "
      "B)");
}

TEST_CASE("side chains: one that is bound is turned back where PDB2PQR turned it, with its hydrogens") {
  MadeStructure made = at_zinc("ASN", "OD1", 2.0);
  const std::map<std::string, Vec3<double>> places = {{"CA", {20, 0, 0}},
                                                      {"CB", {21.5, 0, 0}},
                                                      {"CG", {22, 1.4, 0}},
                                                      {"OD1", {21.3, 2.2, 0.7}},
                                                      {"ND2", {23.2, 1.8, -0.4}}};
  for (const auto& [name, place] : places) made.atoms()[made.at(1, name)].position_A = place;
  made.join(1, "OD1", 3, "ZN", 2.0);
  Pdb2pqrDouble program;
  const auto turned = [&](const Vec3<double>& p) {  // by 180 degrees about CB-CG
    const Vec3<double> axis = (1.0 / std::sqrt(0.5 * 0.5 + 1.4 * 1.4)) * Vec3<double>{0.5, 1.4, 0.0};
    const Vec3<double> v = p - places.at("CG");
    return places.at("CG") + (2.0 * dot(axis, v)) * axis - v;
  };
  const auto answered = [&](const Structure& sent) {
    ChargedStructure answer = program(sent);
    std::vector<Atom>& atoms = answer.structure.atoms;
    Atom hydrogen = named(atoms, 2, "ND2");
    hydrogen.name = "HD21";
    hydrogen.position_A = hydrogen.position_A + Vec3<double>{0.6, 0.8, 0.0};
    hydrogen.charge_e = 0.0;
    const auto behind =
        std::find_if(atoms.begin(), atoms.end(), [](const Atom& atom) { return atom.residue_number == 3; });
    atoms.insert(behind, hydrogen);
    for (Atom& atom : atoms)
      if (atom.residue_number == 2 &&
          (atom.name == Label("OD1") || atom.name == Label("ND2") || atom.name == Label("HD21")))
        atom.position_A = turned(atom.position_A);
    return answer;
  };
  const ChargedEntry entry = charge_entry(structure_of(made), {}, {}, answered);
  const std::vector<Atom>& atoms = entry.structure.atoms;
  constexpr double rounding_A = 0.001;  // three decimals by axis
  for (const char* const name : {"OD1", "ND2"})
    CHECK(std::sqrt(distance_squared(named(atoms, 2, name).position_A, places.at(name))) < rounding_A);
  const Vec3<double> hydrogen_A = places.at("ND2") + Vec3<double>{0.6, 0.8, 0.0};
  CHECK(std::sqrt(distance_squared(named(atoms, 2, "HD21").position_A, hydrogen_A)) < rounding_A);
  CHECK(rows_of(entry.rows, "ASN 2 A") ==
        Rows{"its side chain is flipped back (OD1 is bound to ZN 1 B, and PDB2PQR had moved it by 2.33 A)"});
  made.atoms().erase(made.atoms().begin() + made.at(1, "CB"));
  CHECK(rows_of(charge_entry(structure_of(made), {}, {}, answered).rows, "ASN 2 A") ==
        Rows{"its side chain is not where it is in the file (OD1 is bound to ZN 1 B, and PDB2PQR had moved "
             "it by 2.33 A)"});
}

TEST_CASE("side chains: what PDB2PQR turns elsewhere is told") {
  const auto rows_where = [](const char* residue, const std::map<std::string, Vec3<double>>& file,
                             const std::map<std::string, Vec3<double>>& answered) {
    MadeStructure made;
    made.add("GLY").bound(residue).bound("GLY", {{}, ChainEnd::c_terminal});
    for (const auto& [name, place] : file) made.atoms()[made.at(1, name)].position_A = place;
    Pdb2pqrDouble program;
    const ChargedEntry entry = charge_entry(structure_of(made), {}, {}, [&](const Structure& sent) {
      ChargedStructure answer = program(sent);
      for (Atom& atom : answer.structure.atoms)
        if (const auto place = answered.find(std::string(atom.name.view()));
            atom.residue_number == 2 && place != answered.end())
          atom.position_A = place->second;
      return answer;
    });
    return rows_of(entry.rows, std::string(residue) + " 2 A");
  };
  const Vec3<double> here{22.0, 2.2, 0.7}, there{23.2, 1.8, -0.4}, elsewhere{25.0, 3.0, 0.0};
  const Vec3<double> almost{23.3, 1.6, -0.4};
  CHECK(rows_where("ASN", {{"OD1", here}, {"ND2", there}}, {{"OD1", almost}, {"ND2", here}}) ==
        Rows{"its amide is flipped (PDB2PQR moved OD1 by 1.81 A, for hydrogen bonds)"});
  CHECK(rows_where("HIS", {{"ND1", here}, {"CD2", there}}, {{"ND1", there}, {"CD2", {22.1, 2.15, 0.65}}}) ==
        Rows{"its ring is flipped (PDB2PQR moved ND1 by 1.68 A, for hydrogen bonds)"});
  CHECK(rows_where("ASN", {{"OD1", here}, {"ND2", there}}, {{"OD1", elsewhere}, {"ND2", here}}) ==
        Rows{"its side chain is turned (PDB2PQR moved OD1 by 3.18 A, out of a clash)"});
  CHECK(rows_where("ASP", {{"OD1", here}, {"OD2", there}}, {{"OD1", there}, {"OD2", here}}).empty());
  CHECK(rows_where("SER", {{"OG", there}}, {{"OG", almost}}) ==
        Rows{"its side chain is turned (PDB2PQR moved OG by 0.22 A, out of a clash)"});
  CHECK(rows_where("SER", {{"OG", there}}, {}).empty());
}
