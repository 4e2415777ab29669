// SPDX-License-Identifier: BSD-3-Clause
#include "maps/map_order.hpp"

#include <algorithm>

#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t tile = 16;  // a cache line of floats

template <typename Copy>
void for_each_tiled(const LatticeGeometry& lattice, std::int64_t planes, int threads, const Copy& copy) {
  const std::int64_t ny = lattice.counts.y, nz = lattice.counts.z;
  parallel_for({threads}, ny, [&](std::int64_t j) {
    for (std::int64_t i0 = 0; i0 < planes; i0 += tile)  // tiles: every cache line is read and written once
      for (std::int64_t k0 = 0; k0 < nz; k0 += tile)
        for (std::int64_t i = i0; i < std::min(planes, i0 + tile); ++i)
          for (std::int64_t k = k0; k < std::min(nz, k0 + tile); ++k) copy(i, j, k);
  });
}

}  // namespace

std::int64_t planes_at_a_time(const LatticeGeometry& lattice) {
  constexpr std::int64_t slab_values = 1 << 22;
  const std::int64_t plane = lattice.counts.y * lattice.counts.z;
  return std::min(lattice.counts.x, std::max(tile, slab_values / plane / tile * tile));
}

void gather_planes(const LatticeGeometry& lattice, const MapValues& values, std::int64_t first,
                   std::int64_t planes, int threads, double* slab) {
  values.visit([&](const auto& all) {
    for_each_tiled(lattice, planes, threads, [&, from = all.data()](auto i, auto j, auto k) {
      slab[(i * lattice.counts.y + j) * lattice.counts.z + k] = double(from[lattice.index(first + i, j, k)]);
    });
  });
}

LargeArray<double> from_z_fastest(const LatticeGeometry& lattice, const LargeArray<double>& values,
                                  int threads) {
  LargeArray<double> result(values.size());
  double* const to = result.data();
  const double* const from = values.data();
  for_each_tiled(lattice, lattice.counts.x, threads, [&](auto i, auto j, auto k) {
    to[lattice.index(i, j, k)] = from[(i * lattice.counts.y + j) * lattice.counts.z + k];
  });
  return result;
}

}  // namespace ionwell
