// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "placement/field.hpp"

namespace ionwell {

struct AverageResult;
struct LatticePotential;
struct Result;

/// What a run tells its caller while it runs: each function is called on the thread that called the run, and
/// those that are empty are left out. What one throws ends the run and reaches the caller.
struct RunObserver {
  /// A stage begins: `name` is "read", "exclusion", "potential", "solve", "placement", "hydration",
  /// "picture" or "write", `shown` says more of it where there is more to say ("solve 2/5"). The result gets
  /// the part done, and is destroyed when the stage ends.
  std::function<Progress(const std::string& name, const std::string& shown)> stage;

  /// How a solve of the running stage goes: its residual, relative to the right side.
  std::function<void(double residual)> residual;

  /// A warning, or a note (core/text/note.hpp).
  std::function<void(const std::string& text)> warning;

  /// Lattice, method and backend were chosen, and nothing was computed yet.
  std::function<void(const Result& so_far)> planned;
  std::function<void(const LatticePotential& so_far)> potential_planned;
  std::function<void(const AverageResult& so_far)> average_planned;

  /// `so_far.field` holds the solute's potential, and no ion was placed: the time to write a map of it, as
  /// the stage "write". Not called where a solver makes several maps.
  std::function<void(const Result& so_far, const Progress& progress)> filled;

  /// The run ends by an Error, which continues when this returns; `so_far.placement` has the ions placed
  /// between the solves of a solver.
  std::function<void(const Result& so_far)> stopped;
};

}  // namespace ionwell
