// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "potential/lattice_potential.hpp"
#include "potential/request/describe_potential.hpp"

/// What is said of potentials, by every run that has one.
namespace ionwell {

/// JSON, schema version 1; later versions only add. Numbers that are not finite are null.
std::string json_report(const LatticePotential& potential);

}  // namespace ionwell
