// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "potential/request/potential_record.hpp"

/// What summaries, reports and maps say of a potential.
namespace ionwell {

/// "Coulomb, eps = 1, 298.15 K".
std::string describe_electrostatics(const ElectrostaticsOptions& options);

/// With that after it, what a map of the solute's potential says of itself.
constexpr std::string_view solute_potential_by = "the solute's potential; ";

/// "direct sum", or multilevel summation with its options: how the potential was computed.
std::string describe_method(const PotentialRecord& potential);

}  // namespace ionwell
