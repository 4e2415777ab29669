// SPDX-License-Identifier: BSD-3-Clause
#include <iostream>
#include <string>

#include "cli/terminal.hpp"
#include "mpi/ranks.hpp"
#include "mpi/started_ranks.hpp"

namespace ionwell {

int run_in_ranks(ProgramMain program, int argc, char** argv, const DeviceBackend& (*)()) {
  const std::string warning = lone_process_warning(
      "this program was built without MPI; build it with -DIONWELL_MPI=ON, or start only one process");
  if (!warning.empty()) print_message(std::cerr, warning);
  return program(argc, argv, nullptr);
}

std::string describe_mpi(const RankGroup*) {
  return {};
}

}  // namespace ionwell
