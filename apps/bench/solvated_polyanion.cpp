// SPDX-License-Identifier: BSD-3-Clause
#include "bench/solvated_polyanion.hpp"

#include <algorithm>
#include <cmath>

#include "bench/random_walk.hpp"
#include "core/units.hpp"

namespace ionwell {
namespace {

constexpr double atom_A = 1.7;  // radius of carbon
constexpr double ion_A = 2.0;   // radius of the ions of the solution
constexpr double inside = 4.0;  // dielectric
constexpr double salt_M = 0.15;
constexpr double residue_A3 = 4400;  // of the lattice's volume

/// Calls mark(p) for each lattice point p that lies within radius_A of `centre_A` when moved by shift_A.
template <typename Mark>
void for_points_within(const LatticeGeometry& lattice, Vec3<double> centre_A, Vec3<double> shift_A,
                       double radius_A, const Mark& mark) {
  const double h = lattice.spacing_A.x;
  const Vec3<double> c = (1.0 / h) * (centre_A - shift_A - lattice.origin_A);
  const double r = radius_A / h;
  const auto low = [&](double x) { return std::max<std::int64_t>(1, std::int64_t(std::ceil(x - r))); };
  const auto high = [&](double x, std::int64_t n) {
    return std::min<std::int64_t>(n - 2, std::int64_t(std::floor(x + r)));
  };
  for (std::int64_t k = low(c.z); k <= high(c.z, lattice.counts.z); ++k)
    for (std::int64_t j = low(c.y); j <= high(c.y, lattice.counts.y); ++j)
      for (std::int64_t i = low(c.x); i <= high(c.x, lattice.counts.x); ++i)
        if (distance_squared(Vec3<double>{double(i), double(j), double(k)}, c) <= r * r)
          mark(std::size_t(lattice.index(i, j, k)));
}

void add_charge(PbSystem& system, const Atom& atom) {
  const Vec3<double> at = (1.0 / system.lattice.spacing_A.x) * (atom.position_A - system.lattice.origin_A);
  const std::int64_t i = std::int64_t(at.x), j = std::int64_t(at.y), k = std::int64_t(at.z);
  const Vec3<std::int64_t>& n = system.lattice.counts;
  if (at.x < 0 || at.y < 0 || at.z < 0 || i >= n.x - 1 || j >= n.y - 1 || k >= n.z - 1) return;
  const Vec3<double> part{at.x - double(i), at.y - double(j), at.z - double(k)};
  for (int corner = 0; corner < 8; ++corner) {
    const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
    const double weight = (x ? part.x : 1 - part.x) * (y ? part.y : 1 - part.y) * (z ? part.z : 1 - part.z);
    system.charge_e[std::size_t(system.lattice.index(i + x, j + y, k + z))] += float(weight * atom.charge_e);
  }
}

}  // namespace

PbSystem solvated_polyanion(const Vec3<std::int64_t>& counts, double spacing_A) {
  PbSystem system;
  const Vec3<double> half_A{0.5 * spacing_A * double(counts.x - 1), 0.5 * spacing_A * double(counts.y - 1),
                            0.5 * spacing_A * double(counts.z - 1)};
  system.lattice = {-1.0 * half_A, {spacing_A, spacing_A, spacing_A}, counts};
  const std::size_t size = std::size_t(system.lattice.size());
  system.eps_x = system.eps_y = system.eps_z = std::vector<float>(size, float(water_dielectric));
  system.accessibility = std::vector<float>(size, 1.0f);
  system.charge_e = system.boundary_kT_e = std::vector<float>(size, 0.0f);
  system.ions = {{1.0, salt_M}, {-1.0, salt_M}};
  const int residues = std::max(1, int(8 * half_A.x * half_A.y * half_A.z / residue_A3));
  const double to_face_A = 0.5 * spacing_A;
  for (const Atom& atom : random_walk_polyanion(residues).atoms) {
    const Vec3<double>& at_A = atom.position_A;
    const auto mark = [&](std::vector<float>& values, float value) {
      return [&values, value](std::size_t p) { values[p] = value; };
    };
    for_points_within(system.lattice, at_A, {to_face_A, 0, 0}, atom_A, mark(system.eps_x, float(inside)));
    for_points_within(system.lattice, at_A, {0, to_face_A, 0}, atom_A, mark(system.eps_y, float(inside)));
    for_points_within(system.lattice, at_A, {0, 0, to_face_A}, atom_A, mark(system.eps_z, float(inside)));
    for_points_within(system.lattice, at_A, {}, atom_A + ion_A, mark(system.accessibility, 0.0f));
    add_charge(system, atom);
  }
  const double kappa = inverse_debye_length_per_A(salt_M, water_dielectric, room_temperature_K);
  for (std::int64_t p = 0; p < system.lattice.size(); ++p) {
    const Vec3<std::int64_t> at = system.lattice.point(p);
    if (at.x > 0 && at.y > 0 && at.z > 0 && at.x < counts.x - 1 && at.y < counts.y - 1 && at.z < counts.z - 1)
      continue;
    const Vec3<double> r_A = system.lattice.position_A(p);
    const double d_A = std::sqrt(dot(r_A, r_A));
    system.boundary_kT_e[std::size_t(p)] =
        float(-residues * system.bjerrum_A / water_dielectric * std::exp(-kappa * d_A) / d_A);
  }
  return system;
}

}  // namespace ionwell
