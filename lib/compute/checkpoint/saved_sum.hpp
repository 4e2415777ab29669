// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compute/checkpoint/checkpoint.hpp"
#include "core/state/work_saving.hpp"
#include "electrostatics/potential_source.hpp"

namespace ionwell {

/// How work is saved in a checkpoint, beside what that run went on from has for later parts. `checkpoint` may
/// be null: then it is not. It must outlive what is returned.
WorkSaving saving_to(Checkpoint* checkpoint);

/// What `make` makes, but block by block: what was summed is saved on the way, a few times 1,000 blocks at
/// once. Values that are saved already are not summed again.
SourceFactory saved_source(SourceFactory make, WorkSaving saving);

/// Whether a state has such a sum and nothing else: what comes after it had not begun.
bool is_saved_sum_alone(const SavedState& state);

}  // namespace ionwell
