#include <exception>
#include <iostream>

#include "gpu/backend.hpp"
#include "potential/lattice_potential.hpp"
#include "potential/potential_map.hpp"

// The potential of one charge, on whatever this machine has.
int main() try {
  using namespace ionwell;
  const DeviceBackend& gpus = gpu_backend();
  Structure structure{.path = "one charge"};
  structure.atoms.push_back({.position_A = {0, 0, 0}, .charge_e = 1.0});
  PotentialRequest request{.structure = structure,
                           .lattice = {.spacing_A = 0.5, .box = Box{{0, 0, 0}, {1, 1, 2}}}};
  request.backend.backend = gpus.devices().devices.empty() ? Backend::cpu : Backend::gpu;

  Stages stages;
  const LatticePotential made = compute_potential(request, stages, {&gpus});
  const ResultMap map = map_of(made);
  const float ratio = map.values[18] / map.values[36];  // at distances of 1 and 2 A
  std::cout << map.values.size() << " points on the " << to_string(made.run.backend) << ", ratio " << ratio
            << '\n';
  return map.values.size() == 45 && ratio > 1.9999f && ratio < 2.0001f ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
