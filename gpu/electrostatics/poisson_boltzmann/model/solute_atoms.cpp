// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/solute_atoms.hpp"

#include <algorithm>

#include "parallel/parallel_for.hpp"

namespace ionwell::gpu {
namespace {

struct Extent {
  Box around_A;
  double largest_radius_A;
  std::int64_t balls;
};

Extent joined(const Extent& a, const Extent& b) {
  return {extended(extended(a.around_A, b.around_A.lowest_A), b.around_A.highest_A),
          std::max(a.largest_radius_A, b.largest_radius_A), a.balls + b.balls};
}

}  // namespace

SoluteAtoms solute_atoms(std::span<const Atom> atoms, int threads) {
  SoluteAtoms made{.atoms = LargeArray<SoluteAtom>(atoms.size()), .around_A = {}};
  const Vec3<double> first_A = atoms.front().position_A;
  constexpr std::int64_t chunk = 1 << 12;
  const std::int64_t count = std::ssize(atoms), chunks = (count + chunk - 1) / chunk;
  std::vector<Extent> extents(std::size_t(chunks), Extent{{first_A, first_A}, 0.0, 0});
  parallel_for({threads, 1}, chunks, [&](std::int64_t c) {
    Extent extent = extents[std::size_t(c)];
    for (auto n = std::size_t(chunk * c); n < std::size_t(std::min(count, chunk * (c + 1))); ++n) {
      const Atom& atom = atoms[n];
      made.atoms[n] = {atom.position_A, atom.charge_e, atom.radius_A};
      extent.around_A = extended(extent.around_A, atom.position_A);
      extent.largest_radius_A = std::max(extent.largest_radius_A, atom.radius_A);
      extent.balls += atom.radius_A > 0.0;
    }
    extents[std::size_t(c)] = extent;
  });
  Extent all = extents.front();
  for (auto extent = extents.begin() + 1; extent != extents.end(); ++extent) all = joined(all, *extent);
  made.around_A = all.around_A;
  made.largest_radius_A = all.largest_radius_A;
  made.balls = all.balls;
  return made;
}

}  // namespace ionwell::gpu
