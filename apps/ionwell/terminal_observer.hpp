// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/progress_bar.hpp"
#include "compute/observer.hpp"

namespace ionwell {

/// Shows the stages of a run on standard error, and keeps its warnings and notes for the end (show_messages);
/// without stages (--quiet) it drops the notes.
RunObserver terminal_observer(ProgressStyle style);

}  // namespace ionwell
