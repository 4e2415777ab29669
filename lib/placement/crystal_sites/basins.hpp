// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/host_device.hpp"
#include "lattice/host_store.hpp"
#include "parallel/progress.hpp"

namespace ionwell {

/// Points of a lattice by index, rising, and F [kT] there.
struct BasinPoints {
  std::vector<std::int64_t> index;
  std::vector<double> basin_kT;
  /// All points with a lower F are among them; infinite when all available ones are.
  double complete_below_kT = std::numeric_limits<double>::infinity();
};

/// F = -ln(G * exp(-E)) at the points where it is lowest, at least `count` of them when so many are
/// available; for the energies E [kT] in `energies`, where unavailable points have no part in G * exp(-E). G
/// is a Gaussian of standard deviation `width_A`, cut at four of them and normalized; 0: F is E. In fp32,
/// the same for any number of threads; O(points near available ones). Throws what `progress` throws.
BasinPoints lowest_basins(const HostStore& energies, double width_A, std::int64_t count, SimdLevel simd,
                          int threads, const Progress& progress);

/// The Gaussian along an axis, at the steps from -n to n that are within four of its standard deviations; its
/// sum is 1.
std::vector<float> basin_taps(double width_A, double spacing_A);

/// Positive weights in rising order of 8160 bins, each 3 % wide, by their bits as floats; and the lowest bits
/// of a bin.
IONWELL_HD constexpr std::uint32_t basin_bin(std::uint32_t bits) {
  return bits >> 18;
}
IONWELL_HD constexpr std::uint32_t basin_bin_start(std::uint32_t bin) {
  return bin << 18;
}

}  // namespace ionwell
