// SPDX-License-Identifier: BSD-3-Clause
// Interpolated forces by a GPU, as a program of its own: tests let its CUDA calls fail. Writes the forces to
// the file behind -o, and says what failed as ionwell does.
#include <cmath>
#include <iostream>
#include <string>

#include "compute/backend.hpp"
#include "core/error.hpp"
#include "electrostatics/interpolated/interpolated_forces.hpp"
#include "files/output_file.hpp"
#include "gpu/backend.hpp"

namespace {

using namespace ionwell;

/// Forces on some charges, and on a body at some poses, twice each.
std::string forces_as_text() {
  const LatticeGeometry lattice{{0, 0, 0}, {1, 1, 1}, {20, 18, 16}};
  std::vector<double> values;
  for (std::int64_t p = 0; p < lattice.size(); ++p) values.push_back(std::sin(0.01 * double(p)));
  std::vector<PointCharge> charges;
  for (int n = 0; n < 300; ++n)
    charges.push_back({{std::fmod(3.7 * n, 19.0), std::fmod(2.3 * n, 17.0), std::fmod(1.1 * n, 15.0)}, 0.5});
  const RigidCharges body(charges, {9, 8, 7});
  std::vector<RigidPose> poses(40);
  for (std::size_t p = 0; p < poses.size(); ++p) poses[p].centre_A = {0.3 * double(p), 8.0, 7.0};
  std::string text;
  for (const ForceInterpolation interpolation :
       {ForceInterpolation::trilinear, ForceInterpolation::cubic_spline}) {
    const auto forces =
        gpu_backend().interpolated_forces(gpu_backend().devices().devices.front().number,
                                          {lattice, std::span<const double>(values)}, interpolation);
    for (int repeat = 0; repeat < 2; ++repeat) {
      std::vector<ChargeForce> to(charges.size());
      text += std::to_string(forces->on_charges(charges, to)) + " outside\n";
      for (const ChargeForce& f : to)
        text += std::to_string(f.force_kT_A.x) + ' ' + std::to_string(f.energy_kT) + '\n';
      for (const BodyForce& f : forces->on_body(body, poses))
        text += std::to_string(f.torque_kT.y) + ' ' + std::to_string(f.energy_kT) + '\n';
    }
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::string path;
    for (int n = 1; n + 1 < argc; ++n)
      if (std::string(argv[n]) == "-o") path = argv[n + 1];
    if (gpu_backend().devices().devices.empty()) fail(gpu_backend().devices().problem);
    const std::string text = forces_as_text();
    write_file(path, text);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "ionwell: " << error.what() << '\n';
    return 1;
  }
}
