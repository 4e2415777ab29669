// SPDX-License-Identifier: BSD-3-Clause
#include "placement/at_points/point_estimates.hpp"

#include <algorithm>

namespace ionwell {

void PointEstimates::sort(std::vector<Candidate>& candidates) {
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.least_kT != b.least_kT ? a.least_kT < b.least_kT : a.point < b.point;
  });
}

}  // namespace ionwell
