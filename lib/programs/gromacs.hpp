// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/structure.hpp"
#include "programs/child_process.hpp"

namespace ionwell {

/// How GROMACS is run.
struct GromacsOptions {
  std::string program;       // name or path; empty for the first of gmx, gmx_mpi and gmx_d that is there
  double timeout_s = 600.0;  // longest time that one file may take, 0 for no limit
};

/// Reads a GROMACS run input file (.tpr) by way of `gmx dump`, whose text is kept in a scratch folder
/// meanwhile (2 kB for each atom of the largest molecules, 150 bytes for the others): charges [e] and
/// positions [A] with six digits, names, residues, elements, the box. What GROMACS complains of is in
/// `warnings`. Throws Error, with the package that has it, when GROMACS is not installed, and with its last
/// words when it fails; Interrupted when a signal was noted.
Structure read_tpr(const std::string& path, const GromacsOptions& options, const SignalNotes& notes);

}  // namespace ionwell
