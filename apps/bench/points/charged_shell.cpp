// SPDX-License-Identifier: BSD-3-Clause
#include "bench/points/charged_shell.hpp"

#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>

#include "core/cell_list.hpp"

namespace ionwell {

Structure shell_of_chains(int chains) {
  constexpr int residues_by_axis[] = {6, 6, 5}, atoms = 16;
  constexpr double residue_A = 5.4, atom_A = 2.7, apart_A = 40.0, golden_angle = 2.399963;
  Structure structure;
  structure.path = std::to_string(chains) + " chains";
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::uniform_int_distribution<int> charge_of_residue(-1, 1);
  const double radius_A = chains == 1 ? 0.0 : apart_A * std::sqrt(chains / (4.0 * std::numbers::pi));
  int number = 0;
  for (int c = 0; c < chains; ++c) {
    const double z = 1.0 - 2.0 * (c + 0.5) / chains, r = std::sqrt(1.0 - z * z), around = golden_angle * c;
    const Vec3<double> chain_A{radius_A * r * std::cos(around), radius_A * r * std::sin(around),
                               radius_A * z};
    for (int k = 0; k < residues_by_axis[2]; ++k)
      for (int j = 0; j < residues_by_axis[1]; ++j)
        for (int i = 0; i < residues_by_axis[0]; ++i) {
          const Vec3<double> middle_A = chain_A + residue_A * Vec3<double>{double(i), double(j), double(k)};
          double left_e = charge_of_residue(random);
          ++number;
          for (int a = 0; a < atoms; ++a) {
            Atom atom;
            atom.position_A = middle_A + atom_A * Vec3<double>{unit(random), unit(random), unit(random)};
            atom.charge_e = a + 1 < atoms ? 0.4 * unit(random) : left_e;
            atom.residue_number = number;
            atom.ends_chain = a + 1 == atoms && number % 180 == 0;
            left_e -= atom.charge_e;
            structure.atoms.push_back(atom);
          }
        }
  }
  return structure;
}

std::vector<Vec3<double>> points_around(const Structure& structure, int count) {
  constexpr double away_A = 3.0, clear_A = 2.6;
  std::vector<Vec3<double>> centres_A, points_A;
  for (const Atom& atom : structure.atoms) centres_A.push_back(atom.position_A);
  const CellList list(centres_A, clear_A);
  std::mt19937_64 random(1);
  std::normal_distribution<double> part;
  std::uniform_int_distribution<std::size_t> number(0, centres_A.size() - 1);
  while (std::ssize(points_A) < count) {
    const Vec3<double> d{part(random), part(random), part(random)};
    const Vec3<double> at = centres_A[number(random)] + (away_A / std::sqrt(dot(d, d))) * d;
    bool is_clear = true;
    list.near({at, at}, clear_A, [&](std::uint32_t n) {
      is_clear = is_clear && distance_squared(centres_A[n], at) > clear_A * clear_A;
    });
    if (is_clear) points_A.push_back(at);
  }
  return points_A;
}

std::string settings_of(const PointSum& sum) {
  char text[96] = "";
  if (sum.partition)
    std::snprintf(text, sizeof text, "%g, %g A", sum.partition->residue_A, sum.partition->chain_A);
  if (sum.multilevel)
    std::snprintf(text, sizeof text, "%s, %g A, %g A", std::string(to_string(sum.multilevel->basis)).c_str(),
                  sum.multilevel->cutoff_A, sum.multilevel->spacing_A);
  return text;
}

}  // namespace ionwell
