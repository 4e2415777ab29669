// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

#include "jobs/place/job/placement_table.hpp"
#include "jobs/place/job/result.hpp"

/// What the terminal shows of a run that places ions.
namespace ionwell {

/// The run's protocol.
void print_plan(std::ostream& out, const Result& planned);

/// How ions are placed around those at sites, whose plan has been printed.
void print_plan_around_sites(std::ostream& out, const Result& planned);

/// How many of the ions that a site model has placed are near a site, and why there are no more, by their
/// probabilities. Nothing where there are none.
void print_expected_sites(std::ostream& out, const Result& result);

/// Waters around ions, and those that had no room.
void print_hydration(std::ostream& out, const Hydration& hydration);

/// How a table of ions looks on standard output, whatever that is.
TableStyle output_table_style();

}  // namespace ionwell
