// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/backend.hpp"
#include "gpu/backend.hpp"
#include "placement/crystal_sites/place_sites.hpp"
#include "placement/crystal_sites/plain_sites.hpp"
#include "placement/crystal_sites/site_features.hpp"
#include "placement/crystal_sites/site_field.hpp"
#include "support/backends.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr std::int64_t every_point = std::numeric_limits<std::int64_t>::max();

struct SitesOfBoth {
  std::unique_ptr<SiteField> host, device;

  explicit SitesOfBoth(const SiteProblem& problem)
      : host(make_host_site_field(problem, {})),
        device(gpu_backend().make_site_field(gpu_backend().devices().devices.front().number, problem, {})) {}
};

double largest_difference(const BasinPoints& a, const BasinPoints& b) {
  double largest = 0.0;
  for (std::size_t n = 0; n < a.basin_kT.size(); ++n)
    largest = std::max(largest, std::abs(a.basin_kT[n] - b.basin_kT[n]));
  return largest;
}

/// Trees whose thresholds lie between features that points have.
SiteScore random_score(Random& random, const ScoredPoints& points) {
  using Node = BoostedTrees::Node;
  const std::size_t count = points.positions_A.size();
  std::vector<std::vector<Node>> trees;
  for (int t = 0; t < 400; ++t) {
    std::vector<Node> tree;
    for (int depth = 0; depth < 5; ++depth) {  // each branch below the right of the one before
      const auto f = random.below(site_feature_count);
      const auto value = [&] {
        return points.features[std::size_t(f) * count + std::size_t(random.below(std::int64_t(count)))];
      };
      const auto left = std::uint32_t(tree.size() + 1);
      tree.push_back({std::int32_t(f), 0.5f * (value() + value()), left, left + 1, 0.0});
      tree.push_back({.value = random.between(-0.05, 0.05)});
    }
    tree.push_back({.value = random.between(-0.05, 0.05)});
    trees.push_back(tree);
  }
  SiteScore score;
  score.trees = BoostedTrees(-1.0, trees, site_feature_count);
  return score;
}

}  // namespace

TEST_CASE("gpu: basins of a site model as on the host, of any lattice and terms") {
  if (!have_gpu()) return;
  Random random(71);
  const Box box{{0, 0, 0}, {22, 19, 17}};
  const std::vector<SiteAtom> atoms = random_site_atoms(random, box, 300);
  SiteModel model = test_site_model();
  const LatticeGeometry lattice{{-6, -4.5, 2}, {0.5, 0.6, 0.7}, {61, 50, 33}};
  for (const bool has_many_terms : {false, true}) {
    if (has_many_terms)
      for (int n = 0; n < 7; ++n)
        model.terms.push_back({bit_of(SiteAtomClass(2 * n)), 0.1 * n - 0.2, 0.5 * n, 0.5 + 0.3 * n});
    for (const double width_A : {1.2, 0.0}) {
      model.basin_width_A = width_A;
      const SitesOfBoth of({lattice, model, atoms, {.multilevel = false}});
      const BasinPoints host = of.host->lowest_basins(every_point, {});
      const BasinPoints device = of.device->lowest_basins(every_point, {});
      REQUIRE(host.index.size() > 5000);
      CHECK(device.index == host.index);
      CHECK(std::isinf(device.complete_below_kT));
      CHECK(largest_difference(host, device) < 2e-4);

      // The lowest of them: those below what is complete.
      const BasinPoints lowest = of.device->lowest_basins(1000, {});
      CHECK(lowest.index.size() >= 1000);
      CHECK(lowest.index.size() < host.index.size());
      const auto below = std::count_if(device.basin_kT.begin(), device.basin_kT.end(),
                                       [&](double f) { return f <= lowest.complete_below_kT; });
      CHECK(std::ssize(lowest.index) == below);
      CHECK(*std::max_element(lowest.basin_kT.begin(), lowest.basin_kT.end()) <= lowest.complete_below_kT);
    }
  }
  REQUIRE(model.terms.size() > 8);
}

TEST_CASE("gpu: a site model with a multilevel sum as on the host") {
  if (!have_gpu()) return;
  Random random(72);
  const std::vector<SiteAtom> atoms = random_site_atoms(random, {{0, 0, 0}, {20, 20, 20}}, 400);
  const SiteModel model = test_site_model();
  const LatticeGeometry lattice{{-5, -5, -5}, {0.5, 0.5, 0.5}, {60, 60, 60}};
  const SitesOfBoth of({lattice, model, atoms, {.multilevel = true}});
  const BasinPoints host = of.host->lowest_basins(every_point, {}),
                    device = of.device->lowest_basins(every_point, {});
  CHECK(device.index == host.index);
  CHECK(largest_difference(host, device) < 1e-3);
}

TEST_CASE("gpu: a learned score as on the host, and the same ions by it") {
  if (!have_gpu()) return;
  Random random(73);
  const std::vector<SiteAtom> atoms = random_site_atoms(random, {{0, 0, 0}, {24, 24, 24}}, 700);
  const SiteModel model = magnesium_site_model();
  const LatticeGeometry lattice{{-4, -4, -4}, {0.5, 0.5, 0.5}, {65, 64, 63}};
  const SiteProblem problem{lattice, model, atoms, {.multilevel = false}};
  constexpr std::int64_t scored = 4000;
  const auto energies = site_energies(lattice, model, atoms, problem.options, {});
  const BasinPoints points =
      lowest_basins(*energies, model.basin_width_A, scored, SimdLevel::automatic, 1, {});
  const SiteScore score =
      random_score(random, features_of(*energies, points, atoms, SimdLevel::automatic, 1));
  const SitesOfBoth of(problem);
  for (int repeat = 0; repeat < 2; ++repeat) {  // a score leaves the terms as they are
    const ScoredBasins host = of.host->scored_basins(score, scored, {}),
                       device = of.device->scored_basins(score, scored, {});
    REQUIRE(device.points.index == host.points.index);
    CHECK_FALSE(device.every_point);
    // Features that lie on a threshold may come to either side of it, which all points around feel.
    std::int64_t far_apart = 0;
    for (std::size_t n = 0; n < host.points.index.size(); ++n)
      far_apart += std::abs(host.points.basin_kT[n] - device.points.basin_kT[n]) > 0.01;
    CHECK(far_apart < std::ssize(host.points.index) / 50);
    CHECK(largest_difference(host.points, device.points) < 0.1);

    const IonRequest request{{"MG", "MG", 2.0}, 12};
    const auto ions_by = [&](const BasinPoints& by) {
      std::vector<std::int64_t> indices;
      for (const PlacedIon& ion : place_sites(lattice, model, by, request, 1e300, {}).placement.ions)
        indices.push_back(ion.lattice_index);
      return indices;
    };
    CHECK(ions_by(device.points) == ions_by(host.points));
  }
  const ScoredBasins all = of.device->scored_basins(score, every_point, {});
  CHECK(all.every_point);
  CHECK(std::isinf(all.points.complete_below_kT));
}

TEST_CASE("gpu: a site model without atoms, charges or room") {
  if (!have_gpu()) return;
  const LatticeGeometry lattice{{0, 0, 0}, {1, 1, 1}, {20, 20, 20}};
  const SiteModel model = magnesium_site_model();
  const auto points = [&](const std::vector<SiteAtom>& atoms) {
    return SitesOfBoth({lattice, model, atoms, {.multilevel = false}})
        .device->lowest_basins(100, {})
        .index.size();
  };
  CHECK(points({}) == 0);
  CHECK(points({{{5, 5, 5}, 1.0, SiteAtomClass::polar_hydrogen}}) == 0);
  CHECK(points({{{500, 5, 5}, 1.0, SiteAtomClass::phosphorus}}) == 0);
  CHECK(points({{{5, 5, 5}, 0.0, SiteAtomClass::phosphorus}}) >= 100);
}
