// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <random>
#include <string>
#include <vector>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"

/// Small boxes of water for tests.
namespace ionwell {

inline Atom test_atom(const char* name, const char* residue, const char* chain, int number,
                      Vec3<double> position_A, double charge_e, const char* element) {
  return {.position_A = position_A,
          .charge_e = charge_e,
          .name = name,
          .residue = residue,
          .chain = chain,
          .residue_number = number,
          .element = element};
}

/// Appends a water with its oxygen at a position.
inline void add_water(std::vector<Atom>& atoms, Vec3<double> oxygen_A, int number, const char* chain = "W") {
  atoms.push_back(test_atom("OW", "SOL", chain, number, oxygen_A, -0.834, "O"));
  atoms.push_back(
      test_atom("HW1", "SOL", chain, number, oxygen_A + Vec3<double>{0.757, 0.586, 0.0}, 0.417, "H"));
  atoms.push_back(
      test_atom("HW2", "SOL", chain, number, oxygen_A + Vec3<double>{-0.757, 0.586, 0.0}, 0.417, "H"));
}

/// A rod of charged phosphorus atoms along x in the middle of a cell of any shape, and waters everywhere
/// else: 3.1 A apart and shaken, so that no two are alike.
inline std::vector<Atom> charged_rod_in_water(const PeriodicCell& cell, unsigned seed = 3) {
  std::vector<Atom> atoms;
  for (int i = 0; i < 6; ++i)
    atoms.push_back(test_atom("P", "U", "A", i + 1,
                              cell.cartesian_A({0.5, 0.5, 0.5}) + Vec3<double>{5.0 * i - 12.5, 0, 0}, -1.0,
                              "P"));
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shake(-0.2, 0.2);
  const Vec3<double> widths_A = cell.widths_A();
  const int nx = int(widths_A.x / 3.1), ny = int(widths_A.y / 3.1), nz = int(widths_A.z / 3.1);
  int number = 0;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const Vec3<double> oxygen_A = cell.cartesian_A({(i + 0.5) / nx, (j + 0.5) / ny, (k + 0.5) / nz}) +
                                      Vec3<double>{shake(random), shake(random), shake(random)};
        bool overlaps = false;
        for (int p = 0; p < 6; ++p)
          overlaps = overlaps || cell.distance_squared_A2(oxygen_A, atoms[std::size_t(p)].position_A) < 9.0;
        if (!overlaps) add_water(atoms, oxygen_A, ++number);
      }
  return atoms;
}

}  // namespace ionwell
