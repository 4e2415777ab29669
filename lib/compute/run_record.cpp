// SPDX-License-Identifier: BSD-3-Clause
#include "compute/run_record.hpp"

#include "compute/stages.hpp"
#include "core/available_memory.hpp"

namespace ionwell {

void warn(RunRecord& run, const RunObserver& observer, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) {
    run.warnings.push_back(warning);
    if (observer.warning) observer.warning(warning);
  }
}

void update_costs(RunRecord& run, const Stages& stages) {
  run.timings_s = stages.times();
  run.timings_s.emplace_back("total", stages.total_seconds());
  run.host_peak_bytes = peak_memory_bytes();
}

void update_costs(RunRecord& run, const Stages& stages, const DeviceUse* use) {
  update_costs(run, stages);
  if (run.backend == Backend::cpu) return;
  if (use != nullptr)
    run.device_use = *use;
  else if (!run.device_use)
    run.device_use = DeviceUse{};
}

}  // namespace ionwell
