// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "compute/backend.hpp"
#include "core/device_use.hpp"
#include "sampling/first_ions.hpp"
#include "sampling/sample.hpp"

namespace ionwell {

/// A sample, and what moved its ions.
struct ComputedSample {
  SampleResult sample;
  Backend backend = Backend::cpu;
  std::string device;   // empty for the CPU
  std::string note;     // why no device did it, though one was not ruled out; may be empty
  std::string warning;  // of one that failed; may be empty
  std::optional<DeviceUse> use;
  int ranks = 1;            // processes that shared the replicas
  double start_up_s = 0.0;  // of all devices of this process
};

/// The device that is to move the ions, if one is; otherwise, where there was a choice, why none is. `ions`
/// are in a replica at its start, `ranks` processes would share the replicas. Throws as choose_backend does.
BackendChoice choose_sampler(const SampleJob& job, std::int64_t ions, const BackendOptions& backend,
                             const Backends& backends, int ranks = 1);

/// Samples on the processors of all ranks that are free, or on a device: where it is requested, or likely to
/// be sooner. `first` is what the job's replicas start with. Throws as sample() does, UsageError for what a
/// device that was requested cannot take.
ComputedSample computed_sample(const SampleJob& job, const FirstIons& first, const BackendOptions& backend,
                               const Backends& backends, const Progress& progress);

}  // namespace ionwell
