// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "placement/crystal_sites/place_sites.hpp"
#include "placement/crystal_sites/plain_sites.hpp"
#include "placement/placement_rules.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// More than a brick along x, with atoms at its far end, so that basins cross borders.
const LatticeGeometry lattice{{-6, -6, -6}, {0.6, 0.6, 0.6}, {75, 20, 18}};

std::vector<SiteAtom> rod() {
  Random random(41);
  return random_site_atoms(random, {{0, -2, -2}, {34, 2, 2}}, 70);
}

constexpr std::int64_t all = 1'000'000;

}  // namespace

TEST_CASE("basins: F as its equation, on any number of threads") {
  const SiteModel model = test_site_model();
  const std::vector<SiteAtom> atoms = rod();
  const auto store = site_energies(lattice, model, atoms, {.multilevel = false}, {});
  const auto plain = plain_basins(lattice, plain_energies(lattice, model, atoms), model.basin_width_A);
  for (const SimdLevel simd : simd_levels()) {
    const BasinPoints points = lowest_basins(*store, model.basin_width_A, all, simd, 1, {});
    REQUIRE(points.index.size() == plain.size());
    CHECK(std::isinf(points.complete_below_kT));
    double worst_kT = 0.0;
    auto expected = plain.begin();
    for (std::size_t n = 0; n < points.index.size(); ++n, ++expected) {
      REQUIRE(points.index[n] == expected->first);
      worst_kT = std::max(worst_kT, std::abs(points.basin_kT[n] - expected->second));
    }
    CHECK(worst_kT < 2e-5);
    const BasinPoints again = lowest_basins(*store, model.basin_width_A, all, simd, 3, {});
    CHECK(again.index == points.index);
    CHECK(again.basin_kT == points.basin_kT);
  }
}

TEST_CASE("basins: without a width F is E, and of few points none that is lower is missing") {
  const SiteModel model = magnesium_site_model();
  const auto store = site_energies(lattice, model, rod(), {.multilevel = false}, {});
  const BasinPoints whole = lowest_basins(*store, 0.0, all, SimdLevel::automatic, 2, {});
  const auto plain = plain_energies(lattice, model, rod());
  for (std::size_t n = 0; n < whole.index.size(); ++n)
    CHECK(whole.basin_kT[n] == doctest::Approx(plain.at(whole.index[n])).epsilon(1e-4));
  for (const std::int64_t count : {1, 100, 3000}) {
    const BasinPoints few = lowest_basins(*store, 0.0, count, SimdLevel::automatic, 2, {});
    CHECK(std::ssize(few.index) >= count);
    CHECK(few.index.size() < whole.index.size());
    const auto lower = std::count_if(whole.basin_kT.begin(), whole.basin_kT.end(),
                                     [&](double f) { return f < few.complete_below_kT; });
    CHECK(lower <= std::ssize(few.index));
    for (std::size_t n = 0, at = 0; n < few.index.size(); ++n, ++at) {
      while (whole.index[at] != few.index[n]) CHECK(whole.basin_kT[at++] >= few.complete_below_kT);
      CHECK(few.basin_kT[n] == whole.basin_kT[at]);
    }
  }
}

TEST_CASE("basins: energies of any size leave numbers") {
  const SiteModel model{.terms = {{.energy_kT = 5000.0, .width_A = 3.0}}};
  const SiteModel well{.terms = {{.energy_kT = -5000.0, .width_A = 3.0}}};
  for (const SiteModel& extreme : {model, well}) {
    const auto store = site_energies(lattice, extreme, rod(), {.multilevel = false}, {});
    for (const double f : lowest_basins(*store, 1.2, all, SimdLevel::automatic, 2, {}).basin_kT)
      CHECK(std::isfinite(f));
  }
}

TEST_CASE("sites: ions are put where a plain search puts them, however far they act") {
  SiteModel model = magnesium_site_model();
  SUBCASE("1 M") {}
  SUBCASE("0.1 M") {
    model.ionic_strength_M = 0.1;
  }
  SUBCASE("no salt") {
    model.ionic_strength_M = 0.0;
  }
  const auto store = site_energies(lattice, model, rod(), {.multilevel = false}, {});
  const BasinPoints points = lowest_basins(*store, model.basin_width_A, all, SimdLevel::automatic, 2, {});
  const IonRequest request{{"MG", "MG", 2.0}, 12};
  const SitePlacement placed =
      place_sites(lattice, model, points, request, std::numeric_limits<double>::infinity(), {});
  REQUIRE(placed.complete);
  const PairPotential pair = pair_potential_of(model);
  std::vector<double> energy_kT = points.basin_kT;
  for (const PlacedIon& ion : placed.placement.ions) {
    const auto best = std::size_t(std::min_element(energy_kT.begin(), energy_kT.end()) - energy_kT.begin());
    CHECK(ion.lattice_index == points.index[best]);
    CHECK(ion.energy_kT == doctest::Approx(energy_kT[best]).epsilon(1e-12));
    for (std::size_t n = 0; n < energy_kT.size(); ++n) {
      const double r2 = distance_squared(lattice.position_A(points.index[n]), ion.position_A);
      energy_kT[n] += 4.0 * pair.at(r2);
      if (r2 <= ion_limit_A2(model.ion_ion_A)) energy_kT[n] = std::numeric_limits<double>::infinity();
    }
  }

  SUBCASE("fewer points suffice, or say that they do not") {
    for (const std::int64_t count : {50, 500, 5000}) {
      const BasinPoints few = lowest_basins(*store, model.basin_width_A, count, SimdLevel::automatic, 2, {});
      const SitePlacement of_few =
          place_sites(lattice, model, few, request, std::numeric_limits<double>::infinity(), {});
      const auto& ions = of_few.placement.ions;
      CHECK(of_few.complete == (ions.size() == placed.placement.ions.size()));
      for (std::size_t n = 0; n < ions.size(); ++n)
        CHECK(ions[n].lattice_index == placed.placement.ions[n].lattice_index);
      if (count == 50) CHECK_FALSE(of_few.complete);
    }
  }

  SUBCASE("a limit on energies, and a lattice that is full") {
    const double most_kT = placed.placement.ions[4].energy_kT;
    const Placement limited = place_sites(lattice, model, points, request, most_kT, {}).placement;
    CHECK(limited.ions.size() == 5);
    CHECK(limited.refused_kT == placed.placement.ions[5].energy_kT);
    const SitePlacement many = place_sites(lattice, model, points, {{"MG", "MG", 2.0}, 100000},
                                           std::numeric_limits<double>::infinity(), {});
    CHECK(many.complete);
    CHECK(std::ssize(many.placement.ions) < 100000);
    CHECK(many.placement.requested == 100000);
  }
}
