// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "maps/map.hpp"

/// Maps in memory have x fastest; OpenDX and cube files have z fastest.
namespace ionwell {

/// Planes of x that fill about 32 MB as doubles, at least sixteen.
std::int64_t planes_at_a_time(const LatticeGeometry& lattice);

/// Writes the planes x = first to first + planes to `slab` with z fastest: slab[(i - first, j, k)]. In
/// parallel.
void gather_planes(const LatticeGeometry& lattice, const MapValues& values, std::int64_t first,
                   std::int64_t planes, int threads, double* slab);

/// The same values with x fastest instead of z. In parallel.
LargeArray<double> from_z_fastest(const LatticeGeometry& lattice, const LargeArray<double>& values,
                                  int threads);

}  // namespace ionwell
