// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "electrostatics/pair_potential.hpp"

/// How ions act on each other where the solute's potential comes from a map, which says nothing of them.
namespace ionwell {

/// The rule by which a placed ion acts on those after it; `automatic` is debye_hueckel in imported maps and
/// coulomb between the solves of a Poisson-Boltzmann solver.
enum class Update { automatic, debye_hueckel, coulomb, none };

struct IonUpdate {
  Update rule = Update::automatic;
  std::optional<double> dielectric;  // not given: water's, or 40 for coulomb
};

// Of the published protocols (Stone et al. 2007).
constexpr double usual_ionic_strength_M = 0.15, published_hybrid_dielectric = 40.0;

/// Throws UsageError for a dielectric that is not positive or that nothing uses, and for a temperature or an
/// ionic strength out of range.
void validate(const IonUpdate& update, const ElectrostaticsOptions& electrostatics);

/// What an ion does, as options of a pair potential: Debye-Hueckel with water's dielectric and 0.15 M, or
/// Coulomb with 40, unless told otherwise; nothing for `none`. Of `electrostatics` it takes the temperature
/// and the ionic strength.
std::optional<ElectrostaticsOptions> update_electrostatics(const IonUpdate& update,
                                                           const ElectrostaticsOptions& electrostatics);

/// The pair potential of the ions: zero for `none`.
PairPotential update_potential(const std::optional<ElectrostaticsOptions>& update);

/// How ions act until the next solve: Coulomb with 40 when nothing is said, as the published hybrid has it.
IonUpdate with_hybrid_default(IonUpdate update);

}  // namespace ionwell
