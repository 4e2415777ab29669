// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/model/solute_atoms.hpp"

#include <algorithm>

#include "parallel/on_threads.hpp"

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
  // Threads of OpenMP spin for a while when they are done, and others that prepare the device would wait.
  constexpr std::int64_t enough_atoms = 1 << 12, enough_threads = 8;
  const std::int64_t count = std::ssize(atoms);
  const auto parts =
      std::clamp<std::int64_t>(count / enough_atoms, 1, std::min<std::int64_t>(threads, enough_threads));
  std::vector<Extent> extents(std::size_t(parts), Extent{{first_A, first_A}, 0.0, 0});
  on_threads(std::size_t(parts), [&](std::size_t part) {
    Extent extent = extents[part];
    const std::int64_t last = count * std::int64_t(part + 1) / parts;
    for (auto n = std::size_t(count * std::int64_t(part) / parts); n < std::size_t(last); ++n) {
      const Atom& atom = atoms[n];
      made.atoms[n] = {atom.position_A, atom.charge_e, atom.radius_A};
      extent.around_A = extended(extent.around_A, atom.position_A);
      extent.largest_radius_A = std::max(extent.largest_radius_A, atom.radius_A);
      extent.balls += atom.radius_A > 0.0;
    }
    extents[part] = extent;
  });
  Extent all = extents.front();
  for (auto extent = extents.begin() + 1; extent != extents.end(); ++extent) all = joined(all, *extent);
  made.around_A = all.around_A;
  made.largest_radius_A = all.largest_radius_A;
  made.balls = all.balls;
  return made;
}

}  // namespace ionwell::gpu
