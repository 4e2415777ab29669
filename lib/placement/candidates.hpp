// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "core/host_device.hpp"

/// Which point an ion goes to, among the few that a search leaves: what all backends decide by.
namespace ionwell {

/// A point that may have the lowest energy.
struct Candidate {
  double energy_kT;    // by the lattice, or exact
  double error_kT;     // |energy_kT - exact|, at most
  std::int64_t index;  // of the lattice point

  /// Whether the exact energy may be as low as this.
  IONWELL_HD bool may_reach(double limit_kT) const { return energy_kT - error_kT <= limit_kT; }
};

/// The order of candidates: by energy, and of equal energies by index.
IONWELL_HD inline bool precedes(const Candidate& a, const Candidate& b) {
  return a.energy_kT < b.energy_kT || (a.energy_kT == b.energy_kT && a.index < b.index);
}

/// The lowest of the exact energies summed so far, and how near to it others count as equal.
struct LowestEnergy {
  double energy_kT = std::numeric_limits<double>::infinity();
  double tie_kT = 0.0;

  /// What a candidate must reach to stay in the running.
  IONWELL_HD double limit_kT() const { return energy_kT + tie_kT; }

  /// Takes in another energy; true when it is the lowest so far, for whose tie_kT the caller sees.
  IONWELL_HD bool include(double other_kT) {
    if (!(other_kT < energy_kT)) return false;
    energy_kT = other_kT;
    tie_kT = 0.0;
    return true;
  }
};

/// Which of `summed`, at least one, gets the ion; their energies are exact: the lowest (the first of equal
/// ones), or of those that only rounding tells from it the one of lowest index. tie_kT(n) is how near to
/// candidate n others count as equal, and loosest_tie_kT(n) no less than that: the first is requested only
/// when the second leaves a choice. O(candidates).
template <typename LoosestTie, typename Tie>
std::size_t choose_candidate(std::span<const Candidate> summed, const LoosestTie& loosest_tie_kT,
                             const Tie& tie_kT) {
  std::size_t lowest = 0;
  for (std::size_t n = 1; n < summed.size(); ++n)
    if (summed[n].energy_kT < summed[lowest].energy_kT) lowest = n;
  const double lowest_kT = summed[lowest].energy_kT, loosest_kT = lowest_kT + loosest_tie_kT(lowest);
  std::size_t close = 0;
  for (const Candidate& c : summed) close += c.energy_kT <= loosest_kT;
  if (close <= 1) return lowest;
  const double limit_kT = lowest_kT + tie_kT(lowest);
  std::size_t best = lowest;
  for (std::size_t n = 0; n < summed.size(); ++n)
    if (summed[n].energy_kT <= limit_kT && summed[n].index < summed[best].index) best = n;
  return best;
}

}  // namespace ionwell
