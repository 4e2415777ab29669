#pragma once

#include <functional>
#include <string>

#include "placement/field.hpp"

namespace ionwell {

/// What a run tells its caller while it runs: each function is called on the thread that called the run, and
/// those that are empty are left out. What one throws ends the run and reaches the caller.
struct RunObserver {
  /// A stage begins: `name` is "read", "exclusion", "potential", "solve", "placement" or "write", `shown`
  /// says more of it where there is more to say ("solve 2/5"). The result gets the part done, and is
  /// destroyed when the stage ends.
  std::function<Progress(const std::string& name, const std::string& shown)> stage;

  /// A sentence that the user should read.
  std::function<void(const std::string& text)> warning;
};

}  // namespace ionwell
