// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "core/version.hpp"
#include "jobs/place/job/site_model_file.hpp"
#include "placement/crystal_sites/site_features.hpp"
#include "placement/crystal_sites/site_score.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::string features_text() {
  std::string text;
  for (int f = 0; f < site_feature_count; ++f) text += (f > 0 ? ", \"" : "\"") + site_feature_name(f) + '"';
  return '[' + text + ']';
}

std::string model_text(const std::string& more) {
  return R"({"format": "ionwell site model 1", "ion": "MG", "charge_e": 2, )" + more + "}";
}

std::string score_text(const std::string& trees, const std::string& features) {
  return model_text(R"("terms": [], "score": {"points_per_heavy_atom": 5, "baseline": -2.5, "intercept": 1,
                    "slope": -0.5, "features": )" +
                    features + R"(, "trees": )" + trees + "}");
}

std::string error_in(const std::string& text) {
  return error_of([&] { parse_site_model(text, "m.json"); });
}

const std::string one_tree =
    R"([{"feature": [3, -1, -1], "threshold": [1.5, 0, 0], "left": [1, 0, 0], "right": [2, 0, 0],
         "value": [0, -0.125, 0.25]}])";

}  // namespace

TEST_CASE("site model file: what it says, and the built-in model's for the rest") {
  const SiteModel model = parse_site_model(model_text(R"("terms": [{"energy_kT": 2, "width_A": 1.5},
                    {"atoms": ["n7", "phosphorus"], "energy_kT": -1, "centre_A": 4.2, "width_A": 0.4}],
                    "basin_width_A": 0.8, "provenance": "made up")"),
                                           "m.json");
  CHECK(model.ion == "MG");
  CHECK(model.charge_e == 2.0);
  CHECK(model.basin_width_A == 0.8);
  CHECK(model.ion_ion_A == magnesium_site_model().ion_ion_A);
  CHECK(model.provenance == "made up");
  REQUIRE(model.terms.size() == 2);
  CHECK(model.terms[0].atoms == heavy_atoms);
  CHECK(model.terms[0].centre_A == 0.0);
  CHECK(model.terms[1].atoms == (bit_of(SiteAtomClass::n7) | bit_of(SiteAtomClass::phosphorus)));
  CHECK(model.terms[1].centre_A == 4.2);
  CHECK(model.score == nullptr);
}

TEST_CASE("site model file: the recall of a score, between what was measured") {
  const auto with = [](const std::string& recall) {
    std::string text = score_text(one_tree, features_text());
    return text.replace(text.find("\"features\""), 0, "\"recall\": " + recall + ", ");
  };
  const SiteModel model = parse_site_model(with("[[0.1, 0.5], [0.3, 0.2], [0.4, 0]]"), "m.json");
  CHECK(model.score->recall_at(0.1).value() == 0.5);
  CHECK(model.score->recall_at(0.2).value() == doctest::Approx(0.35));
  CHECK(model.score->recall_at(0.35).value() == doctest::Approx(0.1));
  CHECK_FALSE(model.score->recall_at(0.05).has_value());
  CHECK_FALSE(model.score->recall_at(0.45).has_value());
  CHECK_FALSE(
      parse_site_model(score_text(one_tree, features_text()), "m.json").score->recall_at(0.2).has_value());
  for (const char* const bad : {"[[0.1, 0.5]]", "[[0.1, 0.5], [0.1, 0.4]]", "[[0.1, 0.5], [0.2, 1.5]]", "0.5",
                                "[[0.1, 0.5], [0.2]]", "[[0.1, 0.5], [0.2, \"x\"]]"})
    CHECK(error_in(with(bad)).find("m.json, score: \"recall\" must be a list of two or more pairs") !=
          std::string::npos);
}

TEST_CASE("site model file: a score") {
  const SiteModel model = parse_site_model(score_text(one_tree, features_text()), "m.json");
  REQUIRE(model.score != nullptr);
  CHECK(model.score->points_per_heavy_atom == 5.0);
  std::vector<float> features(site_feature_count, 0.0f);
  double sum = 0.0;
  for (const float x : {1.5f, 1.6f}) {
    features[3] = x;
    model.score->trees.sum(features.data(), 1, SimdLevel::automatic, &sum);
    CHECK(sum == (x > 1.5f ? -2.25 : -2.625));
  }
}

TEST_CASE("site model file: the built-in model has what it needs") {
  const SiteModel& model = learned_site_model();
  CHECK(model.ion == "MG");
  REQUIRE(model.score != nullptr);
  CHECK(model.score->slope < 0.0);
  CHECK(model.terms.size() == magnesium_site_model().terms.size());
  CHECK_FALSE(model.provenance.empty());
}

TEST_CASE("site model file: what is wrong is named") {
  CHECK(error_in("{").find("m.json: is not valid JSON, so it is not a site model") == 0);
  CHECK(error_in(std::string(2'000'000, '[')) ==
        "m.json: is nested more than 100 deep, which a site model is not");
  CHECK(error_in("[]") == "m.json: an object in { } is needed here");
  CHECK(error_in("{}") == "m.json: \"format\" is missing");
  CHECK(
      error_in(R"({"format": "ionwell site model 2"})").find("its format is \"ionwell site model 2\", and") !=
      std::string::npos);
  CHECK(error_in(model_text(R"("terms": 3)")).find("\"terms\" must be a list") != std::string::npos);
  CHECK(error_in(model_text(R"("terms": [], "widht": 3)")) ==
        "m.json: \"widht\" is not a part of it; correct the name or leave it out");
  CHECK(error_in(model_text(R"("terms": [{"energy_kT": "a", "width_A": 1}])")) ==
        "m.json, term 1: \"energy_kT\" is \"a\", which is not a number");
  CHECK(error_in(model_text(R"("terms": [{"atoms": ["N7"], "energy_kT": 1, "width_A": 1}])"))
            .find("m.json, term 1: \"N7\" is not a class of atoms; the classes are phosphate_oxygen, ") == 0);
  CHECK(error_in(model_text(R"("terms": [{"energy_kT": 1, "width_A": 0}])")) ==
        "m.json: the site model's width of a term is 0; it must be above 0 and at most 50 A");
  CHECK(error_in(model_text(R"("terms": [], "dielectric": 0)")).find("m.json: ") == 0);
  CHECK(error_in(score_text(one_tree, R"(["energy"])")).find("are not those of this version") !=
        std::string::npos);
  CHECK(error_in(score_text("[]", features_text())) == "m.json, score: \"trees\" must be a list of trees");
  CHECK(error_in(score_text(R"([{"feature": [0, -1]}])", features_text()))
            .find("score, tree 1: \"threshold\"") != std::string::npos);
  CHECK(
      error_in(score_text(R"([{"feature": [0], "threshold": [1], "left": [0], "right": [0], "value": [0]}])",
                          features_text())) == "m.json, score: tree 1 has no node 0, or has it twice");
}
