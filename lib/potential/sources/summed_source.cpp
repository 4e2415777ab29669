// SPDX-License-Identifier: BSD-3-Clause
#include "potential/sources/summed_source.hpp"

#include <algorithm>

#include "compute/accurate_sum.hpp"
#include "compute/cost_model.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "parallel/thread_count.hpp"
#include "potential/sources/filled_field.hpp"

namespace ionwell {
namespace {

/// From all charges, of the points whose values matter: all but those on top of an atom, or those where ions
/// can go.
double least_distance_A(const PotentialRequest& request) {
  constexpr double on_top_of_an_atom_A = 1.0;
  const double ions_A = request.field.every_point ? 0.0 : request.solute_distance_A.value_or(0.0);
  return std::max(on_top_of_an_atom_A, ions_A);
}

}  // namespace

Plan SummedSource::plan(const Backends& backends) const {
  Plan plan{.lattice = choose_lattice(request_.structure, request_.lattice),
            .acting = request_.electrostatics,
            .pair = pair_potential(request_.electrostatics)};
  const PlannedShare share = planned_share(backends.free_ranks(), plan.lattice, request_.backend, backends);
  const std::vector<PointCharge> charges =
      options_.accuracy ? point_charges(request_.structure.atoms) : std::vector<PointCharge>{};
  const SummationOptions options = for_accuracy(options_, {.lattice = plan.lattice,
                                                           .charges = charges,
                                                           .pair = plan.pair,
                                                           .least_distance_A = least_distance_A(request_),
                                                           .simd = request_.field.simd,
                                                           .threads = thread_count(request_.field.threads)});
  Summation sum{share.lattice, request_.structure, plan.pair, options, request_.field};
  sum.whole = &plan.lattice;
  plan.group = share.group;
  plan.backend = choose_backend(share.backend, sum, backends);
  plan.summation = sum.options = choose_method(sum, plan.backend);
  plan.host_bytes =
      host_bytes_of_ranks(host_bytes(sum, plan.backend), share, plan.lattice, map_use(request_));
  return plan;
}

void SummedSource::describe(const Plan& plan, PotentialRecord& record) const {
  record.method = to_string(plan.summation.method);
  record.accuracy = plan.summation.accuracy;
  if (plan.summation.method == Method::multilevel) record.multilevel = plan.summation.multilevel;
}

std::shared_ptr<PotentialField> SummedSource::fill(const Plan& plan, PotentialRecord&, RunRecord&,
                                                   Stages& stages) {
  std::vector<PointCharge> charges;
  const auto filling = [&]() -> SolutePotential {
    charges = point_charges(request_.structure.atoms);
    if (plan.summation.method == Method::multilevel) return MultilevelSum{charges, plan.summation.multilevel};
    return DirectSum{charges};
  };
  return fill_keeping({}, request_, plan, filling, stages);
}

}  // namespace ionwell
