#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"
#include "ionwell/potential_options.hpp"
#include "run/result.hpp"

/// What there is to say of ions that were not placed, or should not have been.
namespace ionwell {

/// How many of the ions were placed, why no more, and what makes room.
std::string too_few_message(const Result& result, const LatticeRequest& lattice,
                            const ImportedMapArguments& map);

/// One warning for all ions that would rather be elsewhere.
std::optional<std::string> repelled_ions_warning(const Result& result);

}  // namespace ionwell
