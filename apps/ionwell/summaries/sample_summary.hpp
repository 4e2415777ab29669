#pragma once

#include <ostream>

#include "jobs/sample/sampling_run.hpp"

namespace ionwell {

/// What was sampled, and what of it is sure.
void print_sample(std::ostream& out, const SamplingResult& result);

}  // namespace ionwell
