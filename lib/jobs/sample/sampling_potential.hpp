// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/sample/sampling_run.hpp"

namespace ionwell {

/// The pair potential of the ions of a job, as options and as it is computed.
struct ActingIons {
  std::optional<ElectrostaticsOptions> options;  // none: they do not act
  PairPotential pair;
};

/// Whether the solute's charges are summed: not so with maps and solvers.
bool sums_charges(const SamplingJob& job);

/// With water's dielectric where nothing is said of screening.
ElectrostaticsOptions summed_electrostatics(const SamplingJob& job);

ActingIons acting_ions(const SamplingJob& job);

/// The lattice of an open box: the request, with the border that sampling has.
LatticeRequest sampling_lattice(const SamplingJob& job);

/// The potential of the solute by the job's source; warnings go to `warnings`.
SamplingPotential sampling_potential(const SamplingJob& job, Stages& stages, const Backends& backends,
                                     std::vector<std::string>& warnings);

}  // namespace ionwell
