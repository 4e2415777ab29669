// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "compute/backend.hpp"
#include "core/error.hpp"
#include "electrostatics/interpolated/interpolated_forces.hpp"
#include "electrostatics/interpolated/plain_forces.hpp"
#include "gpu/backend.hpp"
#include "support/backends.hpp"

namespace ionwell::test {
namespace {

std::unique_ptr<InterpolatedForces> gpu_forces(const LatticeGeometry& lattice,
                                               const std::vector<double>& values,
                                               ForceInterpolation interpolation) {
  return gpu_backend().interpolated_forces(gpu_backend().devices().devices.front().number,
                                           potential_of(lattice, values), interpolation);
}

std::vector<PointCharge> random_body(std::size_t count, double radius_A, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> along(-radius_A, radius_A), charge_e(-1.0, 1.0);
  std::vector<PointCharge> charges(count);
  for (PointCharge& q : charges) q = {{along(random), along(random), along(random)}, charge_e(random)};
  return charges;
}

std::vector<RigidPose> random_poses(std::size_t count, double reach_A, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  std::vector<RigidPose> poses;
  for (std::size_t n = 0; n < count; ++n) {
    const Vec3<double> axis{part(random), part(random), part(random)};
    const double radians = 3.0 * part(random);
    const double x = part(random), y = part(random), z = part(random);
    poses.push_back({rotation_by({axis, radians}), {reach_A * x, reach_A * y, reach_A * z}});
  }
  return poses;
}

/// Smooth, so that forces do not jump much from cell to cell: places of bodies differ by rounding.
std::vector<double> smooth_potential(const LatticeGeometry& lattice) {
  return values_of(lattice, [](const Vec3<double>& p) {
    return 2.0 * std::sin(0.13 * p.x + 0.2 * p.y) + std::cos(0.11 * p.y - 0.17 * p.z) + 0.05 * p.x;
  });
}

bool same_bits(const BodyForce& a, const BodyForce& b) {
  return a.force_kT_A == b.force_kT_A && a.torque_kT == b.torque_kT && a.energy_kT == b.energy_kT &&
         a.outside == b.outside;
}

}  // namespace

TEST_CASE("gpu: interpolated forces on charges as plain code has them, on lattices of any shape") {
  if (!have_gpu()) return;
  const std::vector<LatticeGeometry> lattices = {{{-3.5, 100.25, 7.0}, {0.5, 0.7, 1.3}, {11, 9, 6}},
                                                 {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}},
                                                 {{5, -6, 7}, {0.4, 0.5, 0.6}, {3, 4, 5}},
                                                 {{1, 2, 3}, {0.5, 0.5, 0.5}, {1, 7, 5}},
                                                 {{1, 2, 3}, {0.5, 0.5, 0.5}, {6, 1, 2}},
                                                 {{1, 2, 3}, {0.5, 0.5, 0.5}, {4, 3, 1}},
                                                 {{1, 2, 3}, {0.5, 0.5, 0.5}, {1, 1, 1}},
                                                 {{-1, -2, -3}, {2.0, 0.1, 0.3}, {70, 13, 4}}};
  for (const LatticeGeometry& lattice : lattices)
    for (const ForceInterpolation interpolation : both_interpolations) {
      CAPTURE(lattice.counts.x);
      CAPTURE(lattice.counts.y);
      CAPTURE(lattice.counts.z);
      CAPTURE(int(interpolation));
      const std::vector<double> values = random_potential(lattice, 3);
      const PlainInterpolation plain(lattice, values, interpolation);
      const auto forces = gpu_forces(lattice, values, interpolation);
      const double h = std::min({lattice.spacing_A.x, lattice.spacing_A.y, lattice.spacing_A.z});
      for (const std::size_t count : {1, 33, 255, 1000}) {
        const std::vector<PointCharge> charges = charges_in_cells(lattice, count, 4);
        const std::vector<ChargeForce> to = forces_of(*forces, charges);
        double energy_error = 0.0, force_error = 0.0;
        for (std::size_t n = 0; n < count; ++n) {
          const auto& [position_A, charge_e] = charges[n];
          const ValueAndGradient at = plain.at(position_A);
          const Vec3<double> difference = in_fp64(to[n].force_kT_A) + charge_e * at.gradient;
          energy_error = std::max(energy_error, std::abs(double(to[n].energy_kT) - charge_e * at.value));
          force_error = std::max(force_error, largest_component(difference));
        }
        CHECK(energy_error < 3e-6);  // as on the host
        CHECK(force_error < 1e-5 / h);
      }
    }
}

TEST_CASE("gpu: interpolated forces, inside, on the faces and outside as on the host") {
  if (!have_gpu()) return;
  const LatticeGeometry lattice{{-3.0, 0.0, 7.0}, {0.5, 0.25, 2.0}, {8, 5, 3}};
  const std::vector<double> values = random_potential(lattice, 5);
  std::vector<PointCharge> charges;
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double x :
       {-3.0, -3.0 - 4e-7, -3.0 - 6e-7, 0.5, 0.5 + 4e-7, 0.5 + 6e-7, -1.2, 1e8, -1e300, infinite})
    for (const double y : {0.0, 1.0, 1.0 + 2e-7, 1.0 + 3e-7, -1e-9, 0.55, -0.26, std::nan("")})
      for (const double z : {7.0, 7.0 - 1e-6, 7.0 - 3e-6, 9.0, 11.0, 11.1})
        charges.push_back({{x, y, z}, 1.5});
  for (const ForceInterpolation interpolation : both_interpolations) {
    const auto host = make_host_forces(potential_of(lattice, values), {.interpolation = interpolation});
    const auto device = gpu_forces(lattice, values, interpolation);
    std::vector<ChargeForce> on_host(charges.size()), on_device(charges.size());
    const std::int64_t outside = host->on_charges(charges, on_host);
    CHECK(device->on_charges(charges, on_device) == outside);
    CHECK(outside > 50);
    CHECK(outside < std::ssize(charges) - 50);
    double largest = 0.0;
    for (std::size_t n = 0; n < charges.size(); ++n) {
      REQUIRE(std::isnan(on_host[n].energy_kT) == std::isnan(on_device[n].energy_kT));
      CHECK(std::isnan(on_device[n].energy_kT) == std::isnan(on_device[n].force_kT_A.y));
      if (std::isnan(on_host[n].energy_kT)) continue;
      largest = std::max(
          largest, largest_component(in_fp64(on_host[n].force_kT_A) - in_fp64(on_device[n].force_kT_A)));
    }
    CHECK(largest < 4e-5);  // the same cells, on planes too; values of 1, coefficients of at most 27, 0.25 A
  }
}

TEST_CASE("gpu: interpolated forces and torques on bodies as on the host, and the same bits in every run") {
  if (!have_gpu()) return;
  const LatticeGeometry lattice{{-30, -28, -26}, {0.8, 0.9, 1.0}, {76, 63, 53}};
  const std::vector<double> values = smooth_potential(lattice);
  for (const ForceInterpolation interpolation : both_interpolations) {
    const auto host = make_host_forces(potential_of(lattice, values), {.interpolation = interpolation});
    const auto device = gpu_forces(lattice, values, interpolation);
    for (const auto& [charge_count, pose_count] : {std::pair<std::size_t, std::size_t>{1, 1},
                                                   {5, 3000},
                                                   {64, 33},
                                                   {1023, 100},
                                                   {1025, 9000},
                                                   {10000, 40}}) {
      CAPTURE(int(interpolation));
      CAPTURE(charge_count);
      std::vector<PointCharge> charges = random_body(charge_count, 12.0, 10);
      const RigidCharges body(charges, {});
      const std::vector<RigidPose> poses = random_poses(pose_count, 18.0, 11);
      const std::vector<BodyForce> expected = host->on_body(body, poses), sums = device->on_body(body, poses);
      REQUIRE(sums.size() == expected.size());
      // fp32 places to 1e-5 A, each by the field's gradient of 0.2 kT/A^2 and, of the trilinear force, a
      // jump of 0.2 kT/A for one charge in 1e4; terms of 1 kT, levers of 20 A.
      const double scale = 2e-6 * double(charge_count) + 1e-5 + (charge_count > 500 ? 1e-2 : 0.0);
      double energy = 0.0, force = 0.0, torque = 0.0;
      std::int64_t outside = 0, differ = 0;
      for (std::size_t p = 0; p < sums.size(); ++p) {
        outside += expected[p].outside;
        differ += std::abs(sums[p].outside - expected[p].outside);
        if (sums[p].outside != expected[p].outside) continue;  // one of them is on a face
        energy = std::max(energy, std::abs(sums[p].energy_kT - expected[p].energy_kT));
        force = std::max(force, largest_component(sums[p].force_kT_A - expected[p].force_kT_A));
        torque = std::max(torque, largest_component(sums[p].torque_kT - expected[p].torque_kT));
      }
      CHECK(energy < scale);
      CHECK(force < scale + 0.2 * (interpolation == ForceInterpolation::trilinear));
      CHECK(torque < 20 * (scale + 0.2 * (interpolation == ForceInterpolation::trilinear)));
      CHECK(differ <= 1 + outside / 1000);
      if (charge_count * pose_count > 10000) CHECK(outside > 0);
      const std::vector<BodyForce> again = device->on_body(body, poses);
      bool same = true;
      for (std::size_t p = 0; p < sums.size(); ++p) same = same && same_bits(sums[p], again[p]);
      CHECK(same);
    }
  }
}

TEST_CASE(
    "gpu: interpolated forces on a body that replaces another, of nothing, and on a GPU that is not there") {
  if (!have_gpu()) return;
  const LatticeGeometry lattice{{-10, -10, -10}, {0.5, 0.5, 0.5}, {41, 41, 41}};
  const std::vector<double> values = smooth_potential(lattice);
  const auto device = gpu_forces(lattice, values, ForceInterpolation::trilinear);
  const RigidCharges large(random_body(3000, 3.0, 12), {}), small(random_body(7, 3.0, 13), {}),
      nothing({}, {});
  const std::vector<RigidPose> poses = random_poses(5, 3.0, 14);
  const std::vector<BodyForce> of_large = device->on_body(large, poses),
                               of_small = device->on_body(small, poses);
  CHECK(same_bits(device->on_body(large, poses)[3], of_large[3]));
  CHECK(same_bits(device->on_body(small, poses)[3], of_small[3]));
  CHECK(of_large[3].energy_kT != of_small[3].energy_kT);
  CHECK(device->on_body(large, {}).empty());
  CHECK(same_bits(device->on_body(nothing, poses)[4], BodyForce{}));
  std::vector<ChargeForce> none;
  CHECK(device->on_charges({}, none) == 0);
  std::vector<RigidPose> nowhere = poses;
  nowhere[0].centre_A.x = std::nan("");
  nowhere[1].centre_A.y = 1e300;
  nowhere[2].centre_A.z = -1e9;
  const std::vector<BodyForce> away = device->on_body(large, nowhere);
  for (const std::size_t p : {0, 1, 2}) {
    CHECK(away[p].outside == 3000);
    CHECK(away[p].energy_kT == 0.0);
    CHECK(away[p].torque_kT == Vec3<double>{});
  }
  CHECK(same_bits(away[3], of_large[3]));
  REQUIRE(device->device_use());
  CHECK(device->device_use()->peak_bytes > 4 * 41 * 41 * 41);
  CHECK_THROWS_AS(
      gpu_backend().interpolated_forces(997, potential_of(lattice, values), ForceInterpolation::trilinear),
      UsageError);
}

}  // namespace ionwell::test
