#pragma once

#include <functional>
#include <string>

#include "run/backend.hpp"

namespace ionwell {

/// program(), whose result is that of this process; where mpirun or srun has started several, in the first of
/// them only, and the others do what it asks of them. `backends` are what they compute on.
int run_in_ranks(const std::function<int()>& program, const Backends& backends);

/// What there is to say of MPI in this program and process: "Open MPI 4.1.4, 4 ranks"; empty when it was
/// built without.
std::string describe_mpi();

}  // namespace ionwell
