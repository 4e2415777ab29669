// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/job/likely_ions.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "placement/crystal_sites/site_score.hpp"

namespace ionwell {
namespace {

constexpr std::string_view word = "likely";
constexpr double usual_probability = 0.2;  // where about as many ions are placed as a crystal shows sites

/// What follows NAME: in NAME:likely or NAME:likely:P; nothing for another count.
std::optional<std::string_view> likely_part(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  const std::string_view rest = text.substr(colon + 1);
  if (rest != word && !(rest.starts_with(word) && rest[word.size()] == ':')) return {};
  return rest;
}

double read_probability(const std::string& text, std::string_view rest) {
  if (rest == word) return usual_probability;
  const std::string_view number = rest.substr(word.size() + 1);
  const std::optional<double> probability = parse_number(number);
  if (!probability || !(*probability > 0.0 && *probability < 1.0))
    fail<UsageError>("--ion ", text, ": the probability ", quote(number),
                     " is not a number between 0 and 1; write for example MG:likely:0.3");
  return *probability;
}

}  // namespace

LikelyIons read_likely_ions(const std::vector<std::string>& texts) {
  LikelyIons ions{.texts = texts, .others = {}, .least_probability = {}};
  for (const std::string& text : texts) {
    const std::optional<std::string_view> rest = likely_part(text);
    if (!rest) continue;
    const double probability = read_probability(text, *rest);
    if (ions.least_probability || &text != texts.data())
      fail<UsageError>(
          "--ion ", text,
          " must be the first --ion and the only one with 'likely', because the number of ions that "
          "follow, such as NA:neutralize, depends on it");
    ions.least_probability = probability;
    ions.texts = {text.substr(0, text.find(':') + 1) + std::to_string(most_ions_of_a_kind)};
    ions.others.assign(texts.begin() + 1, texts.end());
  }
  return ions;
}

void stop_below(SiteOptions* sites, double least_probability) {
  if (sites == nullptr || sites->model.score == nullptr)
    fail<UsageError>(
        "--ion NAME:likely needs --model sites, which has calibrated probabilities; add that, or "
        "give the number of ions");
  const SiteScore& score = *sites->model.score;
  if (!(score.slope < 0.0))
    fail<UsageError>("--ion NAME:likely: the score of ", sites->path, " is not calibrated (its slope is ",
                     score.slope,
                     ", not below 0); give the number of ions, or fit the score with scripts/fit-sites");
  sites->least_probability = least_probability;
}

double highest_likely_kT(const SiteOptions& sites) {
  if (!sites.least_probability) return std::numeric_limits<double>::infinity();
  const SiteScore& score = *sites.model.score;
  const double log_odds = std::log(*sites.least_probability / (1.0 - *sites.least_probability));
  return (log_odds - score.intercept) / score.slope;
}

std::optional<ExpectedSites> expected_sites(const Result& result) {
  if (!result.sites || result.sites->model.score == nullptr) return {};
  const SiteScore& score = *result.sites->model.score;
  ExpectedSites expected;
  double last_probability = 0.0;
  for (const PlacedIon& ion : result.placement.ions) {
    if (!ion.probability) continue;
    ++expected.ions;
    expected.near_site += *ion.probability;
    last_probability = *ion.probability;
  }
  if (result.sites->refused_kT) expected.next_probability = score.probability(*result.sites->refused_kT);
  if (expected.ions > 0) {
    expected.precision = expected.near_site / double(expected.ions);
    expected.recall = score.recall_at(last_probability);
  } else if (!expected.next_probability) {
    return {};
  }
  return expected;
}

}  // namespace ionwell
