// SPDX-License-Identifier: BSD-3-Clause
#include "bench/forces/force_work.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "solvation/rotation.hpp"

namespace ionwell {
namespace {

constexpr double atoms_per_A3 = 0.1;  // hydrogens too

/// In a ball, as dense as a protein.
RigidCharges ball_of_charges(std::size_t count) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  const double radius_A = std::cbrt(3.0 * double(count) / (4.0 * 3.14159265 * atoms_per_A3));
  std::vector<PointCharge> charges;
  while (charges.size() < count) {
    const Vec3<double> p{part(random), part(random), part(random)};
    const double charge_e = part(random);
    if (dot(p, p) <= 1.0) charges.push_back({radius_A * p, charge_e});
  }
  return {charges, {}};
}

}  // namespace

ForceWork::ForceWork(std::int64_t edge, std::size_t charge_count, std::size_t pose_count)
    : lattice{{0, 0, 0}, {1, 1, 1}, {edge, edge, edge}}, body(ball_of_charges(body_charges)) {
  values_kT_e.reserve(std::size_t(lattice.size()));
  std::vector<float> wave;
  for (std::int64_t i = 0; i < edge; ++i) wave.push_back(float(std::sin(0.1 * double(i))));
  for (std::int64_t k = 0; k < edge; ++k)
    for (std::int64_t j = 0; j < edge; ++j)
      for (std::int64_t i = 0; i < edge; ++i)
        values_kT_e.push_back(wave[std::size_t(i)] * wave[std::size_t(j)] + wave[std::size_t(k)]);
  const double last_A = double(edge - 1);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> along(0.0, last_A), charge_e(-1.0, 1.0);
  std::normal_distribution<double> step_A;
  Vec3<double> walker{0.5 * last_A, 0.5 * last_A, 0.5 * last_A};
  for (std::size_t n = 0; n < charge_count; ++n) {
    const double x = along(random), y = along(random), z = along(random);
    anywhere.push_back({{x, y, z}, charge_e(random)});
    for (double* part : {&walker.x, &walker.y, &walker.z})
      *part = std::clamp(*part + step_A(random), 0.0, last_A);
    nearby.push_back({walker, charge_e(random)});
  }
  const double free_A = std::max(0.0, last_A - 2.0 * 29.0);  // for the centre: the ball's radius is 28.8 A
  std::uniform_real_distribution<double> centre_A(0.5 * (last_A - free_A), 0.5 * (last_A + free_A) + 1e-9);
  for (std::size_t p = 0; p < pose_count; ++p) {
    const double x = centre_A(random), y = centre_A(random), z = centre_A(random);
    poses.push_back({rotation_of(spread_rotation(int(p), int(pose_count))), {x, y, z}});
  }
}

}  // namespace ionwell
