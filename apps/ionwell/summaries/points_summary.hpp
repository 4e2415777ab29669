// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <span>

#include "input/chemistry_row.hpp"
#include "jobs/at_points/potential_at_points.hpp"

namespace ionwell {

/// What potential tells of its run, on one screen: what was computed of what and how, range, mean, histogram,
/// and where the potential is lowest.
void print_points(std::ostream& out, const PointResult& result, std::span<const ChemistryRow> chemistry);

}  // namespace ionwell
