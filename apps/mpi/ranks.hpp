// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "compute/backend.hpp"

namespace ionwell {

/// A program's main, which throws nothing. `ranks` can share its runs; null if there are none.
using ProgramMain = int (*)(int argc, char** argv, RankGroup* ranks);

/// Calls `program`, whose result is that of this process; where mpirun or srun has started several, in
/// the first of them only, and the others do what it asks of them, on `backend`. Alone it takes no memory.
int run_in_ranks(ProgramMain program, int argc, char** argv, const DeviceBackend& (*backend)());

/// What there is to say of MPI in this program, and of the ranks that were started: "Open MPI 4.1.4, 4
/// ranks"; empty when it was built without.
std::string describe_mpi(const RankGroup* ranks);

}  // namespace ionwell
