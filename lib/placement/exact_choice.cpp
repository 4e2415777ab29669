#include "placement/exact_choice.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "placement/placement_rules.hpp"

namespace ionwell {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

double ExactChoice::loosest_tie_kT(double charge_e, const Candidate& candidate) const {
  return tie_band_kT(charge_e, exact_.magnitude_bound(candidate.index));
}

std::vector<Candidate> ExactChoice::sum(double charge_e, std::vector<Candidate> candidates) {
  const auto start = std::chrono::steady_clock::now();
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.energy_kT != b.energy_kT ? a.energy_kT < b.energy_kT : a.index < b.index;
  });
  double lowest_kT = infinity, limit_kT = infinity;
  std::vector<Candidate> summed;
  for (const Candidate& c : candidates) {
    if (c.energy_kT - c.error_kT > limit_kT) continue;
    summed.push_back({charge_e * exact_.at(c.index), 0.0, c.index});
    if (!(summed.back().energy_kT < lowest_kT)) continue;
    lowest_kT = summed.back().energy_kT;
    limit_kT = lowest_kT + loosest_tie_kT(charge_e, summed.back());
  }
  candidates_ += std::ssize(summed);
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summed;
}

LowestPoint ExactChoice::choose(double charge_e, std::vector<Candidate> candidates) {
  const std::vector<Candidate> summed = sum(charge_e, std::move(candidates));
  Candidate best =
      *std::min_element(summed.begin(), summed.end(),
                        [](const Candidate& a, const Candidate& b) { return a.energy_kT < b.energy_kT; });
  const auto count_within = [&](double band_kT) {
    return std::count_if(summed.begin(), summed.end(),
                         [&](const Candidate& c) { return c.energy_kT <= best.energy_kT + band_kT; });
  };
  if (count_within(loosest_tie_kT(charge_e, best)) > 1) {  // seldom, and only then is the band itself needed
    const double limit_kT = best.energy_kT + tie_band_kT(charge_e, exact_.magnitude_at(best.index));
    for (const Candidate& c : summed)
      if (c.energy_kT <= limit_kT && c.index < best.index) best = c;
  }
  return {best.index, best.energy_kT / charge_e};
}

void ExactChoice::report(FieldStatistics& statistics) const {
  statistics.candidates = candidates_;
  statistics.refinement_s = seconds_;
  statistics.exact_sums = exact_.sums();
}

LowestPoint choose_by_lattice(double charge_e, const std::vector<Candidate>& candidates) {
  Candidate best{infinity, 0.0, 0};
  for (const Candidate& c : candidates)
    if (c.energy_kT < best.energy_kT || (c.energy_kT == best.energy_kT && c.index < best.index)) best = c;
  return {best.index, best.energy_kT / charge_e};
}

}  // namespace ionwell
