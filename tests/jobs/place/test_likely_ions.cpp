// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "jobs/place/job/ions_by_site.hpp"
#include "jobs/place/job/likely_ions.hpp"
#include "placement/crystal_sites/site_score.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

SiteModel model_with(double intercept, double slope) {
  SiteModel model = magnesium_site_model();
  SiteScore score;
  score.intercept = intercept;
  score.slope = slope;
  model.score = std::make_shared<const SiteScore>(score);
  return model;
}

}  // namespace

TEST_CASE("likely ions: what is typed") {
  const LikelyIons usual = read_likely_ions({"MG:likely"});
  CHECK(usual.least_probability == 0.2);
  CHECK(usual.texts == std::vector<std::string>{"MG:1000000"});
  CHECK(read_likely_ions({"MG:likely:0.3"}).least_probability == 0.3);
  const std::vector<std::string> others = {"MG:12", "XYZ:3:+4", "NA:neutralize", "MG:likelyhood", ":likely"};
  const LikelyIons none = read_likely_ions(others);
  CHECK_FALSE(none.least_probability.has_value());
  CHECK(none.texts == others);
  for (const std::string bad :
       {"MG:likely:", "MG:likely:0", "MG:likely:1", "MG:likely:-0.1", "MG:likely:nan", "MG:likely:0.3:2"})
    CHECK(error_of([&] { read_likely_ions({bad}); }).find("is not a number between 0 and 1") !=
          std::string::npos);
  const LikelyIons first = read_likely_ions({"MG:likely:0.3", "NA:neutralize", "CL:2"});
  CHECK(first.texts == std::vector<std::string>{"MG:1000000"});
  CHECK(first.others == std::vector<std::string>{"NA:neutralize", "CL:2"});
  for (const std::vector<std::string>& bad : {std::vector<std::string>{"NA:4", "MG:likely"},
                                              std::vector<std::string>{"MG:likely", "MG:likely:0.1"}})
    CHECK(error_of([&] { read_likely_ions(bad); }).find("must be the first --ion") != std::string::npos);
}

TEST_CASE("likely ions: the others are counted once there are some at sites") {
  const SiteModel& model = magnesium_site_model();
  const auto split = [&](const std::vector<std::string>& texts) {
    return IonsBySite(texts, -10.0, IonNaming::pdb, model);
  };
  Placement placed;
  for (int n = 0; n < 3; ++n) {
    PlacedIon ion;
    ion.species = {"MG", "MG", 2.0};
    placed.ions.push_back(ion);
  }
  const IonsBySite likely = split({"MG:likely:0.3", "NA:neutralize"});
  CHECK(likely.least_probability() == 0.3);
  CHECK(likely.has_others());
  REQUIRE(likely.at_sites().size() == 1);
  CHECK(likely.at_sites()[0].count == 1'000'000);
  REQUIRE(likely.others(placed).requests.size() == 1);
  CHECK(likely.others(placed).requests[0].count == 4);  // 10 - 3 * 2
  CHECK(likely.others({}).requests[0].count == 10);

  const IonsBySite fixed = split({"NA:1", "MG:4", "CL:2", "NA:neutralize"});
  CHECK_FALSE(fixed.least_probability().has_value());
  REQUIRE(fixed.at_sites().size() == 1);
  CHECK(fixed.at_sites()[0].count == 4);
  const IonRequests others = fixed.others(placed);  // of those that were asked for, as prepare has it
  REQUIRE(others.requests.size() == 3);
  CHECK(others.requests[1].species.name == "CL");
  CHECK(others.requests[2].count == 3);
  CHECK_FALSE(split({"MG:likely"}).has_others());

  CHECK(error_of([&] { split({"NA:4"}); }).find("places MG, but no such ion is requested") !=
        std::string::npos);
  CHECK(error_of([&] {
          split({"MG:likely", "NA:1", "MG:4"}).others(placed);
        }).find("--ion MG:4 is given after ions whose number follows") != std::string::npos);
}

TEST_CASE("likely ions: the energy to stop at has the probability that is asked for") {
  const SiteModel model = model_with(0.4, -0.7);
  SiteOptions sites{.model = model};
  CHECK(highest_likely_kT(sites) == std::numeric_limits<double>::infinity());
  stop_below(&sites, 0.3);
  CHECK(model.score->probability(highest_likely_kT(sites)) == doctest::Approx(0.3));
  CHECK(model.score->probability(highest_likely_kT(sites) + 0.1) < 0.3);

  const auto refused = [&](SiteOptions options) { return error_of([&] { stop_below(&options, 0.3); }); };
  CHECK(error_of([&] { stop_below(nullptr, 0.3); }).find("needs --model sites") != std::string::npos);
  CHECK(refused({}).find("needs --model sites") != std::string::npos);  // terms alone
  CHECK(refused({.model = model_with(0.0, 0.0), .path = "own.json"}).find("own.json is not calibrated") !=
        std::string::npos);
}

TEST_CASE("likely ions: expected sites are the sum of the probabilities") {
  const Structure structure;
  Result result{.structure = structure};
  CHECK_FALSE(expected_sites(result).has_value());
  result.sites = SiteResult{.model = model_with(0.0, -1.0), .path = ""};
  CHECK_FALSE(expected_sites(result).has_value());
  result.sites->refused_kT = 0.0;
  CHECK(expected_sites(result).value().near_site == 0.0);
  CHECK(expected_sites(result)->precision == 0.0);
  CHECK(expected_sites(result)->next_probability.value() == doctest::Approx(0.5));
  result.sites->refused_kT.reset();
  for (const double probability : {0.9, 0.6, 0.5, 0.4}) {
    PlacedIon ion;
    ion.probability = probability;
    result.placement.ions.push_back(ion);
  }
  result.placement.ions.emplace_back();  // an ion placed by its energy, around those at sites
  const ExpectedSites expected = expected_sites(result).value();
  CHECK(expected.ions == 4);
  CHECK(expected.near_site == doctest::Approx(2.4));
  CHECK(expected.precision == doctest::Approx(0.6));
  CHECK_FALSE(expected.next_probability.has_value());
  result.sites->refused_kT = std::log(3.0);
  CHECK(expected_sites(result)->next_probability.value() == doctest::Approx(0.25));
  CHECK_FALSE(expected_sites(result)->recall.has_value());
  SiteModel model = model_with(0.0, -1.0);
  SiteScore score = *model.score;
  score.recall = {{0.2, 0.6}, {0.6, 0.2}};
  model.score = std::make_shared<const SiteScore>(score);
  result.sites->model = model;
  CHECK(expected_sites(result)->recall.value() == doctest::Approx(0.4));  // at the last ion's
}
