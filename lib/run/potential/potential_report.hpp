#pragma once

#include <string>
#include <string_view>

#include "run/potential/lattice_potential.hpp"

/// What is said of potentials, by every run that has one.
namespace ionwell {

/// JSON, schema version 1; later versions only add. Numbers that are not finite are null.
std::string json_report(const LatticePotential& potential);

/// "Coulomb, eps = 1, 298.15 K".
std::string describe_electrostatics(const ElectrostaticsOptions& options);

/// With that after it, what a map of the solute's potential says of itself.
constexpr std::string_view solute_potential_by = "the solute's potential; ";

/// "direct sum", or multilevel summation with its options: how the potential was computed.
std::string describe_method(const PotentialRecord& potential);

}  // namespace ionwell
