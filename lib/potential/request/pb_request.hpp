// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "potential/request/source_options.hpp"

/// What is asked of the Poisson-Boltzmann equation, before it is solved.
namespace ionwell {

/// Throws UsageError for values out of range.
void validate(const PbOptions& options);

/// Lets ions act in the solution that `pb.options` describe, as a run does: its ionic strength, and for
/// Debye-Hueckel its dielectric. Throws UsageError when `electrostatics` has an ionic strength as well.
void adopt_solution(const PbOptions& pb, ElectrostaticsOptions& electrostatics, IonUpdate& update);

}  // namespace ionwell
