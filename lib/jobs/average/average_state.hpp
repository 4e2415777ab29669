// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "files/output_file.hpp"
#include "jobs/average/average_summary.hpp"

namespace ionwell {

/// What an average depends on, name and value: a saved state continues only where all are the same.
using AverageIdentity = std::vector<std::pair<std::string, std::string>>;

/// Writes sums and counts in HDF5, with checksums; the caller commits.
void write_average_state(OutputFile& file, const AverageIdentity& identity, MapStatistics& statistics,
                         const FrameTallies& tallies);

/// Takes them up again. Throws Error for a file that is no such state or damaged, and for one of another
/// average, with what differs.
FrameTallies read_average_state(const std::string& path, const AverageIdentity& identity,
                                MapStatistics& statistics);

}  // namespace ionwell
