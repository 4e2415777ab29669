// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/backend.hpp"
#include "compute/run_record.hpp"
#include "compute/summation_options.hpp"

namespace ionwell {

/// What was chosen for a job, before anything is computed.
struct Plan {
  LatticeGeometry lattice;                      // of a solver's maps: as asked for, they may have another
  std::optional<ElectrostaticsOptions> acting;  // by which ions act; none: they only keep their distance
  PairPotential pair;                           // of that
  BackendChoice backend;
  SummationOptions summation;   // its method is no longer automatic; direct where nothing is summed
  std::int64_t host_bytes = 0;  // of memory that the run needs
  RankGroup* group = nullptr;   // processes that share the lattice, each on a backend of its own, or the
                                // equation that is solved on it; null: this process does not share it

  int ranks() const { return group != nullptr ? group->count() : 1; }
};

/// What a plan says of a run before anything is computed.
RunRecord planned_record(const Plan& plan, const FieldOptions& field, const std::string& command);

/// What formats of maps with these names cannot hold of the plan's lattice.
std::vector<std::string> map_warnings(std::span<const std::string> names, const LatticeGeometry& lattice);

}  // namespace ionwell
