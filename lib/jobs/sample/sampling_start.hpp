// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/sample/sampling_run.hpp"

namespace ionwell {

/// The species of a job, those of --ion first, and how many of each there are to be at the start without
/// those of salts. Throws UsageError for one whose radius or diffusion constant is not known, and for a
/// radius of an ion that is not there.
struct SamplingSpecies {
  std::vector<SampledSpecies> species;
  std::vector<std::int64_t> count;
  std::vector<BulkSalt> salts;
};

SamplingSpecies sampling_species(const SamplingJob& job);

/// Where the ions of --ion begin, as far as that is known: those that are missing are to come at random
/// places. Warnings go to `warnings`.
std::vector<MovingIon> first_ions(const SamplingJob& job, const SamplingSpecies& species,
                                  const SamplingPotential& potential, Stages& stages,
                                  const Backends& backends, std::vector<std::string>& warnings);

}  // namespace ionwell
