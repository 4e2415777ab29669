// SPDX-License-Identifier: BSD-3-Clause
#include "bench/random_walk.hpp"

#include <cmath>
#include <random>

namespace ionwell {
namespace {

constexpr int atoms_per_residue = 32;
constexpr double step_A = 6.0;                 // from one phosphorus to the next
constexpr double residue_A = 4.5;              // radius of the ball that a residue's atoms lie in
constexpr double partial_e = 0.4;              // largest charge of its atoms before the phosphate's is added
constexpr double shape[3] = {0.8, 0.65, 1.0};  // of the ellipsoid: a group I intron domain's
constexpr double volume_A3 = 1100.0;           // for a residue, water in the grooves included

double three_decimals(double x) {
  return std::round(1000.0 * x) / 1000.0;
}

Vec3<double> random_direction(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const Vec3<double> v{normal(random), normal(random), normal(random)};
  return (1.0 / std::sqrt(dot(v, v))) * v;
}

}  // namespace

Structure random_walk_polyanion(int residues) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const double long_axis_A =
      std::cbrt(0.75 / 3.14159 * volume_A3 * residues / (shape[0] * shape[1] * shape[2]));
  const auto is_inside = [&](Vec3<double> p) {
    const Vec3<double> scaled{p.x / shape[0], p.y / shape[1], p.z / shape[2]};
    return dot(scaled, scaled) <= long_axis_A * long_axis_A;
  };
  Structure structure;
  structure.path = "a random walk of " + std::to_string(residues) + " residues";
  Vec3<double> centre;
  for (int r = 0; r < residues; ++r) {
    Vec3<double> next = centre + step_A * random_direction(random);
    while (!is_inside(next)) next = centre + step_A * random_direction(random);
    centre = next;
    double sum_e = 0.0;
    for (int a = 0; a < atoms_per_residue; ++a) {
      const Vec3<double> p = centre + residue_A * std::cbrt(uniform(random)) * random_direction(random);
      Atom atom;
      atom.position_A = {three_decimals(p.x), three_decimals(p.y), three_decimals(p.z)};
      atom.charge_e = partial_e * (2.0 * uniform(random) - 1.0);
      sum_e += atom.charge_e;
      structure.atoms.push_back(atom);
    }
    for (int a = 0; a < atoms_per_residue; ++a)
      structure.atoms[structure.atoms.size() - 1 - a].charge_e -= (sum_e + 1.0) / atoms_per_residue;
  }
  return structure;
}

}  // namespace ionwell
