// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

#include "jobs/average/average.hpp"

/// What `average` says of frames on the terminal.
namespace ionwell {

/// The run's protocol.
void print_plan(std::ostream& out, const AverageResult& planned);

/// The trajectory and the frames of it, before they are read.
void print_trajectory(std::ostream& out, const AverageSummary& average);

/// What they were like, how the mean came to rest, and how fast they went.
void print_average(std::ostream& out, const AverageSummary& average);

}  // namespace ionwell
