#include <cstdlib>
#include <iostream>
#include <string>

#include "cli/terminal.hpp"
#include "mpi/ranks.hpp"

namespace ionwell {

int run_in_ranks(ProgramMain program, int argc, char** argv, const DeviceBackend& (*)()) {
  const char* const size = std::getenv("OMPI_COMM_WORLD_SIZE");
  const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  if (size != nullptr && rank != nullptr && size != std::string("1") && rank == std::string("0"))
    print_message(std::cerr,
                  "warning: " + std::string(size) +
                      " processes were started, and this program was built without MPI: each does all of the "
                      "work; build it with -DIONWELL_MPI=ON, or start it once");
  return program(argc, argv);
}

std::string describe_mpi() {
  return {};
}

}  // namespace ionwell
