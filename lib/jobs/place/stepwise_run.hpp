// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compute/backend.hpp"
#include "compute/stages.hpp"
#include "jobs/place/job/job.hpp"
#include "jobs/place/job/result.hpp"

namespace ionwell {

struct StartedRun;

/// A run whose ions come in several steps, with a look at the result between them: for a script whose
/// commands say one after the other what to place. The ions are those of one run with all requests in order.
class StepwiseRun {
 public:
  /// Computes the solute's potential and what it keeps free. `job` must say ions_follow, and must outlive
  /// this, as `stages` and the backends must. Throws as `run`, and UsageError for a job whose potential is
  /// solved anew between ions.
  StepwiseRun(const Job& job, Stages& stages, const Backends& backends = {});
  ~StepwiseRun();
  StepwiseRun(const StepwiseRun&) = delete;
  StepwiseRun& operator=(const StepwiseRun&) = delete;

  /// Places ions in the potential of the solute and of all ions before; says how many found room. Those that
  /// did are in the result, also when others did not. Throws UsageError for what cannot be placed.
  std::int64_t place(const std::vector<IonRequest>& ions);

  /// All that was placed so far; neighbours, times and memory are up to date.
  const Result& result() const;

 private:
  const Job& job_;
  Stages& stages_;
  std::unique_ptr<StartedRun> run_;
};

}  // namespace ionwell
