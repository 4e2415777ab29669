#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options.hpp"
#include "ionwell/potential_options.hpp"
#include "run/report.hpp"

/// What there is to say of ions that were not placed, or should not have been.
namespace ionwell {

/// How many of the ions were placed, why no more, and what makes room.
std::string too_few_message(const Placement& placement, const ExclusionOptions& exclusion,
                            const LatticeRequest& lattice, const MapArguments& map);

/// One warning for all ions that would rather be elsewhere.
std::optional<std::string> repelled_ions_warning(const RunReport& report);

/// What a map saved after the placement holds besides the solute's potential.
std::string ions_part(const RunReport& report);

/// Of a map that is saved and has `points` more than the maps it comes from.
std::string unreached_warning(std::int64_t points, const LatticeGeometry& lattice);

}  // namespace ionwell
