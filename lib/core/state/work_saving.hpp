// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>

#include "core/state/saved_state.hpp"

namespace ionwell {

/// How work that takes long is saved on its way, and gone on with.
struct WorkSaving {
  /// What was saved by the run that this one continues from; null, or without arrays of this work: from the
  /// beginning.
  const SavedState* resumed = nullptr;

  /// Takes a function that tells the state of the work; it may be called whenever the work calls its
  /// `progress`, until what is returned here goes. Empty: nothing is saved.
  std::function<std::shared_ptr<void>(std::function<SavedState()> collect)> begin;
};

}  // namespace ionwell
