// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>

#include "compute/plan.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "compute/stages.hpp"
#include "potential/request/potential_request.hpp"

/// From a plan to a field with a potential in it.
namespace ionwell {

class RankOrders;

/// What the first rank does with the values of all points of a potential.
MapUse map_use(const PotentialRequest& request);

/// The field of the request's plan on `lattice`: masked near the solute, in the stage "exclusion", where that
/// is requested; then filled with what `potential` gives, in the stage "potential". `ranks`: who share it,
/// where they share what it is filled with already.
std::unique_ptr<PotentialField> fill_field(const PotentialRequest& request, const Plan& plan,
                                           const LatticeGeometry& lattice,
                                           const std::function<SolutePotential()>& potential, Stages& stages,
                                           std::shared_ptr<RankOrders> ranks = nullptr);

/// The same on the plan's lattice, for a field that keeps `values` alive: what it was filled with and still
/// refers to.
std::shared_ptr<PotentialField> fill_keeping(std::shared_ptr<const void> values,
                                             const PotentialRequest& request, const Plan& plan,
                                             const std::function<SolutePotential()>& potential,
                                             Stages& stages, std::shared_ptr<RankOrders> ranks = nullptr);

}  // namespace ionwell
