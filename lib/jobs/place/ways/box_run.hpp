// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compute/backend.hpp"
#include "compute/stages.hpp"
#include "jobs/place/job/job.hpp"
#include "jobs/place/job/result.hpp"

namespace ionwell {

/// Does a job that has a box: its ions and salt take the places of waters. Part of `run`, see there. Throws
/// UsageError for a potential that is not summed, and for a periodic box without a cell.
Result run_in_box(const Job& job, Stages& stages, const Backends& backends);

}  // namespace ionwell
