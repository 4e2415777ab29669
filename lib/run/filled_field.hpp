#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "run/job.hpp"
#include "run/plan.hpp"
#include "run/stages.hpp"

/// From a plan to a field that ions can be placed in, and the placing: all that a run has to do with fields.
namespace ionwell {

class RankOrders;

/// An empty lattice of the backend that was chosen. Throws Error when a device has not the memory.
std::unique_ptr<MaskedLattice> make_lattice(const BackendChoice& backend, const LatticeGeometry& lattice,
                                            const PairPotential& pair, const FieldOptions& options);

/// The field of the job's plan on `lattice`: masked where the solute keeps ions away, in the stage
/// "exclusion", if there are ions; then filled with what `potential` gives, in the stage "potential".
/// `ranks`: who share it, where they share what it is filled with already.
std::unique_ptr<PotentialField> fill_field(const Job& job, const Plan& plan, const LatticeGeometry& lattice,
                                           const std::function<SolutePotential()>& potential, Stages& stages,
                                           std::shared_ptr<RankOrders> ranks = nullptr);

/// Places `ions` in a filled field, in the stage "placement", where `before` are already there: their
/// potential is in the field, and they keep the others away. The result has the new ones only, with those
/// that `steps` has begun with.
Placement place_in_field(PotentialField& field, const Job& job, const std::vector<IonRequest>& ions,
                         std::span<const PlacedIon> before, Stages& stages, const PlacementSteps& steps = {});

}  // namespace ionwell
