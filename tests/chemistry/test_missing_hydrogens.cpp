// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "chemistry/naming/drawn_template.hpp"
#include "chemistry/naming/missing_hydrogens.hpp"
#include "chemistry/templates/residue_table.hpp"

using namespace ionwell;

namespace {

using Positions = std::vector<std::optional<Vec3<double>>>;

/// Some atoms of a residue of the table, and where hydrogens are built on them.
struct Built {
  const ResidueTemplate* residue;
  Positions positions_A, built_A;

  Built(const char* name, std::initializer_list<std::pair<const char*, Vec3<double>>> places)
      : residue(residue_table().find(name)), positions_A(residue->atoms.size()) {
    for (const auto& [atom, place_A] : places) positions_A[residue->find(atom)] = place_A;
    built_A = missing_hydrogens(*residue, positions_A);
  }

  Vec3<double> at(const char* atom) const {
    const std::size_t n = residue->find(atom);
    REQUIRE((positions_A[n] || built_A[n]));
    return positions_A[n] ? *positions_A[n] : *built_A[n];
  }

  double distance_A(const char* a, const char* b) const { return std::sqrt(distance_squared(at(a), at(b))); }

  double angle_deg(const char* a, const char* b, const char* c) const {
    const Vec3<double> u = at(a) - at(b), v = at(c) - at(b);
    return std::acos(dot(u, v) / std::sqrt(dot(u, u) * dot(v, v))) * 180.0 / std::numbers::pi;
  }
};

constexpr double rounding_deg = 0.01;

}  // namespace

TEST_CASE("missing hydrogens: a methyl group is a staggered tetrahedron, a hydroxyl group trans") {
  // 2'-O-methylcytidine: C2'-O2'-CM2 in the plane of x and y.
  const Built methyl("OMC", {{"C2'", {-1.0, 1.0, 0.0}}, {"O2'", {0.0, 0.0, 0.0}}, {"CM2", {1.43, 0.0, 0.0}}});
  for (const char* const name : {"HM21", "HM22", "HM23"}) {
    CHECK(methyl.distance_A("CM2", name) == doctest::Approx(1.09));
    CHECK(std::abs(methyl.angle_deg("O2'", "CM2", name) - 109.471) < rounding_deg);
  }
  CHECK(std::abs(methyl.angle_deg("HM21", "CM2", "HM22") - 109.471) < rounding_deg);
  CHECK(methyl.at("HM21").y < -1.0);  // trans to C2'
  CHECK(std::abs(methyl.at("HM21").z) < 1e-9);
  CHECK(!methyl.built_A[methyl.residue->find("H2'")]);  // on C2' two neighbours are not there

  const Built hydroxyl("SER", {{"CA", {-1.0, 1.0, 0.0}}, {"CB", {0.0, 0.0, 0.0}}, {"OG", {1.42, 0.0, 0.0}}});
  CHECK(hydroxyl.distance_A("OG", "HG") == doctest::Approx(0.96));
  CHECK(hydroxyl.at("HG").y < -0.8);
}

TEST_CASE(
    "missing hydrogens: two on a carbon of a chain, one in a plane, and none on what is bound elsewhere") {
  const Built carbon("SER", {{"CA", {-1.25, 0.0, 0.88}}, {"CB", {0.0, 0.0, 0.0}}, {"OG", {1.16, 0.0, 0.82}}});
  CHECK(std::abs(carbon.angle_deg("HB2", "CB", "HB3") - 109.471) < rounding_deg);
  CHECK(carbon.angle_deg("CA", "CB", "HB2") == doctest::Approx(carbon.angle_deg("CA", "CB", "HB3")));
  CHECK(carbon.at("HB2").z < -0.5);
  CHECK(carbon.at("HB2").y * carbon.at("HB3").y < 0.0);

  // Pseudouridine's N3 lies between two carbonyl groups.
  const Built planar("PSU", {{"C2", {-1.2, 0.7, 0.0}}, {"N3", {0.0, 0.0, 0.0}}, {"C4", {1.2, 0.7, 0.0}}});
  CHECK(planar.distance_A("N3", "HN3") == doctest::Approx(1.01));
  CHECK(planar.at("HN3").y == doctest::Approx(-1.01));

  // An amino group at a base lies in its plane.
  const Built amino("C", {{"N3", {-0.7, 1.2, 0.0}}, {"C4", {0.0, 0.0, 0.0}}, {"N4", {1.33, 0.0, 0.0}}});
  CHECK(std::abs(amino.angle_deg("C4", "N4", "H41") - 120.0) < rounding_deg);
  CHECK(std::abs(amino.at("H41").z) + std::abs(amino.at("H42").z) < 1e-9);
  CHECK(amino.at("H41").y * amino.at("H42").y < 0.0);

  const Built linked("ALA", {{"N", {0.0, 0.0, 0.0}}, {"CA", {1.46, 0.0, 0.0}}, {"C", {2.0, 1.4, 0.0}}});
  CHECK(!linked.built_A[linked.residue->find("H")]);  // where it is depends on the residue before
  // Atoms in one place have no direction.
  const Built same("SER", {{"CA", {0.0, 0.0, 0.0}}, {"CB", {0.0, 0.0, 0.0}}, {"OG", {1.4, 0.0, 0.0}}});
  CHECK(!same.built_A[same.residue->find("HB2")]);
}

TEST_CASE(
    "missing hydrogens: of a molecule by atoms and bonds, and any torsion where no neighbour tells one") {
  const auto built = [](std::initializer_list<const char*> elements,
                        const std::vector<std::pair<std::size_t, std::size_t>>& bonds,
                        Positions positions_A) {
    std::vector<TemplateAtom> atoms;
    for (const char* const element : elements) atoms.push_back({element, element, 0});
    positions_A.resize(atoms.size());
    return missing_hydrogens(drawn_template(atoms, bonds), positions_A);
  };
  const auto angle_deg = [](const Vec3<double>& a, const Vec3<double>& centre, const Vec3<double>& b) {
    const Vec3<double> u = a - centre, v = b - centre;
    return std::acos(dot(u, v) / std::sqrt(dot(u, u) * dot(v, v))) * 180.0 / std::numbers::pi;
  };
  const Vec3<double> origin{0.0, 0.0, 0.0}, along{1.4, 0.0, 0.0};
  // Ammonium, methanol, and hydrogen cyanide.
  const Positions ammonium = built({"N", "H", "H", "H", "H"}, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}, {origin});
  for (const std::size_t n : {2, 3, 4}) {
    REQUIRE((ammonium[1] && ammonium[n]));
    CHECK(std::abs(angle_deg(*ammonium[1], origin, *ammonium[n]) - 109.471) < rounding_deg);
  }
  const Positions methanol =
      built({"C", "O", "H", "H", "H", "H"}, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 5}}, {origin, along});
  REQUIRE((methanol[2] && methanol[3] && methanol[5]));
  CHECK(std::abs(angle_deg(*methanol[2], origin, *methanol[3]) - 109.471) < rounding_deg);
  CHECK(std::abs(angle_deg(*methanol[5], along, origin) - 109.471) < rounding_deg);
  const Positions cyanide = built({"C", "N", "H"}, {{0, 1}, {0, 2}}, {origin, along});
  REQUIRE(cyanide[2]);
  CHECK(angle_deg(*cyanide[2], origin, along) == doctest::Approx(180.0));
  // Formamide: the carbon's double bond, to the oxygen, makes nitrogen planar.
  const Positions formamide = built({"C", "N", "O", "H", "H", "H"}, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {1, 5}},
                                    {origin, along, Vec3<double>{-0.6, 1.0, 0.0}});
  REQUIRE((formamide[3] && formamide[4] && formamide[5]));
  for (const std::size_t n : {3, 4, 5}) CHECK(std::abs(formamide[n]->z) < 1e-9);
}
