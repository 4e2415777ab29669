// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/watched_points.hpp"

#include "core/block.hpp"
#include "lattice/mask.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {

std::vector<std::uint8_t> points_beyond(double distance_A, const Structure& structure,
                                        const LatticeGeometry& lattice, const FieldOptions& field) {
  const BlockGrid grid(lattice);
  Mask mask(grid, field.simd, thread_count(field.threads));
  std::vector<Vec3<double>> positions_A;
  for (const Atom& atom : structure.atoms) positions_A.push_back(atom.position_A);
  mask.exclude(positions_A, distance_A * distance_A);
  if (mask.count() == 0) return {};
  std::vector<std::uint8_t> beyond(std::size_t(lattice.size()), 0);
  parallel_for({thread_count(field.threads)}, grid.size(), [&](std::int64_t block) {
    const Vec3<std::int64_t> first = grid.first_point(block);
    for (int p = 0; p < block_points; ++p) {
      const std::int64_t i = first.x + p % block_edge, j = first.y + p / block_edge % block_edge,
                         k = first.z + p / (block_edge * block_edge);
      if (i < lattice.counts.x && j < lattice.counts.y && k < lattice.counts.z)
        beyond[std::size_t(lattice.index(i, j, k))] = is_set(mask.of_block(block), p);
    }
  });
  return beyond;
}

}  // namespace ionwell
