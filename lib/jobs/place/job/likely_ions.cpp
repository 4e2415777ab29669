#include "jobs/place/job/likely_ions.hpp"

#include <algorithm>
#include <cmath>

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
  LikelyIons ions{texts, {}};
  for (std::string& text : ions.texts) {
    const std::optional<std::string_view> rest = likely_part(text);
    if (!rest) continue;
    ions.least_probability = read_probability(text, *rest);
    if (texts.size() > 1)
      fail<UsageError>("--ion ", text,
                       " must be the only --ion; write its ions with the solute (-o FILE.pqr --with-solute), "
                       "then place the others around them, for example with --ion NA:neutralize");
    text = text.substr(0, text.find(':') + 1) + std::to_string(most_ions_of_a_kind);
  }
  return ions;
}

void stop_below(Job& job, double least_probability) {
  const auto* const sites = std::get_if<SiteOptions>(&job.source);
  if (sites == nullptr || sites->model.score == nullptr)
    fail<UsageError>(
        "--ion NAME:likely needs --model sites, which has calibrated probabilities; add that, or "
        "give the number of ions");
  const SiteScore& score = *sites->model.score;
  if (!(score.slope < 0.0))
    fail<UsageError>("--ion NAME:likely: the score of ", sites->path, " is not calibrated (its slope is ",
                     score.slope,
                     ", not below 0); give the number of ions, or fit the score with scripts/fit-sites");
  const double log_odds = std::log(least_probability / (1.0 - least_probability));
  job.most_kT = std::min(job.most_kT, (log_odds - score.intercept) / score.slope);
}

void accept_likely(Result& result) {
  result.placement.requested = std::ssize(result.placement.ions);
}

std::optional<ExpectedSites> expected_sites(const Result& result) {
  const Placement& placement = result.placement;
  if (!result.sites || result.sites->model.score == nullptr) return {};
  if (placement.ions.empty() && !placement.refused_kT) return {};
  ExpectedSites expected;
  for (const PlacedIon& ion : placement.ions) expected.near_site += ion.probability.value_or(0.0);
  if (!placement.ions.empty()) expected.precision = expected.near_site / double(placement.ions.size());
  if (!placement.ions.empty() && placement.ions.back().probability)
    expected.recall = result.sites->model.score->recall_at(*placement.ions.back().probability);
  if (placement.refused_kT)
    expected.next_probability = result.sites->model.score->probability(*placement.refused_kT);
  return expected;
}

}  // namespace ionwell
