// SPDX-License-Identifier: BSD-3-Clause
#include "output/views/distance_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/cell_list.hpp"
#include "output/views/coarse_map.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

constexpr double farthest_A = 10.0;

/// Distance of each point to the nearest atom, or farthest_A of those that are no nearer.
std::vector<double> distances_A(const LatticeGeometry& lattice, std::span<const Atom> atoms, int threads) {
  std::vector<Vec3<double>> atoms_A;
  atoms_A.reserve(atoms.size());
  for (const Atom& atom : atoms) atoms_A.push_back(atom.position_A);
  const CellList cells(atoms_A, farthest_A / 2);
  std::vector<double> distances(std::size_t(lattice.size()));
  parallel_for({thread_count(threads), 64}, lattice.size(), [&](std::int64_t n) {
    const Vec3<double> point_A = lattice.position_A(n);
    double nearest2_A2 = farthest_A * farthest_A;
    cells.near({point_A, point_A}, farthest_A, [&](std::uint32_t atom) {
      const Vec3<double> r = atoms_A[atom] - point_A;
      nearest2_A2 = std::min(nearest2_A2, dot(r, r));
    });
    distances[std::size_t(n)] = std::sqrt(nearest2_A2);
  });
  return distances;
}

}  // namespace

DistanceDistribution distance_distribution(std::span<const Atom> solute, const Placement& placement,
                                           int threads) {
  DistanceDistribution found;
  const auto steps = std::size_t(std::lround(farthest_A / found.step_A));
  found.ions.resize(steps);
  found.volume_A3.resize(steps);
  found.g.resize(steps);
  if (solute.empty()) return found;
  const auto step_of = [&](double distance_A) { return std::size_t(distance_A / found.step_A); };
  for (const PlacedIon& ion : placement.ions)
    if (const std::size_t step = step_of(ion.nearest_solute_A); step < steps) ++found.ions[step];
  const LatticeGeometry lattice = coarse_lattice(solute);
  const double cell_A3 = lattice.spacing_A.x * lattice.spacing_A.y * lattice.spacing_A.z;
  for (const double distance_A : distances_A(lattice, solute, threads))
    if (const std::size_t step = step_of(distance_A); step < steps) found.volume_A3[step] += cell_A3;
  const auto ions = std::accumulate(found.ions.begin(), found.ions.end(), std::int64_t(0));
  const double volume_A3 = std::accumulate(found.volume_A3.begin(), found.volume_A3.end(), 0.0);
  for (std::size_t step = 0; step < steps && ions > 0; ++step)
    if (found.volume_A3[step] > 0.0)
      found.g[step] = double(found.ions[step]) / found.volume_A3[step] * volume_A3 / double(ions);
  return found;
}

}  // namespace ionwell
