// SPDX-License-Identifier: BSD-3-Clause
#include "placement/crystal_sites/site_field.hpp"

namespace ionwell {
namespace {

class HostSiteField final : public SiteField {
 public:
  HostSiteField(const SiteProblem& problem, const Progress& progress)
      : problem_(problem), energies_(make_energies(progress)) {}

  BasinPoints lowest_basins(std::int64_t count, const Progress& progress) override {
    if (!energies_) energies_ = make_energies({});
    return basins(count, progress);
  }

  ScoredBasins scored_basins(const SiteScore& score, std::int64_t count, const Progress& progress) override {
    constexpr double chosen = 0.2, scored = 0.9;  // of the time, by then
    const auto part = [&](double from, double to) -> Progress {
      if (!progress) return {};
      return [=, &progress](double done) { progress(from + (to - from) * done); };
    };
    const BasinPoints points = lowest_basins(count, part(0.0, chosen));
    score_sites(*energies_, points, score, problem_.atoms, problem_.options.simd, problem_.options.threads,
                part(chosen, scored));
    constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
    ScoredBasins result{basins(all, part(scored, 1.0)), std::isinf(points.complete_below_kT)};
    energies_.reset();  // the score took their place
    return result;
  }

  std::optional<DeviceUse> device_use() const override { return {}; }

 private:
  std::unique_ptr<HostStore> make_energies(const Progress& progress) const {
    return site_energies(problem_.lattice, problem_.model, problem_.atoms, problem_.options, progress);
  }
  BasinPoints basins(std::int64_t count, const Progress& progress) const {
    return ionwell::lowest_basins(*energies_, problem_.model.basin_width_A, count, problem_.options.simd,
                                  problem_.options.threads, progress);
  }

  SiteProblem problem_;
  std::unique_ptr<HostStore> energies_;  // null when the score took their place
};

}  // namespace

std::unique_ptr<SiteField> make_host_site_field(const SiteProblem& problem, const Progress& progress) {
  return std::make_unique<HostSiteField>(problem, progress);
}

}  // namespace ionwell
