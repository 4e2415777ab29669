// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "maps/map.hpp"
#include "programs/apbs_files.hpp"
#include "programs/apbs_options.hpp"
#include "programs/child_process.hpp"

namespace ionwell {

/// APBS, found and ready to run. For one thread at a time.
class Apbs {
 public:
  /// Throws Error, with the package that has it, when the program is not installed.
  explicit Apbs(const ApbsOptions& options);

  /// That its files will not be in the folder that was named itself. Ready to show.
  std::vector<std::string> warnings() const;

  /// Solves for `atoms` in a scratch folder; the map is in kT/e of the calculation's temperature. `name` is
  /// what messages call the solve: "solve 2 of 5". `progress` gets the part done, by the time that the solve
  /// before this one took. Throws Error, with APBS's last words, when it fails
  /// or takes too long; Interrupted when a signal was noted, and then nothing that was started is left.
  Map solve(const ApbsCalculation& calculation, std::span<const Atom> atoms, const std::string& name,
            int threads, const SignalNotes& notes, const std::function<void(double)>& progress);

 private:
  ApbsOptions options_;
  std::string program_;              // its path
  std::optional<std::string> kept_;  // the folder for its files, once there was a solve
  std::optional<double> solve_s_;    // the last one's
};

}  // namespace ionwell
