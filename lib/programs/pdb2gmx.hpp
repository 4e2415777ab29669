// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "programs/child_process.hpp"

namespace ionwell {

/// What GROMACS makes a topology of a structure by.
struct Pdb2gmxOptions {
  std::string force_field = "amber99sb-ildn";  // a folder NAME.ff of GROMACS
  std::string water = "tip3p";                 // as -water has it
  bool merges_chains = false;                  // into one molecule: bonds lie between them
  double timeout_s = 3600.0;
};

/// Runs `gmx pdb2gmx` in a folder on its file `input.pdb`, whose chains end at TER, and leaves topol.top,
/// with the files that it includes, and conf.pdb there; the files do not say who ran it, when and where.
/// Throws Error, with the package that has it, when
/// GROMACS is not installed, and with its last words when it fails; Interrupted when a signal was noted.
/// `progress` gets the seconds that it has run.
void run_pdb2gmx(const std::string& folder, const Pdb2gmxOptions& options, const SignalNotes& notes,
                 const std::function<void(double seconds)>& progress);

}  // namespace ionwell
