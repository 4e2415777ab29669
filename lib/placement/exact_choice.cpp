// SPDX-License-Identifier: BSD-3-Clause
#include "placement/exact_choice.hpp"

#include <algorithm>
#include <chrono>

#include "placement/placement_rules.hpp"

namespace ionwell {

double ExactChoice::loosest_tie_kT(double charge_e, const Candidate& candidate) const {
  return tie_band_kT(charge_e, exact_.magnitude_bound(candidate.index));
}

double ExactChoice::exact_tie_kT(double charge_e, std::int64_t index) const {
  return tie_band_kT(charge_e, exact_.magnitude_at(index));
}

std::vector<Candidate> ExactChoice::sum(double charge_e, std::vector<Candidate> candidates) {
  const auto start = std::chrono::steady_clock::now();
  std::sort(candidates.begin(), candidates.end(), precedes);
  LowestEnergy lowest;
  std::vector<Candidate> summed;
  for (const Candidate& c : candidates) {
    if (!c.may_reach(lowest.limit_kT())) continue;
    summed.push_back({charge_e * exact_.at(c.index), 0.0, c.index});
    if (lowest.include(summed.back().energy_kT)) lowest.tie_kT = loosest_tie_kT(charge_e, summed.back());
  }
  candidates_ += std::ssize(summed);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summed;
}

LowestPoint ExactChoice::choose(double charge_e, std::vector<Candidate> candidates) {
  const std::vector<Candidate> summed = sum(charge_e, std::move(candidates));
  const Candidate& best = summed[choose_candidate(
      summed, [&](std::size_t n) { return loosest_tie_kT(charge_e, summed[n]); },
      [&](std::size_t n) { return exact_tie_kT(charge_e, summed[n].index); })];
  return {best.index, best.energy_kT / charge_e};
}

void ExactChoice::report(FieldStatistics& statistics) const {
  statistics.candidates = candidates_;
  statistics.refinement_s = seconds_;
  statistics.exact_sums = exact_.sums();
}

LowestPoint choose_by_lattice(double charge_e, const std::vector<Candidate>& candidates) {
  const Candidate& best = *std::min_element(candidates.begin(), candidates.end(), precedes);
  return {best.index, best.energy_kT / charge_e};
}

}  // namespace ionwell
