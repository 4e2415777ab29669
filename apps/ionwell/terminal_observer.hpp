#pragma once

#include "cli/progress_bar.hpp"
#include "compute/observer.hpp"

namespace ionwell {

/// Shows stages and warnings of a run on standard error; warnings also where stages are not shown.
RunObserver terminal_observer(ProgressStyle style);

}  // namespace ionwell
