// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/large_array.hpp"
#include "core/lattice.hpp"

/// Values of imported maps at the points of another lattice.
namespace ionwell {

/// From the 8 points around a position or the 64.
enum class MapInterpolation {
  trilinear,
  tricubic,  // cubic convolution (Keys, IEEE Trans. ASSP 29:1153, 1981, eqs. 15, 19, 25): smooth, and may
             // overshoot
};

/// A map's values, i fastest, which stay where they are.
struct MapGrid {
  LatticeGeometry lattice;
  std::span<const double> values;
};

/// The value of a map at a position; at its own points the value as it is, outside of its points NaN.
double interpolate(const MapGrid& map, const Vec3<double>& position_A, MapInterpolation method);

/// The value at each point of `lattice`, i fastest, of the finest map that reaches there (of equal ones the
/// first); NaN where none does. In parallel.
LargeArray<double> sample_maps(std::span<const MapGrid> maps, const LatticeGeometry& lattice,
                               MapInterpolation method, int threads);

/// The lattice to place in when nothing else is requested: the points of the finest map, and as many more of
/// them as it takes to cover all maps.
LatticeGeometry lattice_of_maps(std::span<const MapGrid> maps);

}  // namespace ionwell
