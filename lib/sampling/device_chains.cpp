// SPDX-License-Identifier: BSD-3-Clause
#include "sampling/device_chains.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace ionwell {

void check_for_device(const ChainProblem& problem) {
  const IonModel& model = problem.model;
  const auto refuse_more = [](std::size_t count, std::size_t most, const char* what) {
    if (count > most)
      fail<UsageError>("a GPU samples up to ", most, " ", what, ", but these are ", count,
                       "; use --backend cpu");
  };
  refuse_more(model.species.size(), most_device_species, "kinds of ions");
  refuse_more(problem.baths.size(), most_device_baths, "salts");
  for (const SaltBath& bath : problem.baths)
    refuse_more(std::size_t(bath.cations + bath.anions), most_device_unit, "ions of a formula unit");
  if (model.field && model.field->nodes() == nullptr)
    fail<UsageError>("a GPU samples in potentials on lattices, but this run has none; use --backend cpu");
}

std::int64_t chain_capacity(const ChainProblem& problem) {
  std::size_t most = 0;
  for (const std::vector<MovingIon>& ions : problem.starts) most = std::max(most, ions.size());
  constexpr std::int64_t spare = 64;
  return std::int64_t(most) + (problem.baths.empty() ? 0 : std::int64_t(most) + spare);
}

}  // namespace ionwell
