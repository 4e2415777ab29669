// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "placement/host_field.hpp"
#include "placement/place_ions.hpp"
#include "support/reference.hpp"

/// Placement problems, and how a field's answer compares with the plain one.
namespace ionwell::test {

/// Charges of both signs in the middle of a lattice that has room around them; no ions yet.
ReferenceProblem solute(const PairPotential& pair, Vec3<std::int64_t> counts, std::uint64_t seed);

/// `count` charges, taken from `charges_e` in turn.
std::vector<double> alternating(int count, const std::vector<double>& charges_e);

/// The solute as place_ions wants it: atoms at the centres.
Structure structure_of(const ReferenceProblem& problem);

/// Consecutive ions of one charge make one request.
std::vector<IonRequest> requests_of(const std::vector<double>& charges_e);

/// A field that holds the problem's exclusion and charges.
std::unique_ptr<PotentialField> filled_field(const ReferenceProblem& problem,
                                             const FieldOptions& options = {});

/// Places the problem's ions in it.
Placement placed(const ReferenceProblem& problem, PotentialField& field);

/// Ions that differ from the reference in point or energy, and missing or surplus ones.
std::int64_t differences(const Placement& placement, const std::vector<ReferenceIon>& reference);

/// CHECKs a problem on every instruction set, with 1, 2 and 3 threads.
void check_everywhere(const ReferenceProblem& problem, const std::vector<ReferenceIon>& reference);

}  // namespace ionwell::test
