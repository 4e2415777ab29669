#include "potential/sources/summed_source.hpp"

#include "compute/cost_model.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "potential/sources/filled_field.hpp"

namespace ionwell {

Plan SummedSource::plan(const Backends& backends) const {
  Plan plan{.lattice = choose_lattice(request_.structure, request_.lattice),
            .acting = request_.electrostatics,
            .pair = pair_potential(request_.electrostatics)};
  const PlannedShare share = planned_share(free_rank_group(), plan.lattice, request_.backend, backends);
  Summation sum{share.lattice, request_.structure, plan.pair, options_, request_.field};
  sum.whole = &plan.lattice;
  plan.ranks = share.ranks;
  plan.backend = choose_backend(share.backend, sum, backends);
  plan.summation = sum.options = choose_method(sum, plan.backend);
  plan.host_bytes =
      host_bytes_of_ranks(host_bytes(sum, plan.backend), share, plan.lattice, map_use(request_));
  return plan;
}

void SummedSource::describe(const Plan& plan, PotentialRecord& record) const {
  record.method = to_string(plan.summation.method);
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
