#include "run/sources/summed_source.hpp"

#include "run/cost_model.hpp"
#include "run/ranks/rank_shares.hpp"

namespace ionwell {

Plan SummedSource::plan(const Backends& backends) const {
  Plan plan{.lattice = choose_lattice(job_.structure, job_.lattice),
            .acting = job_.electrostatics,
            .pair = pair_potential(job_.electrostatics)};
  const PlannedShare share = planned_share(free_rank_group(), plan.lattice, job_.backend, backends);
  Summation sum{share.lattice, job_.structure, plan.pair, options_, job_.field};
  sum.whole = &plan.lattice;
  plan.ranks = share.ranks;
  plan.backend = choose_backend(share.backend, sum, backends);
  plan.summation = sum.options = choose_method(sum, plan.backend);
  plan.host_bytes = host_bytes_of_ranks(host_bytes(sum, plan.backend), share, plan.lattice, map_use(job_));
  return plan;
}

void SummedSource::describe(const Plan& plan, Result& result) const {
  result.method = to_string(plan.summation.method);
  if (plan.summation.method == Method::multilevel) result.multilevel = plan.summation.multilevel;
}

void SummedSource::place(const Plan& plan, Result& result, Stages& stages) {
  std::vector<PointCharge> charges;
  const auto filling = [&]() -> SolutePotential {
    charges = point_charges(job_.structure.atoms);
    if (plan.summation.method == Method::multilevel) return MultilevelSum{charges, plan.summation.multilevel};
    return DirectSum{charges};
  };
  fill_result(job_, plan, filling, {}, result, stages);
  place_in_result(job_, result, stages);
}

}  // namespace ionwell
