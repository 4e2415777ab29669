#pragma once

#include <array>
#include <cstdlib>

namespace ionwell {

/// Whether a process manager that speaks to MPI has started this process: to start MPI without one takes
/// longer than many runs.
inline bool is_started_by_mpi() {
  constexpr std::array names = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE",
                                "MPI_LOCALNRANKS"};  // Open MPI, PMIx, MPICH and Intel, SLURM's pmi2
  for (const char* const name : names)
    if (std::getenv(name) != nullptr) return true;
  return false;
}

}  // namespace ionwell
