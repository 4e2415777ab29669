// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "electrostatics/periodic/fourier_kernels.hpp"

namespace ionwell {

/// What transforms of one length need: radices and twiddle factors, the latter in double precision from
/// angles below an eighth of a turn. O(points).
class FourierPlan {
 public:
  /// `points` is at least 1 and has no prime factor above 7, or it throws Error.
  explicit FourierPlan(int points);

  FourierSteps steps() const { return {points_, int(radices_.size()), radices_.data(), twiddles_.data()}; }

 private:
  int points_;
  std::vector<int> radices_;
  std::vector<double> twiddles_;
};

/// cos and sin of 2 pi k / points for k = 0 to count - 1, one pair after the other.
std::vector<double> cosines_and_sines(int points, int count);

}  // namespace ionwell
