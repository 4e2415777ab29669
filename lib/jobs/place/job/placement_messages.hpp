// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "compute/lattice_request.hpp"
#include "jobs/place/job/result.hpp"

/// What there is to say of ions that were not placed, or should not have been.
namespace ionwell {

/// How many of the ions were placed, why no more, and what makes room; `lattice` as the job had it.
std::string too_few_message(const Result& result, const LatticeRequest& lattice);

/// One warning for all ions that would rather be elsewhere.
std::optional<std::string> repelled_ions_warning(const Result& result);

}  // namespace ionwell
