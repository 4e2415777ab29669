// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "compute/backend.hpp"
#include "core/device_use.hpp"

/// What a device fails to do is done by the others, or by the host.
namespace ionwell {

/// Without the device that failed: those that are left of several, or else the host.
BackendOptions without(const BackendOptions& options, const DeviceFailure& failure);

/// "the GPU failed at ...; its work continues on GPU 1", for the user: `rest` is what `without` gave.
std::string handed_over_text(const DeviceFailure& failure, const BackendOptions& rest);

/// What work(job) gives. When a device fails, work is called again, with a job that has the options without
/// it, and a warning more.
template <typename Job, typename Work>
auto handing_over(const Job& job, const Work& work) {
  std::optional<Job> rest;
  for (;;) try {
      return work(rest ? *rest : job);
    } catch (const DeviceFailure& failure) {
      const BackendOptions left = without(rest ? rest->backend : job.backend, failure);
      if (!rest) rest.emplace(job);
      rest->backend = left;
      rest->warnings.push_back(handed_over_text(failure, left));
    }
}

}  // namespace ionwell
