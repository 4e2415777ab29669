#pragma once

#include <cstdint>
#include <limits>
#include <vector>

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

}  // namespace ionwell
