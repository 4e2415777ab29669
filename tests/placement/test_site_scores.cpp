// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <sstream>

#include "placement/scoring/matching.hpp"
#include "placement/scoring/random_ions.hpp"
#include "structures/formats/pdb_sites.hpp"
#include "support/error_of.hpp"
#include "support/temporary_file.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

using Places = std::vector<Vec3<double>>;

/// Most weight of sites with an ion of their own, by trying everything.
double weight_by_trial(const Places& ions, const Places& sites, const std::vector<double>& weights,
                       double distance_A, std::size_t site = 0, unsigned taken = 0) {
  if (site == sites.size()) return 0.0;
  double best = weight_by_trial(ions, sites, weights, distance_A, site + 1, taken);
  for (std::size_t i = 0; i < ions.size(); ++i)
    if ((taken >> i & 1U) == 0 && std::sqrt(distance_squared(ions[i], sites[site])) <= distance_A)
      best = std::max(
          best, weights[site] + weight_by_trial(ions, sites, weights, distance_A, site + 1, taken | 1U << i));
  return best;
}

Places random_places(std::mt19937& random, std::size_t count, double edge_A) {
  std::uniform_real_distribution<double> coordinate(0.0, edge_A);
  Places places(count);
  for (Vec3<double>& p : places) p = {coordinate(random), coordinate(random), coordinate(random)};
  return places;
}

std::string weights_error(const char* ends, SiteWeight weight) {
  const TemporaryFile file(
      "sites.pdb", std::string("HETATM    1 MG    MG A   7       1.000   2.000   3.000") + ends + '\n');
  return error_of([&] { site_weights(read_pdb_sites(file.path()).sites, weight, "SITES"); });
}

}  // namespace

TEST_CASE("scores: the weight matched is the largest, by trying everything") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> weight(0.0, 2.0);
  double all = 0.0;
  for (int round = 0; round < 100; ++round) {
    const Places ions = random_places(random, std::size_t(round % 6), 6.0);
    const Places sites = random_places(random, std::size_t(1 + round % 5), 6.0);
    std::vector<double> weights(sites.size());
    for (double& w : weights) w = weight(random);
    double sum = 0.0;
    for (const double w : weights) sum += w;
    const SiteComparison c = compare_sites(ions, sites, {.weights = weights});
    for (const SitesWithin& row : c.within) {
      CAPTURE(round);
      CAPTURE(row.distance_A);
      const double expected = weight_by_trial(ions, sites, weights, row.distance_A) / sum;
      CHECK(row.matched_weight == doctest::Approx(expected).epsilon(1e-12));
      all += expected;
    }
  }
  CHECK(all > 10.0);
}

TEST_CASE("scores: what the first ions match is what they match alone") {
  std::mt19937 random(5);
  const Places ions = random_places(random, 9, 8.0), sites = random_places(random, 7, 8.0);
  const SiteComparison c = compare_sites(ions, sites);
  REQUIRE(c.within.size() == 6);
  CHECK(c.within[2].matched > 1);
  for (std::size_t n = 1; n <= ions.size(); ++n) {
    const SiteComparison alone = compare_sites(std::span(ions).first(n), sites);
    for (std::size_t row = 0; row < c.within.size(); ++row)
      CHECK(c.within[row].matched_by_first[n - 1] == alone.within[row].matched);
  }
  CHECK(c.precision(c.within[5]) == double(c.within[5].matched) / 9.0);
  CHECK(c.recall(c.within[5]) == double(c.within[5].matched) / 7.0);
}

TEST_CASE("scores: random ions keep their distances, and are uniform in the shell around one atom") {
  const Places atom = {{1.0, -2.0, 3.0}};
  const RandomIons around(atom, {});
  std::mt19937_64 random(3);
  int inner = 0;
  constexpr int rounds = 2000;
  for (int round = 0; round < rounds; ++round) {
    const Places ions = around.draw(3, random);
    REQUIRE(ions.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      const double r_A = std::sqrt(distance_squared(ions[i], atom[0]));
      CHECK(r_A > 5.0);
      CHECK(r_A <= 8.0);
      for (std::size_t j = 0; j < i; ++j) CHECK(std::sqrt(distance_squared(ions[i], ions[j])) >= 5.0 - 1e-6);
    }
    inner += distance_squared(ions[0], atom[0]) < 6.5 * 6.5;  // the first is not kept off by others
  }
  const double share = (6.5 * 6.5 * 6.5 - 125.0) / (512.0 - 125.0);
  CHECK(std::abs(double(inner) / rounds - share) < 5 * std::sqrt(share * (1 - share) / rounds));  // 5 sigma
}

TEST_CASE("scores: the random expectation is the chance to be near, whatever the threads") {
  // One ion in a shell of volume V finds the site when it is in the ball around it: 3 A, wholly in the shell
  // of a far larger solute radius it is not, so the site is put where nothing can be reached, and where all
  // is.
  const Places atom = {{0.0, 0.0, 0.0}};
  const RandomIonOptions options{.seed = 9};
  const RandomIons around(atom, options);
  const Places ion = {{6.0, 0.0, 0.0}}, sites = {{0.0, 0.0, 0.0}, {100.0, 0.0, 0.0}};
  SiteComparison c = compare_sites(ion, sites), again = c;
  expect_at_random(c, sites, around, options, 1);
  expect_at_random(again, sites, around, options, 3);
  REQUIRE(c.within.back().distance_A == 8.0);
  CHECK(c.within.back().at_random == 1.0);
  CHECK(c.within.front().at_random == 0.0);
  // Within 5 A of a site on the shell, at 6.5 A: some of the draws.
  const Places near = {{6.5, 0.0, 0.0}};
  c = again = compare_sites(ion, near);
  expect_at_random(c, near, around, options, 1);
  expect_at_random(again, near, around, options, 3);
  CHECK(c.within[4].at_random.value_or(0.0) > 0.02);
  CHECK(c.within[4].at_random.value_or(1.0) < 0.5);
  CHECK(c.within[4].at_random == again.within[4].at_random);
  std::ostringstream table;
  print_comparison(table, c);
  CHECK(table.str().find("of the ions        at random\n") != std::string::npos);
  CHECK(json_comparison(c).find("\"matched_at_random\": ") != std::string::npos);
}

TEST_CASE("scores: random ions without room, and a solute without atoms, are refused") {
  const Places atom = {{0.0, 0.0, 0.0}};
  std::mt19937_64 random(1);
  CHECK(error_of([&] { RandomIons(atom, {}).draw(500, random); }).find(" of 500 ions around") !=
        std::string::npos);
  CHECK(error_of([] { RandomIons({}, {}); }).find("the structure has no atoms") == 0);
  CHECK(error_of([&] { RandomIons(atom, {.farthest_A = 5.0}); }).find("random ions within 5 A") == 0);
}

TEST_CASE("scores: weights come from the file, and must be there") {
  const TemporaryFile file("sites.pdb",
                           "HETATM    1 MG    MG A   1       1.000   2.000   3.000  0.50 20.00\n"
                           "HETATM    2 MG    MG A   2       9.000   2.000   3.000  1.00 40.00\n");
  const PdbSites read = read_pdb_sites(file.path());
  CHECK(site_weights(read.sites, SiteWeight::none, "").empty());
  CHECK(site_weights(read.sites, SiteWeight::occupancy, "") == std::vector<double>{0.5, 1.0});
  CHECK(site_weights(read.sites, SiteWeight::b_factor, "") == std::vector<double>{1 / 20.0, 1 / 40.0});
  CHECK(weights_error("", SiteWeight::occupancy) ==
        "SITES: the site MG 7 A has no occupancy; it should be 0 to 1 in the PDB columns; leave "
        "--site-weights out, or give a file that has it");
  CHECK(weights_error("  1.50  0.00", SiteWeight::occupancy).find("has an occupancy of 1.5; it") !=
        std::string::npos);
  CHECK(weights_error("  1.00  0.00", SiteWeight::b_factor).find("has a B-factor of 0; it should be more") !=
        std::string::npos);
  CHECK(weights_error("  0.00  9.00", SiteWeight::occupancy) ==
        "SITES: all sites have an occupancy of 0; leave --site-weights out");
  CHECK(error_of([] {
          compare_sites({}, Places{{0, 0, 0}}, {.weights = {1.0, 2.0}});
        }).find("2 weights") != std::string::npos);
}
