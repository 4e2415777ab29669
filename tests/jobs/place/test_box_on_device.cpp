// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "support/box_on_device.hpp"
#include "support/stand_in_backend.hpp"

using namespace ionwell;
using namespace ionwell::test;

TEST_CASE("box on a device: ions and energies are the CPU's, also where the device fails on the way") {
  StandInBackend device({1'000'000'000});
  for (const CellParameters& shape : cells_of_boxes()) {
    const BoxOutcome cpu = box_outcome(shape, Backend::cpu, device);
    REQUIRE(cpu.replaced.size() > 60);
    for (const int searches : {-1, 0, 7}) {
      CAPTURE(searches);
      device.searches = searches;
      const BoxOutcome found = box_outcome(shape, Backend::gpu, device);
      CHECK(found.computed_on == Backend::gpu);
      CHECK(found.replaced == cpu.replaced);
      CHECK(found.energies_kT == cpu.energies_kT);
      std::vector<std::string> warnings = cpu.warnings;
      if (searches >= 0) warnings.push_back("the CPU searched for the places of ions: the stand-in is gone");
      CHECK(found.warnings == warnings);
    }
  }
}
