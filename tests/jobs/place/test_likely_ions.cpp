#include <doctest/doctest.h>

#include <cmath>
#include <memory>

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
  CHECK(error_of([&] {
          read_likely_ions({"NA:4", "MG:likely"});
        }).find("must be the only --ion") != std::string::npos);
}

TEST_CASE("likely ions: the energy to stop at has the probability that is asked for") {
  const Structure structure;
  const SiteModel model = model_with(0.4, -0.7);
  Job job{.structure = structure, .source = SiteOptions{.model = model}};
  stop_below(job, 0.3);
  CHECK(model.score->probability(job.most_kT) == doctest::Approx(0.3));
  CHECK(model.score->probability(job.most_kT + 0.1) < 0.3);
  job.most_kT = -50.0;  // --max-energy stops earlier
  stop_below(job, 0.3);
  CHECK(job.most_kT == -50.0);

  const auto refused = [&](const SourceOptions& source) {
    Job other{.structure = structure, .source = source};
    return error_of([&] { stop_below(other, 0.3); });
  };
  CHECK(refused(SummationOptions{}).find("needs --model sites") != std::string::npos);
  CHECK(refused(SiteOptions{}).find("needs --model sites") != std::string::npos);  // terms alone
  CHECK(refused(SiteOptions{.model = model_with(0.0, 0.0), .path = "own.json"})
            .find("own.json is not calibrated") != std::string::npos);
}

TEST_CASE("likely ions: expected sites are the sum of the probabilities") {
  const Structure structure;
  Result result{.structure = structure};
  CHECK_FALSE(expected_sites(result).has_value());
  result.sites = SiteResult{.model = model_with(0.0, -1.0), .path = ""};
  CHECK_FALSE(expected_sites(result).has_value());
  result.placement.refused_kT = 0.0;
  CHECK(expected_sites(result).value().near_site == 0.0);
  CHECK(expected_sites(result)->precision == 0.0);
  CHECK(expected_sites(result)->next_probability.value() == doctest::Approx(0.5));
  result.placement.refused_kT.reset();
  for (const double probability : {0.9, 0.6, 0.5, 0.4}) {
    PlacedIon ion;
    ion.probability = probability;
    result.placement.ions.push_back(ion);
  }
  result.placement.requested = 1'000'000;
  const ExpectedSites expected = expected_sites(result).value();
  CHECK(expected.near_site == doctest::Approx(2.4));
  CHECK(expected.precision == doctest::Approx(0.6));
  CHECK_FALSE(expected.next_probability.has_value());
  result.placement.refused_kT = std::log(3.0);
  CHECK(expected_sites(result)->next_probability.value() == doctest::Approx(0.25));
  CHECK_FALSE(expected_sites(result)->recall.has_value());
  SiteModel model = model_with(0.0, -1.0);
  SiteScore score = *model.score;
  score.recall = {{0.2, 0.6}, {0.6, 0.2}};
  model.score = std::make_shared<const SiteScore>(score);
  result.sites->model = model;
  CHECK(expected_sites(result)->recall.value() == doctest::Approx(0.4));  // at the last ion's
  accept_likely(result);
  CHECK(result.placement.requested == 4);
}
