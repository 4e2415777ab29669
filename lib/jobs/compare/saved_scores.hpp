#pragma once

#include "core/state/saved_state.hpp"
#include "jobs/compare/compare_set.hpp"

namespace ionwell {

/// Puts the scores of all rows and entries that there are into a state.
void save_scores(SavedState& state, const std::vector<SetRow>& rows);

/// Takes them up again. Throws DamagedState for scores of other distances
/// or another number of rows or entries.
void take_up_scores(const SavedState& state, std::vector<SetRow>& rows);

}  // namespace ionwell
