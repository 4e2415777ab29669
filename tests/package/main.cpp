#include <exception>
#include <iostream>

#include "gpu/backend.hpp"

// The potential of one charge, on whatever this machine has.
int main() try {
  using namespace ionwell;
  const LatticeGeometry lattice = lattice_in_box({{0, 0, 0}, {1, 1, 1}}, 0.5);
  const BackendChoice choice =
      choose_backend({.backend = gpu_devices().devices.empty() ? Backend::cpu : Backend::gpu}, 0.0, {});
  auto masked = make_lattice(choice, lattice, pair_potential({}), {.every_point = true});
  const std::vector<PointCharge> charge{{{0, 0, 2}, 1.0}};
  const auto field = fill(std::move(masked), DirectSum{charge}, {});
  const std::vector<float> values = field->values();
  const float ratio = values.at(18) / values.at(0);  // at distances of 1 and 2 A
  std::cout << lattice.size() << " points on the " << to_string(choice.backend) << ", ratio " << ratio
            << '\n';
  return lattice.size() == 27 && ratio > 1.9999f && ratio < 2.0001f ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
