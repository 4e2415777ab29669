// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "solvation/fill_with_water.hpp"

using namespace ionwell;

namespace {

struct Molecule {
  Vec3<double> oxygen_A;
  std::array<Vec3<double>, 2> hydrogens_A;
};

std::vector<Molecule> molecules(const FilledCell& cell) {
  const std::size_t sites = cell.waters.atoms_each();
  std::vector<Atom> atoms(std::size_t(cell.waters.size()) * sites);
  cell.waters.make_atoms(0, {}, atoms);
  std::vector<Molecule> all;
  for (std::size_t n = 0; n < atoms.size(); n += sites)
    all.push_back({atoms[n].position_A, {atoms[n + 1].position_A, atoms[n + 2].position_A}});
  return all;
}

FilledCell filled(const std::vector<Atom>& solute, const CellVectors& vectors,
                  const std::string& model = "tip3p") {
  return fill_with_water(solute, PeriodicCell(vectors), water_model(model), water_box(model), {});
}

Atom atom(std::string_view element, const Vec3<double>& position_A, std::string_view residue, int number) {
  return {.position_A = position_A,
          .name = element,
          .residue = residue,
          .residue_number = number,
          .element = element};
}

/// A ball of peptide-like groups, C=O and N-H, in any directions, with room between some of them.
std::vector<Atom> globule(const Vec3<double>& middle_A, double radius_A) {
  std::mt19937 random(5);
  const auto next = [&] { return double(random()) / double(std::mt19937::max()) - 0.5; };
  std::vector<Atom> atoms;
  int number = 0;
  for (double x = -radius_A; x <= radius_A; x += 4.0)
    for (double y = -radius_A; y <= radius_A; y += 4.0)
      for (double z = -radius_A; z <= radius_A; z += 4.0) {
        if (x * x + y * y + z * z > radius_A * radius_A) continue;
        const Vec3<double> at = middle_A + Vec3<double>{x + next(), y + next(), z + next()};
        Vec3<double> along{next(), next(), next()};
        along = (1.0 / std::sqrt(dot(along, along))) * along;
        ++number;
        atoms.push_back(atom("C", at, "LIG", number));
        atoms.push_back(atom("O", at + 1.23 * along, "LIG", number));
        atoms.push_back(atom("N", at - 1.33 * along, "LIG", number));
        atoms.push_back(atom("H", at - 2.34 * along, "LIG", number));
      }
  return atoms;
}

double nearest_A(const Vec3<double>& p, const std::vector<Atom>& atoms, const PeriodicCell& cell,
                 bool with_hydrogens) {
  double least_A2 = 1e300;
  for (const Atom& other : atoms)
    if (with_hydrogens || other.element != "H")
      least_A2 = std::min(least_A2, cell.distance_squared_A2(p, other.position_A));
  return std::sqrt(least_A2);
}

}  // namespace

TEST_CASE("relax waters: few contacts with the solute, none of hydrogens, and as many waters as before") {
  for (const char* const model : {"tip3p", "opc"}) {
    CAPTURE(std::string(model));
    const double edge_A = 2 * water_box(model).edge_A;  // whole tiles, which lose none at the faces
    const CellVectors cube{{edge_A, 0, 0}, {0, edge_A, 0}, {0, 0, edge_A}};
    const PeriodicCell cell(cube);
    const std::vector<Atom> solute = globule({3, 30, 30}, 16.0);  // through a face
    const OverlapRule rule;
    int expected = 0, contacts_before = 0;
    for (const Molecule& water : molecules(filled({}, cube, model))) {
      bool is_free = true;
      for (const Atom& other : solute) {
        const double radius_A = other.element == "C"   ? 1.70
                                : other.element == "N" ? 1.55
                                : other.element == "O" ? 1.50
                                                       : 1.20;
        const double least_A = rule.scale * (radius_A + rule.oxygen_A);
        is_free &= cell.distance_squared_A2(water.oxygen_A, other.position_A) >= least_A * least_A;
      }
      expected += is_free;
      contacts_before += is_free && nearest_A(water.oxygen_A, solute, cell, false) < 2.4;
    }
    const FilledCell result = filled(solute, cube, model);
    int contacts = 0;
    double hydrogen_A = 1e300;
    const WaterModel& rigid = water_model(model);
    const double hh_A = 2 * rigid.oh_A * std::sin(0.5 * rigid.hoh_deg * 3.14159265358979 / 180);
    for (const Molecule& water : molecules(result)) {
      contacts += nearest_A(water.oxygen_A, solute, cell, false) < 2.4;
      for (const Vec3<double>& hydrogen : water.hydrogens_A) {
        hydrogen_A = std::min(hydrogen_A, nearest_A(hydrogen, solute, cell, true));
        CHECK(std::sqrt(distance_squared(hydrogen, water.oxygen_A)) ==
              doctest::Approx(rigid.oh_A).epsilon(1e-9));
      }
      CHECK(std::sqrt(distance_squared(water.hydrogens_A[0], water.hydrogens_A[1])) ==
            doctest::Approx(hh_A).epsilon(1e-9));
    }
    CHECK(contacts_before > 50);
    CHECK(2 * contacts < contacts_before);
    CHECK(hydrogen_A >= 1.2);
    CHECK(double(result.waters.size() + result.counts.in_cavities) ==
          doctest::Approx(double(expected)).epsilon(2e-3));
  }
}

TEST_CASE("relax waters: around a metal ion they are ligands at their distance, or outside of its shell") {
  struct Site {
    std::string element;
    double shell_A, ligand_A;
    std::vector<Vec3<double>> ligands;
    std::string ligand = "O";
  };
  const std::vector<Vec3<double>> five = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}};
  const double t = 1 / std::sqrt(3.0);
  const std::vector<Vec3<double>> tetrahedron = {{t, t, t}, {t, -t, -t}, {-t, t, -t}, {-t, -t, t}};
  const std::vector<Site> sites = {{"CA", 2.42, 2.35, five},
                                   {"MG", 2.07, 2.05, {{0, 0, 1}}},
                                   {"ZN", 2.10, 2.33, tetrahedron, "S"},
                                   {"NA", 2.38, 2.4, {}},
                                   {"FE", 2.14, 2.0, {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}, "N"}};
  int ligands = 0;
  for (const Site& site : sites)
    for (int n = 0; n < 6; ++n) {
      CAPTURE(site.element);
      CAPTURE(n);
      const double edge_A = 27.0 + 1.1 * n;  // other waters are where the ion is
      const Vec3<double> ion_A{0.5 * edge_A, 0.5 * edge_A, 0.5 * edge_A};
      std::vector<Atom> solute;
      for (const Vec3<double>& direction : site.ligands)
        solute.push_back(atom(site.ligand, ion_A + site.ligand_A * direction, "LIG", 1));
      // Of one atom, or of a residue with others, as in haem.
      solute.push_back(atom(site.element, ion_A, n % 2 ? site.element : "LIG", n % 2 ? 2 : 1));
      int found = 0;
      for (const Molecule& water :
           molecules(filled(solute, {{edge_A, 0, 0}, {0, edge_A, 0}, {0, 0, edge_A}}))) {
        const double d_A = std::sqrt(distance_squared(water.oxygen_A, ion_A));
        if (d_A > 4.4) continue;
        for (const Vec3<double>& hydrogen : water.hydrogens_A)
          CHECK(std::sqrt(distance_squared(hydrogen, ion_A)) > d_A);
        if (d_A > site.shell_A + 0.8) continue;
        CHECK(std::abs(d_A - site.shell_A) < 0.15);
        for (const Vec3<double>& hydrogen : water.hydrogens_A)  // its axis passes the ion nearly
          CHECK(std::sqrt(distance_squared(hydrogen, ion_A)) > d_A + 0.3);
        ++found;
      }
      CHECK(found + int(site.ligands.size()) <= 8);
      ligands += found;
    }
  CHECK(ligands > 25);
}
