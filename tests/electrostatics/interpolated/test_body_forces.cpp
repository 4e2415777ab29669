// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "electrostatics/interpolated/plain_forces.hpp"

namespace ionwell::test {
namespace {

std::vector<PointCharge> random_body(std::size_t count, double radius_A, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> along(-radius_A, radius_A), charge_e(-1.0, 1.0);
  std::vector<PointCharge> charges(count);
  for (PointCharge& q : charges) {
    q.position_A = {40.0 + along(random), along(random), -20.0 + along(random)};
    q.charge_e = charge_e(random);
  }
  return charges;
}
constexpr Vec3<double> body_centre_A{40.0, 0.0, -20.0};

std::vector<RigidPose> random_poses(std::size_t count, const Vec3<double>& middle_A, double reach_A,
                                    unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  std::vector<RigidPose> poses;
  for (std::size_t n = 0; n < count; ++n) {
    const Vec3<double> axis{part(random), part(random), part(random)};
    const Rotation rotation = rotation_by({axis, 3.0 * part(random)});
    const Vec3<double> shift{part(random), part(random), part(random)};
    poses.push_back({rotation, middle_A + reach_A * shift});
  }
  return poses;
}

/// Where a body's charges are at a pose.
std::vector<PointCharge> placed(const std::vector<PointCharge>& body, const RigidPose& pose) {
  std::vector<PointCharge> charges = body;
  for (PointCharge& q : charges) q.position_A = pose.centre_A + pose.rotation(q.position_A - body_centre_A);
  return charges;
}

bool same_bits(const BodyForce& a, const BodyForce& b) {
  return a.force_kT_A == b.force_kT_A && a.torque_kT == b.torque_kT && a.energy_kT == b.energy_kT &&
         a.outside == b.outside;
}

}  // namespace

TEST_CASE("interpolated forces: on a body they are the sums over its charges, about its centre") {
  const LatticeGeometry lattice{{-9, -8, -7}, {0.8, 0.9, 1.0}, {24, 21, 18}};
  const std::vector<double> values = random_potential(lattice, 9);
  for (const ForceInterpolation interpolation : both_interpolations)
    for (const std::size_t count : {1, 5, 63, 64, 65, 700}) {
      CAPTURE(int(interpolation));
      CAPTURE(count);
      std::vector<PointCharge> charges = random_body(count, 4.0, 10);
      charges.push_back({{-1e6, 0, 0}, 0.0});  // no charge, and in no sum
      const RigidCharges body(charges, body_centre_A);
      CHECK(body.size() == std::int64_t(count));
      const auto forces = make_host_forces(potential_of(lattice, values), {.interpolation = interpolation});
      // Some reach out of the lattice.
      const std::vector<RigidPose> poses = random_poses(20, {0.3, 0.5, 1.2}, 9.0, 11);
      const std::vector<BodyForce> sums = forces->on_body(body, poses);
      REQUIRE(sums.size() == poses.size());
      std::int64_t outside = 0;
      for (std::size_t p = 0; p < poses.size(); ++p) {
        std::vector<PointCharge> at = placed(charges, poses[p]);
        at.pop_back();
        std::vector<ChargeForce> each(at.size());
        BodyForce expected;
        expected.outside = forces->on_charges(at, each);
        outside += expected.outside;
        for (std::size_t n = 0; n < at.size(); ++n) {
          if (std::isnan(each[n].energy_kT)) continue;
          const Vec3<double> f = in_fp64(each[n].force_kT_A), r = at[n].position_A - poses[p].centre_A;
          expected.force_kT_A = expected.force_kT_A + f;
          expected.torque_kT = expected.torque_kT + Vec3<double>{r.y * f.z - r.z * f.y, r.z * f.x - r.x * f.z,
                                                                 r.x * f.y - r.y * f.x};
          expected.energy_kT += double(each[n].energy_kT);
        }
        CHECK(sums[p].outside == expected.outside);
        // fp32 sums of 64 terms of at most 1 kT, 3 kT/A and 20 kT.
        const double scale = 1e-7 * 64 * std::sqrt(double(count));
        CHECK(std::abs(sums[p].energy_kT - expected.energy_kT) < scale);
        CHECK(largest_component(sums[p].force_kT_A - expected.force_kT_A) < 3 * scale);
        CHECK(largest_component(sums[p].torque_kT - expected.torque_kT) < 20 * scale);
      }
      CHECK(outside > 0);
    }
}

TEST_CASE("interpolated forces: a small turn of a body changes its energy by the torque") {
  const LatticeGeometry lattice{{-9, -9, -9}, {0.5, 0.5, 0.5}, {37, 37, 37}};
  const std::vector<double> values = values_of(lattice, [](const Vec3<double>& p) {
    return 3.0 * std::sin(0.5 * p.x + 0.2 * p.y) + 2.0 * std::cos(0.3 * p.y - 0.4 * p.z);
  });
  const auto forces =
      make_host_forces(potential_of(lattice, values), {.interpolation = ForceInterpolation::cubic_spline});
  const RigidCharges body(random_body(300, 3.5, 12), body_centre_A);
  constexpr double angle = 1e-2;
  for (const RigidPose& pose : random_poses(10, {}, 1.0, 13)) {
    const BodyForce at = forces->on_body(body, std::vector{pose}).front();
    REQUIRE(at.outside == 0);
    for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}}) {
      const auto energy_kT = [&](double radians) {
        const Rotation turn = rotation_by({axis, radians});
        const Rotation& r = pose.rotation;
        const Vec3<double> x = turn({r.x.x, r.y.x, r.z.x}), y = turn({r.x.y, r.y.y, r.z.y}),
                           z = turn({r.x.z, r.y.z, r.z.z});  // where the axes come
        const RigidPose turned{{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}, pose.centre_A};
        return forces->on_body(body, std::vector{turned}).front().energy_kT;
      };
      const double slope = (energy_kT(angle) - energy_kT(-angle)) / (2 * angle);
      // Third derivatives: some 10 kT, times angle^2 / 6; and the rounding of 300 energies of 3 kT.
      CHECK(-slope == doctest::Approx(dot(at.torque_kT, axis)).epsilon(1e-3).scale(3.0));
    }
    CHECK(largest_component(at.torque_kT) > 0.1);
  }
}

TEST_CASE("interpolated forces: threads change no bit, nor does a charge's company") {
  const LatticeGeometry lattice{{-20, -20, -20}, {1, 1, 1}, {41, 41, 41}};
  const std::vector<double> values = random_potential(lattice, 14);
  const std::vector<PointCharge> charges = charges_in_cells(lattice, 20001, 15);
  const RigidCharges large(random_body(20001, 8.0, 16), body_centre_A),
      small(random_body(70, 8.0, 17), body_centre_A);
  const std::vector<RigidPose> poses = random_poses(7, {}, 12.0, 18);
  for (const ForceInterpolation interpolation : both_interpolations) {
    const auto with = [&](int threads) {
      return make_host_forces(potential_of(lattice, values),
                              {.interpolation = interpolation, .threads = threads});
    };
    const auto one = with(1);
    const std::vector<ChargeForce> expected = forces_of(*one, charges);
    const std::vector<BodyForce> expected_large = one->on_body(large, poses),
                                 expected_small = one->on_body(small, poses);
    for (std::size_t n = 0; n < charges.size(); n += 997) {
      const ChargeForce alone = forces_of(*one, {charges[n]}).front();
      CHECK(alone.force_kT_A == expected[n].force_kT_A);
      CHECK(alone.energy_kT == expected[n].energy_kT);
    }
    for (const int threads : {2, 3, 8}) {
      const auto many = with(threads);
      const std::vector<ChargeForce> forces = forces_of(*many, charges);
      bool same = true;
      for (std::size_t n = 0; n < charges.size(); ++n)
        same = same && forces[n].force_kT_A == expected[n].force_kT_A &&
               forces[n].energy_kT == expected[n].energy_kT;
      CHECK(same);
      const std::vector<BodyForce> of_large = many->on_body(large, poses),
                                   of_small = many->on_body(small, poses);
      for (std::size_t p = 0; p < poses.size(); ++p) {
        CHECK(same_bits(of_large[p], expected_large[p]));
        CHECK(same_bits(of_small[p], expected_small[p]));
        CHECK(same_bits(one->on_body(large, std::vector{poses[p]}).front(), expected_large[p]));
      }
    }
  }
}

}  // namespace ionwell::test
