#include "jobs/compare/saved_scores.hpp"

#include <limits>

#include "core/state/state_stream.hpp"

namespace ionwell {
namespace {

constexpr const char* saved_scores = "scores of a set";

EntryScore read_score(StateReader& reader) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  EntryScore score;
  score.ions = reader.whole(0, most);
  score.sites = reader.whole(0, most);
  score.matched = reader.numbers(site_distances_A.size());
  score.weighted_recall = reader.numbers();
  if (!score.weighted_recall.empty() && score.weighted_recall.size() != site_distances_A.size())
    SavedState::fail_damaged(saved_scores);
  score.seconds = reader.number();
  return score;
}

}  // namespace

void save_scores(SavedState& state, const std::vector<SetRow>& rows) {
  StateWriter writer;
  writer.put(std::int64_t(rows.size()));
  for (const SetRow& row : rows) {
    writer.put(std::int64_t(row.scores.size()));
    for (const std::optional<EntryScore>& score : row.scores) {
      writer.put(std::int64_t(score.has_value()));
      if (!score) continue;
      writer.put(score->ions);
      writer.put(score->sites);
      writer.put(std::span<const double>(score->matched));
      writer.put(std::span<const double>(score->weighted_recall));
      writer.put(score->seconds);
    }
  }
  writer.move_to(state, saved_scores);
}

void take_up_scores(const SavedState& state, std::vector<SetRow>& rows) {
  StateReader reader(state, saved_scores);
  if (reader.whole() != std::ssize(rows)) SavedState::fail_damaged(saved_scores);
  for (SetRow& row : rows) {
    if (reader.whole() != std::ssize(row.scores)) SavedState::fail_damaged(saved_scores);
    for (std::optional<EntryScore>& score : row.scores)
      if (reader.whole(0, 1) == 1) score = read_score(reader);
  }
}

}  // namespace ionwell
