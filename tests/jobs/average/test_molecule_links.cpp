// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "jobs/average/molecule_links.hpp"

using namespace ionwell;

namespace {

Atom atom_of(const char* name, const char* residue, int number, const Vec3<double>& position_A) {
  Atom atom;
  atom.position_A = position_A;
  atom.name = Label(name);
  atom.residue = Label(residue);
  atom.residue_number = number;
  return atom;
}

/// Two chains of carbons 6 A apart, a water and an ion.
std::vector<Atom> two_chains() {
  std::vector<Atom> atoms;
  for (int n = 0; n < 12; ++n) atoms.push_back(atom_of("C1", "ALA", n + 1, {1.5 * n, 1.0, 2.0}));
  for (int n = 0; n < 12; ++n) atoms.push_back(atom_of("C1", "GLY", n + 31, {1.5 * n, 7.0, 2.0}));
  atoms.push_back(atom_of("O", "HOH", 60, {3.0, 14.0, 12.0}));
  atoms.push_back(atom_of("H1", "HOH", 60, {3.9, 14.0, 12.0}));
  atoms.push_back(atom_of("H2", "HOH", 60, {2.7, 14.9, 12.0}));
  atoms.push_back(atom_of("NA", "NA", 61, {9.0, 15.0, 12.0}));
  return atoms;
}

std::vector<Vec3<double>> positions_of(const std::vector<Atom>& atoms) {
  std::vector<Vec3<double>> positions_A;
  for (const Atom& atom : atoms) positions_A.push_back(atom.position_A);
  return positions_A;
}

double farthest(const std::vector<Vec3<double>>& a, const std::vector<Vec3<double>>& b) {
  double most = 0.0;
  for (std::size_t n = 0; n < a.size(); ++n) most = std::max(most, std::sqrt(distance_squared(a[n], b[n])));
  return most;
}

}  // namespace

TEST_CASE("molecule links: what a boundary cuts comes together in every frame") {
  const PeriodicCell cell(cell_vectors({{30, 28, 32}, {90, 80, 100}}));
  const std::vector<Atom> atoms = two_chains();
  const std::vector<Vec3<double>> whole_A = positions_of(atoms);
  const MoleculeLinks links(atoms, cell);
  std::vector<Vec3<double>> same_A = whole_A;
  CHECK(links.make_whole(same_A, cell) == 0);
  CHECK(farthest(same_A, whole_A) == 0.0);
  const std::size_t solute = 24;
  for (int n = 0; n < 40; ++n) {
    // The whole moves on, up to half the cell, and is wrapped atom by atom.
    const Vec3<double> by{0.35 * n, -0.3 * n, 0.2 * n};
    std::vector<Vec3<double>> expected_A, wrapped_A;
    for (const Vec3<double>& p : whole_A) {
      expected_A.push_back(p + by);
      wrapped_A.push_back(cell.wrapped(p + by));
    }
    links.make_whole(wrapped_A, cell);
    expected_A.resize(solute);
    const Vec3<double> water_A = wrapped_A[solute], hydrogen_A = wrapped_A[solute + 1];
    CHECK(std::sqrt(distance_squared(water_A, hydrogen_A)) == doctest::Approx(0.9));
    wrapped_A.resize(solute);
    CAPTURE(n);
    CHECK(farthest(wrapped_A, expected_A) < 1e-9);
  }
}

TEST_CASE("molecule links: found in a frame that is cut itself") {
  const PeriodicCell cell(cell_vectors({{30, 28, 32}, {90, 90, 90}}));
  std::vector<Atom> atoms = two_chains();
  const std::vector<Vec3<double>> whole_A = positions_of(atoms);
  for (Atom& atom : atoms) atom.position_A = cell.wrapped(atom.position_A + Vec3<double>{20, 24, 0});
  const MoleculeLinks links(atoms, cell);
  std::vector<Vec3<double>> positions_A = positions_of(atoms);
  CHECK(links.make_whole(positions_A, cell) > 0);
  for (std::size_t a = 0; a < 24; ++a)
    for (std::size_t b = 0; b < a; ++b)
      CHECK(std::sqrt(distance_squared(positions_A[a], positions_A[b])) ==
            doctest::Approx(std::sqrt(distance_squared(whole_A[a], whole_A[b]))));
}
