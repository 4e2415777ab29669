// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solvation/solvate.hpp"

namespace ionwell {

/// What a report of solvating tells besides its result.
struct SolvationRun {
  std::string command;  // as typed
  const Structure& structure;
  std::string output;
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, double>> timings_s;
};

/// JSON, schema version 1; later versions only add.
std::string solvation_report(const Solvation& solvation, const SolvationRun& run);

}  // namespace ionwell
