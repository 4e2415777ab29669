// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/sample/sampling_run.hpp"
#include "python/job_options.hpp"

namespace ionwell::python {

/// What the keywords of sample ask for; `ions` are texts as parse_ion_requests has them. Throws UsageError.
SamplingJob sampling_job(const JobOptions& keywords, const std::vector<std::string>& ions, IonNaming naming,
                         const Structure& structure);

}  // namespace ionwell::python
