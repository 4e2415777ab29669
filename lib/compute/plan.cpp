// SPDX-License-Identifier: BSD-3-Clause
#include "compute/plan.hpp"

#include "maps/map_file.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {

RunRecord planned_record(const Plan& plan, const FieldOptions& field, const std::string& command) {
  const SimdLevel simd = field.simd == SimdLevel::automatic ? best_simd_level() : field.simd;
  RunRecord run{.command = command,
                .backend_reason = plan.backend.reason,
                .device = std::string(to_string(simd)),
                .threads = thread_count(field.threads),
                .ranks = plan.ranks()};
  if (plan.backend.owner == nullptr) return run;
  run.backend = plan.backend.backend;
  run.device.clear();
  for (const Device& device : plan.backend.devices)
    run.device += (run.device.empty() ? "" : ", ") + device.name;
  run.lattice_on = plan.backend.layout.lattice_on;
  run.device_start_up_s = plan.backend.owner->start_up_s();
  return run;
}

std::vector<std::string> map_warnings(std::span<const std::string> names, const LatticeGeometry& lattice) {
  std::vector<std::string> warnings;
  for (const std::string& name : names)
    if (const auto warning = placement_warning(name, lattice)) warnings.push_back(*warning);
  return warnings;
}

}  // namespace ionwell
