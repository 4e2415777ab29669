// SPDX-License-Identifier: BSD-3-Clause
#include "lattice/mask.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <utility>

#include "core/cell_list.hpp"
#include "electrostatics/simd/kernel_tables.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// The blocks of a lattice as cells.
CellGrid block_cells(const BlockGrid& grid) {
  const LatticeGeometry& lattice = grid.lattice;
  const Vec3<std::int64_t>& n = lattice.counts;
  return {{lattice.first_point_A(), lattice.position_A(n.x - 1, n.y - 1, n.z - 1)},
          double(block_edge) * lattice.spacing_A,
          grid.counts};
}

}  // namespace

IONWELL_KERNEL_TABLES(MaskKernels, mask_kernels)

Mask::Mask(const BlockGrid& grid, SimdLevel simd, int threads)
    : grid_(grid), kernels_(mask_kernels(simd)), threads_(threads), bits_(mask_words * grid.size()) {
  const Vec3<std::int64_t>& points = grid.lattice.counts;
  const auto bits_below = [](std::int64_t count) {
    return count >= block_edge ? ~std::uint64_t(0) : (std::uint64_t(1) << (count > 0 ? count : 0)) - 1;
  };
  parallel_for({threads_}, grid.size(), [&](std::int64_t b) {
    const Vec3<std::int64_t> first = grid.first_point(b);
    const std::uint64_t row = bits_below(points.x - first.x) & 0xff;
    std::uint64_t plane = 0;
    for (int j = 0; j < block_edge && first.y + j < points.y; ++j) plane |= row << (block_edge * j);
    for (int k = 0; k < block_edge && first.z + k < points.z; ++k) bits_[mask_words * b + k] = plane;
  });
}

void Mask::exclude(std::span<const Vec3<double>> centres, double limit_A2) {
  if (centres.empty() || !(limit_A2 >= 0.0)) return;
  const double reach_A = std::sqrt(limit_A2) * (1 + 1e-12);
  const Vec3<double> edge_A = double(block_edge) * grid_.lattice.spacing_A;
  const double cell_A = std::max({edge_A.x, edge_A.y, edge_A.z});
  const CellList cells(centres, cell_A);
  constexpr double rounding = 1e-6;  // in blocks
  const double block_reach_A = reach_A + rounding * cell_A;
  const CellRange blocks = block_cells(grid_).within(cells.grid().box, block_reach_A);
  if (blocks.empty()) return;
  const Vec3<std::int64_t> counts = blocks.last - blocks.first + Vec3<std::int64_t>{1, 1, 1};
  const std::int64_t count = counts.x * counts.y * counts.z;
  constexpr std::int64_t together = 64, few = 512;
  const Schedule schedule{count > few ? threads_ : 1, together};
  parallel_ranges(schedule, count, [&](std::int64_t from, std::int64_t to) {
    std::vector<std::pair<double, std::uint32_t>> nearby;  // distance of the block's farthest point, number
    std::vector<double> coordinates;
    for (std::int64_t n = from; n < to; ++n) {
      const std::int64_t b = cell_number(grid_.counts, blocks.first + block_at(n, counts.x, counts.y));
      if (!any(b)) continue;
      std::uint64_t* bits = bits_.data() + mask_words * b;
      const Box box = grid_.box(b);
      nearby.clear();
      bool covered = false;  // by one of the spheres alone, as most blocks inside a solute are
      cells.near(box, reach_A, [&](std::uint32_t c) {
        if (covered) return;
        const DistanceRange distance = distance_range(box, centres[c]);
        if (distance.farthest_A * distance.farthest_A <= limit_A2)
          covered = true;
        else if (distance.nearest_A <= reach_A)
          nearby.push_back({distance.farthest_A, c});
      });
      if (covered) {
        std::fill(bits, bits + mask_words, 0);
        continue;
      }
      std::sort(nearby.begin(), nearby.end());
      coordinates.clear();
      for (const auto& [farthest, c] : nearby)
        coordinates.insert(coordinates.end(), {centres[c].x, centres[c].y, centres[c].z});
      kernels_.exclude(block_frame(grid_, b), coordinates.data(), nearby.size(), limit_A2, bits);
    }
  });
}

bool Mask::any(std::int64_t block) const {
  std::uint64_t all = 0;
  for (int w = 0; w < mask_words; ++w) all |= bits_[mask_words * block + w];
  return all != 0;
}

std::int64_t Mask::count() const {
  return parallel_reduce(
      threads_, std::ssize(bits_), std::int64_t{0},
      [&](std::int64_t first, std::int64_t last) {
        std::int64_t sum = 0;
        for (std::int64_t w = first; w < last; ++w) sum += std::popcount(bits_[std::size_t(w)]);
        return sum;
      },
      std::plus<>());
}

}  // namespace ionwell
