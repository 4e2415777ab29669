// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <vector>

#include "structures/overlapping_atoms.hpp"

using namespace ionwell;

namespace {

/// Pair by pair; `first` is any atom that the second one lies on.
OverlappingAtoms reference(const std::vector<Atom>& atoms) {
  OverlappingAtoms found;
  std::vector<std::size_t> apart;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    bool overlaps = false;
    for (const std::size_t other : apart) {
      if (distance_squared(atoms[i].position_A, atoms[other].position_A) >= overlap_A * overlap_A) continue;
      overlaps = true;
      if (found.count == 0) found.first = other, found.second = i;
      break;
    }
    if (overlaps)
      ++found.count;
    else
      apart.push_back(i);
  }
  return found;
}

}  // namespace

TEST_CASE("overlapping atoms: those that a search pair by pair finds") {
  std::mt19937 random(7);
  // Edges from where nearly all atoms overlap to where few do; three decimals, as files have, so that atoms
  // lie on the faces of cells; around the origin and far from it.
  for (const int edge : {5, 40, 120, 400, 3000})
    for (const int corner : {-edge / 2, -99'000'000, 98'765'432}) {
      std::uniform_int_distribution<int> step(0, edge);
      std::vector<Atom> atoms(1500);
      const auto coordinate = [&] { return double(corner + step(random)) / 1000.0; };
      for (Atom& atom : atoms) atom.position_A = {coordinate(), coordinate(), coordinate()};
      const OverlappingAtoms found = find_overlapping_atoms(atoms), expected = reference(atoms);
      CAPTURE(edge);
      CAPTURE(corner);
      CHECK(found.count == expected.count);
      if (edge < 1000) REQUIRE(found.count > 0);
      if (found.count == 0) continue;
      CHECK(found.second == expected.second);
      CHECK(found.first < found.second);
      CHECK(distance_squared(atoms[found.first].position_A, atoms[found.second].position_A) <
            overlap_A * overlap_A);
    }
  CHECK(find_overlapping_atoms({}).count == 0);
}

TEST_CASE("overlapping atoms: copies far behind their atoms in a large structure") {
  constexpr std::size_t edge = 60, count = edge * edge * edge;  // enough for threads
  std::vector<Atom> atoms(count);
  for (std::size_t i = 0; i < count; ++i)
    atoms[i].position_A = {double(i % edge), double(i / edge % edge), -double(i / (edge * edge))};
  CHECK(find_overlapping_atoms(atoms).count == 0);
  for (std::size_t i = 4321; i < count; i += 1000) {
    atoms.push_back(atoms[i]);
    atoms.back().position_A.z += i % 2 == 0 ? 0.0099 : -0.0099;  // into the next cell, or none
  }
  const OverlappingAtoms found = find_overlapping_atoms(atoms);
  CHECK(found.count == std::int64_t(atoms.size() - count));
  CHECK(found.first == 4321);
  CHECK(found.second == count);
}
