// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <span>

#include "input/chemistry_row.hpp"
#include "jobs/sample/sampling_run.hpp"

namespace ionwell {

/// What was sampled around what, and what of it is sure.
void print_sample(std::ostream& out, const SamplingResult& result, std::span<const ChemistryRow> chemistry);

}  // namespace ionwell
