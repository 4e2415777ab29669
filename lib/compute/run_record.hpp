// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/backend_options.hpp"
#include "compute/observer.hpp"
#include "core/device_use.hpp"

namespace ionwell {

class Stages;

/// How a run went, whatever it computed: for reports and summaries.
struct RunRecord {
  std::string command;             // as typed
  Backend backend = Backend::cpu;  // never automatic
  std::string backend_reason;      // as BackendChoice::reason; may be empty
  std::string device;              // the instruction set, or the names of the GPUs
  LatticeOn lattice_on = LatticeOn::host;
  int threads = 1;  // of the CPU, of one rank
  int ranks = 1;    // processes that shared the work
  std::vector<std::pair<std::string, double>>
      timings_s;  // by stage: read, potential, exclusion, placement, write; total
  std::int64_t host_peak_bytes = 0;
  std::optional<DeviceUse> device_use;  // of the GPUs
  double device_start_up_s = 0.0;       // until the first kernel could run
  std::vector<std::string> warnings;    // and notes (core/text/note.hpp)
};

/// Adds warnings and notes to the record and passes them to the observer.
void warn(RunRecord& run, const RunObserver& observer, const std::vector<std::string>& warnings);

/// Brings times and memory up to date, also when files were written after the run.
void update_costs(RunRecord& run, const Stages& stages);

/// The same, with what the devices did; a run on a device that tells nothing did nothing on it.
void update_costs(RunRecord& run, const Stages& stages, const DeviceUse* use);

}  // namespace ionwell
