// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jobs/place/job/job.hpp"
#include "placement/ion.hpp"

/// Ways of placing ions, to be compared with each other: one row for each.
namespace ionwell {

struct Protocol {
  std::string name;   // as --protocol takes it
  std::string about;  // what it is, for the help
  SourceOptions source;
  ElectrostaticsOptions electrostatics;
  ExclusionOptions exclusion;
  bool is_usual = false;  // compared when none is named
  std::string not_run;    // why it cannot be, here; otherwise empty

  /// Whether a solver runs, of which there can be only one at a time.
  bool is_solved() const { return std::holds_alternative<PbOptions>(source); }
};

/// All of them; those that solve the Poisson-Boltzmann equation have `solver` do so.
std::vector<Protocol> known_protocols(PbSolvedBy solver);

/// Those of these names, in the order of the table; none: the usual ones. Throws UsageError for a name that
/// is not in the table. `ions` are texts as of --ion: a site model is not run for ions that it is not for.
std::vector<Protocol> choose_protocols(std::span<const std::string> names, PbSolvedBy solver,
                                       std::span<const std::string> ions = {});

/// On the CPU. `structure` must outlive the job.
Job job_of(const Protocol& protocol, const Structure& structure, std::vector<IonRequest> ions,
           int threads = 0);

}  // namespace ionwell
