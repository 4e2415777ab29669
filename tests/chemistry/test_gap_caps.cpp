// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "chemistry/decisions/cap_geometry.hpp"
#include "chemistry/decisions/gap_caps.hpp"
#include "core/geometry/cross_product.hpp"

using namespace ionwell;

namespace {

using Point = Vec3<double>;

Atom placed_atom(const char* name, const char* element, const char* residue, int number, Point position_A) {
  Atom atom;
  atom.name = name;
  atom.element = element;
  atom.residue = residue;
  atom.chain = "A";
  atom.residue_number = number;
  atom.position_A = position_A;
  return atom;
}

/// The backbone of two residues in a plane, bond lengths and angles those of peptides, beginning at x.
void add_pair(std::vector<Atom>& atoms, const char* residue, int number, double x_A) {
  const Point at{x_A, 0.0, 0.0};
  struct Place {
    const char *name, *element;
    int residue;
    Point position_A;
  };
  const Place places[] = {{"N", "N", 0, {0.0, 0.0, 0.0}},    {"CA", "C", 0, {1.22, 0.80, 0.0}},
                          {"C", "C", 0, {2.43, -0.12, 0.0}}, {"O", "O", 0, {2.30, -1.34, 0.0}},
                          {"N", "N", 1, {3.64, 0.45, 0.0}},  {"CA", "C", 1, {4.88, -0.31, 0.0}},
                          {"C", "C", 1, {6.08, 0.62, 0.0}},  {"O", "O", 1, {5.94, 1.84, 0.0}}};
  for (const Place& place : places)
    atoms.push_back(
        placed_atom(place.name, place.element, residue, number + place.residue, at + place.position_A));
}

/// Residues 1, 2, and behind a gap `third` and the next.
std::vector<Atom> broken_chain(int third = 8, const char* residue = "ALA") {
  std::vector<Atom> atoms;
  add_pair(atoms, residue, 1, 0.0);
  add_pair(atoms, residue, third, 18.0);
  return atoms;
}

struct Capped {
  Chemistry before;
  CappedEntry entry;
  ChemistryDecisions decisions;

  const Atom& at(const char* residue, const char* name, int number = 0) const {
    const auto found = std::find_if(entry.atoms.begin(), entry.atoms.end(), [&](const Atom& atom) {
      return atom.residue == Label(residue) && atom.name == Label(name) &&
             (number == 0 || atom.residue_number == number);
    });
    REQUIRE(found != entry.atoms.end());
    return *found;
  }
  std::ptrdiff_t atoms_of(const char* residue) const {
    return std::count_if(entry.atoms.begin(), entry.atoms.end(),
                         [&](const Atom& atom) { return atom.residue == Label(residue); });
  }
  bool has_row(const std::string& residue, const std::string& what, const std::string& why = {}) const {
    return std::any_of(decisions.rows.begin(), decisions.rows.end(), [&](const ChemistryDecision& row) {
      const Atom& first = entry.atoms[entry.chemistry.residues[row.residue].begin];
      return describe_residue(first) == residue && row.what.starts_with(what) && row.why.starts_with(why);
    });
  }
};

Capped capped(const std::vector<Atom>& atoms, const EntryRecords& records = {}) {
  Capped result{perceive(atoms, records), {}, {}};
  ResidueUse use{.acts = [](std::uint32_t) { return true; },
                 .has_charges = [](std::string_view) { return false; }};
  result.entry = cap_gaps(atoms, records, result.before, use);
  use.charged_ends = result.entry.charged_ends;
  result.decisions =
      decide(result.entry.atoms, result.entry.chemistry, records, {.gap_ends = GapEnds::capped}, use);
  return result;
}

double distance_A(const Atom& a, const Atom& b) {
  return std::sqrt(distance_squared(a.position_A, b.position_A));
}

double angle_degrees(const Atom& a, const Atom& b, const Atom& c) {
  const Point u = a.position_A - b.position_A, v = c.position_A - b.position_A;
  return std::acos(dot(u, v) / std::sqrt(dot(u, u) * dot(v, v))) * 180.0 / std::numbers::pi;
}

/// Of the torsion about b-c: 1 where it is cis, -1 trans.
double torsion_cosine(const Atom& a, const Atom& b, const Atom& c, const Atom& d) {
  const Point axis = c.position_A - b.position_A;
  const Point u = cross(a.position_A - b.position_A, axis), v = cross(d.position_A - c.position_A, axis);
  return dot(u, v) / std::sqrt(dot(u, u) * dot(v, v));
}

/// Sum of the formal charges of a piece, in standard conditions.
std::int64_t charge_of(const Chemistry& chemistry, std::size_t piece) {
  std::int64_t sum_e = 0;
  for (const std::uint32_t r : chemistry.pieces[piece].residues) {
    REQUIRE(chemistry.residues[r].standard != nullptr);
    sum_e += chemistry.residues[r].standard->charge_e();
  }
  return sum_e;
}

constexpr double tight = 2e-3;  // built atoms have three decimals

}  // namespace

TEST_CASE("caps: an oxygen of a carboxylate that is too far from its carbon is put where it belongs") {
  std::vector<Atom> atoms;
  add_pair(atoms, "ALA", 1, 0.0);
  atoms.resize(4);
  const Point carbon = atoms[2].position_A;
  atoms.push_back(placed_atom("OXT", "O", "ALA", 1, carbon + Point{2.0, 1.2, 0.7}));
  const Point near = carbon + Point{1.2, 0.4, 0.1};
  mend_carboxylate(atoms);
  const Point mended = atoms[4].position_A - carbon;
  CHECK(std::sqrt(dot(mended, mended)) == doctest::Approx(1.25).epsilon(1e-3));
  for (const std::size_t other : {1, 3}) {  // 120 degrees from CA and from O, about
    const Point to = atoms[other].position_A - carbon;
    CHECK(dot(mended, to) / std::sqrt(dot(mended, mended) * dot(to, to)) ==
          doctest::Approx(-0.5).epsilon(0.2));
  }
  CHECK(std::abs(mended.z) < 1e-3);
  atoms[4].position_A = near;
  mend_carboxylate(atoms);
  CHECK(atoms[4].position_A == near);
}

TEST_CASE("caps at gaps: NME continues the peptide, planar and trans") {
  const Capped c = capped(broken_chain());
  const Atom &alpha = c.at("ALA", "CA", 2), &carbon = c.at("ALA", "C", 2), &oxygen = c.at("ALA", "O", 2),
             &nitrogen = c.at("NME", "N"), &methyl = c.at("NME", "C");
  CHECK(c.atoms_of("NME") == 6);
  CHECK(nitrogen.residue_number == 3);
  CHECK(std::abs(distance_A(carbon, nitrogen) - 1.335) < tight);
  CHECK(std::abs(distance_A(nitrogen, methyl) - 1.449) < tight);
  CHECK(std::abs(angle_degrees(alpha, carbon, nitrogen) - 116.6) < 0.1);
  CHECK(angle_degrees(oxygen, carbon, nitrogen) > 115.0);  // on the other side of CA-C
  CHECK(std::abs(torsion_cosine(alpha, carbon, nitrogen, methyl) + 1.0) < tight);
  CHECK(std::abs(torsion_cosine(oxygen, carbon, nitrogen, c.at("NME", "H")) + 1.0) < tight);
  for (const char* const name : {"H1", "H2", "H3"})
    CHECK(std::abs(distance_A(methyl, c.at("NME", name)) - 1.09) < tight);
}

TEST_CASE("caps at gaps: ACE leads to the peptide, planar and trans, at an angle phi that it has room for") {
  const Capped c = capped(broken_chain());
  const Atom &nitrogen = c.at("ALA", "N", 8), &alpha = c.at("ALA", "CA", 8), &end = c.at("ALA", "C", 8),
             &carbon = c.at("ACE", "C"), &oxygen = c.at("ACE", "O"), &methyl = c.at("ACE", "CH3");
  CHECK(c.atoms_of("ACE") == 6);
  CHECK(carbon.residue_number == 7);
  CHECK(std::abs(distance_A(carbon, nitrogen) - 1.335) < tight);
  CHECK(std::abs(distance_A(carbon, oxygen) - 1.229) < tight);
  CHECK(std::abs(distance_A(carbon, methyl) - 1.522) < tight);
  CHECK(std::abs(torsion_cosine(alpha, nitrogen, carbon, methyl) + 1.0) < tight);
  CHECK(std::abs(torsion_cosine(alpha, nitrogen, carbon, oxygen) - 1.0) < tight);
  const double phi_cosine = torsion_cosine(carbon, nitrogen, alpha, end);
  CHECK(phi_cosine < 0.5 + tight);  // -60 degrees
  CHECK(phi_cosine > -0.87);        // -150 degrees
}

TEST_CASE("caps at gaps: each piece loses a charge, its own ends stay, and rows tell of it") {
  const Capped c = capped(broken_chain());
  REQUIRE(c.before.pieces.size() == 2);
  REQUIRE(c.entry.chemistry.pieces.size() == 2);
  CHECK(charge_of(c.before, 0) == 0);
  CHECK(charge_of(c.entry.chemistry, 0) == 1);   // NH3+ alone
  CHECK(charge_of(c.entry.chemistry, 1) == -1);  // COO- alone
  CHECK(c.entry.chemistry.pieces[0].residues.size() == 3);
  CHECK(c.entry.atoms.size() == broken_chain().size() + 12);
  REQUIRE(c.entry.chemistry.gaps.size() == 1);
  CHECK(c.has_row("ALA 8 A", "a gap after ALA 2 A: two pieces, with caps as ends"));
  CHECK(c.has_row("ALA 2 A", "ends with NME (capped)"));
  CHECK(c.has_row("ALA 8 A", "begins with ACE (capped)"));
  for (const ChemistryDecision& row : c.decisions.rows) CHECK(row.otherwise == "--gap-ends charged");
  CHECK(c.decisions.rows.size() == 3);
}

TEST_CASE("caps at gaps: numbers are those of the gap, or have insertion codes") {
  const auto numbers = [](int third) {
    const Capped c = capped(broken_chain(third));
    return residue_id_text(c.at("NME", "N")) + ' ' + residue_id_text(c.at("ACE", "C"));
  };
  CHECK(numbers(8) == "3 7");
  CHECK(numbers(4) == "3 3A");
  CHECK(numbers(3) == "2A 2B");
}

TEST_CASE("caps at gaps: where a cap has no room its end stays charged, and a row says why") {
  std::vector<Atom> atoms = broken_chain();
  const Atom methyl = capped(atoms).at("NME", "C");
  atoms.push_back(placed_atom("C1", "C", "LIG", 50, methyl.position_A + Point{0.0, 0.0, 1.9}));
  const Capped near = capped(atoms);
  CHECK(near.atoms_of("NME") == 0);
  CHECK(near.atoms_of("ACE") == 6);
  CHECK(near.has_row("ALA 2 A", "ends charged at the gap, without NME",
                     "NME would be 1.90 A from LIG 50 A C1"));
  CHECK(near.has_row("ALA 8 A", "a gap after ALA 2 A: two pieces, with one cap and one charged end"));
  CHECK(charge_of(near.entry.chemistry, 0) == 0);
  CHECK(charge_of(near.entry.chemistry, 1) == -1);
  atoms.back().position_A.z = 2.05;
  CHECK(capped(atoms).atoms_of("NME") == 6);
}

TEST_CASE("caps at gaps: ACE turns away from what is near it") {
  std::vector<Atom> atoms = broken_chain();
  const Atom methyl = capped(atoms).at("ACE", "CH3");
  atoms.push_back(placed_atom("C1", "C", "LIG", 50, methyl.position_A + Point{0.0, 0.0, 1.5}));
  const Capped turned = capped(atoms);
  REQUIRE(turned.atoms_of("ACE") == 6);
  CHECK(distance_A(turned.at("ACE", "CH3"), methyl) > 0.3);
  for (const char* const name : {"CH3", "C", "O"})
    CHECK(distance_A(turned.at("ACE", name), turned.at("LIG", "C1")) >= 2.0);
}

TEST_CASE("caps at gaps: ends that have their own atoms, or lack those to build on, stay charged") {
  std::vector<Atom> with_oxygen = broken_chain(), without = with_oxygen, with_hydrogens = with_oxygen;
  with_oxygen.insert(with_oxygen.begin() + 8, placed_atom("OXT", "O", "ALA", 2, {7.2, 0.1, 0.0}));
  CHECK(capped(with_oxygen).has_row("ALA 2 A", "ends charged at the gap", "it has an OXT"));
  std::erase_if(without,
                [](const Atom& atom) { return atom.residue_number == 2 && atom.name == Label("O"); });
  CHECK(capped(without).has_row("ALA 2 A", "ends charged at the gap", "its CA, C or O is missing"));
  with_hydrogens.insert(with_hydrogens.begin() + 9, {placed_atom("H1", "H", "ALA", 8, {17.5, -0.8, 0.0}),
                                                     placed_atom("H2", "H", "ALA", 8, {17.5, 0.4, 0.8})});
  const Capped c = capped(with_hydrogens);
  CHECK(c.has_row("ALA 8 A", "begins charged at the gap", "it has the hydrogens of a charged end"));
  CHECK(c.atoms_of("ACE") == 0);
}

TEST_CASE("caps at gaps: a hydrogen of the file, and the ring of proline, say where ACE is") {
  std::vector<Atom> atoms = broken_chain();
  atoms.insert(atoms.begin() + 9, placed_atom("H", "H", "ALA", 8, {17.9, -0.5, 0.87}));
  const Capped with_hydrogen = capped(atoms);
  CHECK(std::abs(torsion_cosine(with_hydrogen.at("ACE", "C"), with_hydrogen.at("ALA", "N", 8),
                                with_hydrogen.at("ALA", "CA", 8), with_hydrogen.at("ALA", "H", 8)) +
                 1.0) < tight);
  atoms[9].name = "CD";
  atoms[9].element = "C";
  for (std::size_t n = 8; n < 13; ++n) atoms[n].residue = "PRO";
  const Capped ring = capped(atoms);
  CHECK(std::abs(torsion_cosine(ring.at("ACE", "C"), ring.at("PRO", "N"), ring.at("PRO", "CA"),
                                ring.at("PRO", "CD")) +
                 1.0) < tight);
}

TEST_CASE("caps at gaps: bonds that the entry records still join the same atoms") {
  const std::vector<Atom> atoms = broken_chain();
  EntryRecords records;
  records.connected_atoms = {{4, 6}, {9, 10}};
  const Capped c = capped(atoms, records);
  REQUIRE(c.entry.records.connected_atoms.size() == 2);
  CHECK(c.entry.records.connected_atoms[0] == std::pair<std::uint32_t, std::uint32_t>(4, 6));
  CHECK(c.entry.records.connected_atoms[1] == std::pair<std::uint32_t, std::uint32_t>(21, 22));
  REQUIRE(c.entry.origins.size() == c.entry.atoms.size());
  CHECK(c.entry.origins[21] == 9);
  CHECK(c.entry.origins[8] == 7);   // NME acts as its neighbour does
  CHECK(c.entry.origins[14] == 8);  // and so does ACE
}

TEST_CASE("caps: the hydrogen behind one comes into the plane of the peptide, unless it is of the file") {
  const std::vector<Atom> cap = {placed_atom("C", "C", "ACE", 7, {-1.2, 0.6, 0.0})};
  std::vector<Atom> answer = {placed_atom("N", "N", "ALA", 8, {0.0, 0.0, 0.0}),
                              placed_atom("CA", "C", "ALA", 8, {1.2, 0.8, 0.0}),
                              placed_atom("H", "H", "ALA", 8, {-0.5, 0.5, 0.7})};
  const std::vector<Atom> heavy(answer.begin(), answer.begin() + 2), whole = answer;
  turn_amide_hydrogen(answer, whole, cap);
  CHECK(answer[2].position_A == whole[2].position_A);
  turn_amide_hydrogen(answer, heavy, cap);
  CHECK(std::abs(answer[2].position_A.z) < tight);
  CHECK(answer[2].position_A.y < -0.9);
  CHECK(std::abs(distance_A(answer[0], answer[2]) - 1.01) < tight);
}
