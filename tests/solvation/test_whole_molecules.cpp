// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "solvation/whole_molecules.hpp"

using namespace ionwell;

namespace {

/// A chain of carbons, 1.5 A apart, that winds through space.
std::vector<Atom> chain(const Vec3<double>& from, int atoms) {
  std::vector<Atom> molecule;
  for (int n = 0; n < atoms; ++n) {
    const double turn = 0.4 * n;
    molecule.push_back(
        {.position_A = from + Vec3<double>{1.4 * n, 1.2 * std::sin(turn), 1.2 * std::cos(turn)},
         .name = "C",
         .residue = "LIG",
         .residue_number = n + 1,
         .element = "C"});
  }
  return molecule;
}

double largest_step_A(const std::vector<Atom>& atoms, std::size_t first, std::size_t end) {
  double largest_A2 = 0.0;
  for (std::size_t n = first + 1; n < end; ++n)
    largest_A2 = std::max(largest_A2, distance_squared(atoms[n - 1].position_A, atoms[n].position_A));
  return std::sqrt(largest_A2);
}

}  // namespace

TEST_CASE("whole molecules: what lies in pieces on both sides of a boundary is put together") {
  const std::vector<CellVectors> cells = {{{25, 0, 0}, {0, 31, 0}, {0, 0, 28}},
                                          {{30, 0, 0}, {0, 30, 0}, {15, 15, 21.213203}},
                                          {{28, 0, 0}, {-12, 35, 0}, {7, -11, 30}}};
  for (const CellVectors& vectors : cells) {
    const PeriodicCell cell(vectors);
    CAPTURE(vectors.b.x);
    // Two chains side by side, 4 A apart, through a face, and an ion beside them.
    const std::vector<Atom> first = chain({17, 3, 4}, 14), second = chain({19, 3, 10.5}, 9);
    std::vector<Atom> whole = first;
    whole.insert(whole.end(), second.begin(), second.end());
    whole.push_back({.position_A = {36, 8, 4}, .name = "NA", .residue = "NA", .element = "NA"});
    std::vector<Atom> broken = whole;
    for (Atom& atom : broken) atom.position_A = cell.wrapped(atom.position_A);
    CHECK(largest_step_A(broken, 0, first.size()) > 10.0);
    CHECK(make_whole(broken, cell) > 0);
    CHECK(largest_step_A(broken, 0, first.size()) == doctest::Approx(largest_step_A(whole, 0, first.size())));
    // All as it was before, but for one vector of the lattice.
    const Vec3<double> shift = broken[0].position_A - whole[0].position_A;
    for (std::size_t n = 0; n < whole.size(); ++n) {
      CAPTURE(n);
      const Vec3<double> off = broken[n].position_A - whole[n].position_A - shift;
      CHECK(std::sqrt(dot(off, off)) < 1e-9);
    }
    const Vec3<double> f = cell.fractional(shift);
    CHECK(f.x == doctest::Approx(std::rint(f.x)));
    CHECK(f.y == doctest::Approx(std::rint(f.y)));
    CHECK(f.z == doctest::Approx(std::rint(f.z)));
  }
}

TEST_CASE("whole molecules: what is whole is not touched, wherever it lies") {
  const PeriodicCell cell(CellVectors{{25, 0, 0}, {0, 31, 0}, {0, 0, 28}});
  std::vector<Atom> atoms = chain({-90, 55, 3}, 12);  // outside of the cell
  const std::vector<Atom> far = chain({12, 1, 3}, 9);
  atoms.insert(atoms.end(), far.begin(), far.end());
  const std::vector<Atom> before = atoms;
  CHECK(make_whole(atoms, cell) == 0);
  for (std::size_t n = 0; n < atoms.size(); ++n) CHECK(atoms[n].position_A == before[n].position_A);
  std::vector<Atom> none;
  CHECK(make_whole(none, cell) == 0);
}

TEST_CASE("whole molecules: a hydrogen bond across the boundary is no bond") {
  const PeriodicCell cell(CellVectors{{20, 0, 0}, {0, 20, 0}, {0, 0, 20}});
  // O-H of one molecule at one face, the oxygen that it points to at the other.
  std::vector<Atom> atoms = {{.position_A = {19.0, 5, 5}, .name = "O1", .element = "O"},
                             {.position_A = {19.96, 5, 5}, .name = "H1", .element = "H"},
                             {.position_A = {1.8, 5, 5}, .name = "O2", .element = "O"}};
  CHECK(make_whole(atoms, cell) == 0);
  atoms[2].position_A.x = 0.4;  // O-O of 1.4 A is one
  CHECK(make_whole(atoms, cell) > 0);
  CHECK(std::abs(atoms[0].position_A.x - atoms[2].position_A.x) == doctest::Approx(1.4));
}

TEST_CASE("whole molecules: an ion near to the other end of a molecule joins nothing") {
  const PeriodicCell cell(CellVectors{{20, 0, 0}, {0, 40, 0}, {0, 0, 40}});
  std::vector<Atom> atoms = chain({0, 5, 5}, 12);  // its last atom at x = 15.4
  const Vec3<double> across = atoms.front().position_A - Vec3<double>{2.0, 0, 0};
  atoms.push_back(
      {.position_A = across + Vec3<double>{20, 0, 0}, .name = "NA", .residue = "NA", .element = "NA"});
  const std::vector<Atom> before = atoms;
  CHECK(make_whole(atoms, cell) == 0);
  for (std::size_t n = 0; n < atoms.size(); ++n) CHECK(atoms[n].position_A == before[n].position_A);
  // Nor does the carbon of another molecule there.
  atoms.back() = {.position_A = before.back().position_A, .name = "C9", .residue = "LIG", .element = "C"};
  CHECK(make_whole(atoms, cell) == 0);
  for (Atom& atom : atoms) atom.residue_number = 1;
  CHECK(make_whole(atoms, cell) == 1);  // of one residue it is bonded to the first
}

TEST_CASE("whole molecules: neighbours through a face are not bonded, however near they are") {
  const PeriodicCell cell(CellVectors{{16.5, 0, 0}, {0, 40, 0}, {0, 0, 40}});
  // Two chains side by side, 2.0 A from each other through the face of the cell: a wrong one, perhaps.
  std::vector<Atom> atoms;
  for (const char* name : {"A", "B"})
    for (int n = 0; n < 6; ++n)
      atoms.push_back({.position_A = {*name == 'A' ? 0.0 : 14.5, 1.4 * n, 0},
                       .name = "C",
                       .residue = "LIG",
                       .chain = std::string_view(name),
                       .residue_number = n + 1,
                       .element = "C"});
  const std::vector<Atom> before = atoms;
  CHECK(make_whole(atoms, cell) == 0);
  for (std::size_t n = 0; n < atoms.size(); ++n) CHECK(atoms[n].position_A == before[n].position_A);
}
