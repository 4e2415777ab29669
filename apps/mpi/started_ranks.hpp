// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdlib>
#include <string>

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

/// What to tell the user where a launcher has started several processes, and this is the first of them, but
/// they do not know of each other; empty otherwise.
inline std::string lone_process_warning(const char* way_out) {
  constexpr std::array<std::array<const char*, 2>, 3> launchers = {
      {{"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
       {"PMI_SIZE", "PMI_RANK"},
       {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}}};
  for (const auto& [count, number] : launchers) {
    const char* const size = std::getenv(count);
    const char* const rank = std::getenv(number);
    if (size == nullptr || rank == nullptr || std::atoi(size) < 2) continue;
    if (std::atoi(rank) != 0) return {};
    return std::string("warning: ") + size +
           " processes were started, and each one does all of the work and writes the same files: " + way_out;
  }
  return {};
}

}  // namespace ionwell
