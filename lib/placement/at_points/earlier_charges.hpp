// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "placement/at_points/ion_action.hpp"

namespace ionwell {

/// For charges that came one after the other: the potential at each point of the first `before` of them
/// [kT/e], in double precision. `before` must not fall from point to point. Pair by pair among few, and by
/// IonAction::sum from all that came before many points: O((points + charges) log(points)) for each.
std::vector<double> potential_of_earlier(const IonAction& action, std::span<const PointCharge> charges,
                                         std::span<const Vec3<double>> points_A,
                                         std::span<const std::size_t> before, int threads);

}  // namespace ionwell
