// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "compute/run_record.hpp"
#include "core/structure.hpp"
#include "jobs/place/job/box_result.hpp"
#include "placement/place_ions.hpp"
#include "potential/request/potential_record.hpp"
#include "potential/request/source_options.hpp"
#include "solvation/hydration/hydrate.hpp"

namespace ionwell {

/// Ions were placed by a site model.
struct SiteResult {
  SiteModel model;
  std::string path;                    // of the file it came from; empty: built in
  bool multilevel = false;             // how its potential was summed
  std::optional<double> refused_kT{};  // of the first ion that was not likely enough
};

/// What a run that places ions did. `structure` is not copied and must outlive the result.
struct Result {
  RunRecord run;
  const Structure& structure;
  PotentialRecord potential;                  // of the solute, and how ions act
  std::optional<ExclusionOptions> exclusion;  // none when no ion was to be placed
  bool refined = true;                        // positions were decided by fp64 sums
  bool distances_repeat = false;              // ions on a lattice keep their distance from images, too
  std::optional<BoxResult> box;               // when ions took the places of waters: without a lattice
  std::optional<SiteResult> sites;            // when the method is "sites", or ions at sites came first
  Placement placement;
  std::optional<Hydration> hydration;  // when it was asked for
  std::optional<FieldStatistics> statistics;

  /// The potential of solute and ions on the lattice [kT/e], for maps; null when a solver made several.
  std::shared_ptr<PotentialField> field;
};

/// Brings times, memory and statistics of a result up to date, when files were written after the run.
void update_costs(Result& result, const Stages& stages);

}  // namespace ionwell
