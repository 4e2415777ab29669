// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compute/backend.hpp"
#include "placement/at_points/periodic_action.hpp"
#include "placement/at_points/point_estimates.hpp"

namespace ionwell {

/// Estimates by the first device of a choice; none, which are the host's, where it has no device and in cells
/// without ImagePolynomials. `action` must outlive them.
EstimatesMaker device_estimates(const BackendChoice& choice, const PeriodicAction& action);

/// What to tell users of ScatteredPoints::note.
std::string describe_host_search(const std::string& note);

}  // namespace ionwell
