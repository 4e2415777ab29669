// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "sampling/monte_carlo.hpp"

namespace ionwell {

/// What every replica begins with: ions at given places, and others at random ones of its own until there are
/// as many of each species as are to be.
struct FirstIons {
  std::vector<MovingIon> given;
  std::vector<std::int64_t> count;  // by species

  std::int64_t total() const { return std::accumulate(count.begin(), count.end(), std::int64_t{0}); }

  /// The model must outlive it. Throws Error where there is no room.
  IonSet in(const IonModel& model, RandomStream& random) const {
    IonSet ions(model, given);
    for (std::size_t s = 0; s < count.size(); ++s) {
      const std::int64_t missing = count[s] - ions.count_of(std::uint32_t(s));
      if (missing > 0) add_random_ions(ions, std::uint32_t(s), missing, random);
    }
    return ions;
  }
};

}  // namespace ionwell
