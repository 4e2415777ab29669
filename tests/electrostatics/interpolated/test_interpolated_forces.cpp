// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/interpolated/interpolated_forces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "core/error.hpp"
#include "electrostatics/interpolated/plain_forces.hpp"
#include "maps/map_interpolation.hpp"
#include "support/error_of.hpp"

namespace ionwell::test {
namespace {

/// Largest differences from a function with its gradient: of energies, and of forces by component.
struct ForceErrors {
  double energy_kT = 0.0, force_kT_A = 0.0;
};

template <typename Exact>
ForceErrors errors_of(const std::vector<ChargeForce>& forces, const std::vector<PointCharge>& charges,
                      const Exact& exact) {
  ForceErrors largest;
  REQUIRE(forces.size() == charges.size());
  for (std::size_t n = 0; n < charges.size(); ++n) {
    const auto& [position_A, charge_e] = charges[n];
    const ValueAndGradient at = exact(position_A);
    const Vec3<double> difference = in_fp64(forces[n].force_kT_A) + charge_e * at.gradient;
    const double energy_difference = std::abs(double(forces[n].energy_kT) - charge_e * at.value);
    if (!(energy_difference <= largest.energy_kT)) largest.energy_kT = energy_difference;  // NaN too
    if (!(largest_component(difference) <= largest.force_kT_A))
      largest.force_kT_A = largest_component(difference);
  }
  return largest;
}

const LatticeGeometry uneven{{-3.5, 100.25, 7.0}, {0.5, 0.7, 1.3}, {11, 9, 6}};

}  // namespace

TEST_CASE("interpolated forces: exact for trilinear and tricubic functions") {
  const auto trilinear = [](const Vec3<double>& p) {
    const double x = p.x, y = p.y - 103, z = p.z - 10;
    return ValueAndGradient{1 + x - 2 * y + 0.5 * z + x * y - 0.3 * y * z + 0.2 * z * x + 0.1 * x * y * z,
                            {1 + y + 0.2 * z + 0.1 * y * z, -2 + x - 0.3 * z + 0.1 * x * z,
                             0.5 - 0.3 * y + 0.2 * x + 0.1 * x * y}};
  };
  const auto tricubic = [](const Vec3<double>& p) {
    const double x = 0.3 * p.x, y = 0.3 * (p.y - 103), z = 0.3 * (p.z - 10);
    const double a = x * x * x - x, b = y * y * y + 2 * y * y + 1, c = z * z * z - 3 * z + 0.5;
    return ValueAndGradient{
        a * b * c,
        {0.3 * (3 * x * x - 1) * b * c, 0.3 * a * (3 * y * y + 4 * y) * c, 0.3 * a * b * (3 * z * z - 3)}};
  };
  const std::vector<PointCharge> charges = charges_in_cells(uneven, 1000, 1);
  const auto check = [&](ForceInterpolation interpolation, const auto& exact) {
    const std::vector<double> values =
        values_of(uneven, [&](const Vec3<double>& p) { return exact(p).value; });
    double largest = 0.0;
    for (const double v : values) largest = std::max(largest, std::abs(v));
    REQUIRE(largest > 1.0);
    const auto forces = make_host_forces(potential_of(uneven, values), {.interpolation = interpolation});
    const ForceErrors errors = errors_of(forces_of(*forces, charges), charges, exact);
    // Rounding of values and terms in fp32, relative to the largest; a spacing of 0.5 A doubles that of
    // forces.
    CHECK(errors.energy_kT < 1e-6 * 2 * largest);
    CHECK(errors.force_kT_A < 4e-6 * 2 * largest);
  };
  check(ForceInterpolation::trilinear, trilinear);
  check(ForceInterpolation::cubic_spline, trilinear);
  check(ForceInterpolation::cubic_spline, tricubic);
}

TEST_CASE("interpolated forces: errors fall with the spacing by the stated orders, at the faces too") {
  const auto smooth = [](const Vec3<double>& p) {
    const double a = std::sin(p.x + 0.4), b = std::cos(0.8 * p.y), c = std::exp(0.3 * p.z);
    return ValueAndGradient{
        a * b * c, {std::cos(p.x + 0.4) * b * c, -0.8 * a * std::sin(0.8 * p.y) * c, 0.3 * a * b * c}};
  };
  struct Orders {
    ForceInterpolation interpolation;
    double energy, force;
  };
  for (const Orders& expected : {Orders{ForceInterpolation::trilinear, 2.0, 1.0},
                                 Orders{ForceInterpolation::cubic_spline, 4.0, 3.0}}) {
    CAPTURE(int(expected.interpolation));
    ForceErrors errors[2];
    for (const int halved : {0, 1}) {
      const double h = halved ? 0.2 : 0.4;
      const LatticeGeometry lattice{
          {-1, -1, -1}, {h, h, h}, {halved ? 21 : 11, halved ? 21 : 11, halved ? 21 : 11}};
      const std::vector<double> values =
          values_of(lattice, [&](const Vec3<double>& p) { return smooth(p).value; });
      const auto forces =
          make_host_forces(potential_of(lattice, values), {.interpolation = expected.interpolation});
      const std::vector<PointCharge> charges = charges_in_cells(lattice, 20000, 2);
      errors[halved] = errors_of(forces_of(*forces, charges), charges, smooth);
    }
    CHECK(std::log2(errors[0].energy_kT / errors[1].energy_kT) ==
          doctest::Approx(expected.energy).epsilon(0.15));
    CHECK(std::log2(errors[0].force_kT_A / errors[1].force_kT_A) ==
          doctest::Approx(expected.force).epsilon(0.15));
  }
}

TEST_CASE(
    "interpolated forces: as plain code has them, on lattices of any shape and at each instruction set") {
  const std::vector<LatticeGeometry> lattices = {uneven,
                                                 {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}},
                                                 {{5, -6, 7}, {0.4, 0.5, 0.6}, {3, 4, 5}},
                                                 {{1, 2, 3}, {0.5, 0.5, 0.5}, {1, 7, 5}},
                                                 {{1, 2, 3}, {0.5, 0.5, 0.5}, {6, 1, 2}},
                                                 {{1, 2, 3}, {0.5, 0.5, 0.5}, {4, 3, 1}},
                                                 {{1, 2, 3}, {0.5, 0.5, 0.5}, {1, 1, 1}},
                                                 {{-1, -2, -3}, {2.0, 0.1, 0.3}, {5, 17, 4}}};
  for (const LatticeGeometry& lattice : lattices)
    for (const ForceInterpolation interpolation : both_interpolations) {
      CAPTURE(lattice.counts.x);
      CAPTURE(lattice.counts.y);
      CAPTURE(lattice.counts.z);
      CAPTURE(int(interpolation));
      const std::vector<double> values = random_potential(lattice, 3);
      const std::vector<float> single(values.begin(), values.end());
      const PlainInterpolation plain(lattice, values, interpolation);
      const auto exact = [&](const Vec3<double>& p) { return plain.at(p); };
      const double h = std::min({lattice.spacing_A.x, lattice.spacing_A.y, lattice.spacing_A.z});
      for (const std::size_t count : {1, 15, 16, 17, 63, 64, 65, 200}) {
        const std::vector<PointCharge> charges = charges_in_cells(lattice, count, 4);
        for (const SimdLevel simd : {SimdLevel::baseline, SimdLevel::avx2, SimdLevel::avx512}) {
          if (simd > best_simd_level()) continue;
          const InterpolatedForceOptions options{.interpolation = interpolation, .simd = simd};
          const auto forces = make_host_forces(potential_of(lattice, values), options);
          const ForceErrors errors = errors_of(forces_of(*forces, charges), charges, exact);
          CHECK(errors.energy_kT < 3e-6);  // values of 1, coefficients of at most 27, charges of 2
          CHECK(errors.force_kT_A < 1e-5 / h);
          const auto of_single = make_host_forces({lattice, std::span<const float>(single)}, options);
          CHECK(errors_of(forces_of(*of_single, charges), charges, exact).force_kT_A < 1.2e-5 / h);
        }
      }
    }
}

TEST_CASE("interpolated forces: inside, on the faces and outside as maps have it") {
  const LatticeGeometry lattice{{-3.0, 0.0, 7.0}, {0.5, 0.25, 2.0}, {8, 5, 1}};
  const std::vector<double> values = random_potential(lattice, 5);
  const MapGrid map{lattice, values};
  const double infinite = std::numeric_limits<double>::infinity();
  std::vector<PointCharge> charges;
  for (const double x :
       {-3.0, -3.0 - 4e-7, -3.0 - 6e-7, 0.5, 0.5 + 4e-7, 0.5 + 6e-7, -1.0, 1e8, -1e300, infinite})
    for (const double y : {0.0, 1.0, 1.0 + 2e-7, 1.0 + 3e-7, -1e-9, 0.5, -0.26, std::nan("")})
      for (const double z : {7.0, 7.0 + 1e-6, 7.0 + 3e-6, 6.0}) charges.push_back({{x, y, z}, 1.5});
  for (const ForceInterpolation interpolation : both_interpolations) {
    const auto forces = make_host_forces(potential_of(lattice, values), {.interpolation = interpolation});
    std::vector<ChargeForce> to(charges.size());
    const std::int64_t outside = forces->on_charges(charges, to);
    std::int64_t expected_outside = 0;
    for (std::size_t n = 0; n < charges.size(); ++n) {
      const double expected = interpolate(map, charges[n].position_A, MapInterpolation::trilinear);
      CAPTURE(charges[n].position_A.x);
      CAPTURE(charges[n].position_A.y);
      CAPTURE(charges[n].position_A.z);
      if (std::isnan(expected)) {
        ++expected_outside;
        CHECK(std::isnan(to[n].energy_kT));
        CHECK(std::isnan(to[n].force_kT_A.x));
        CHECK(std::isnan(to[n].force_kT_A.y));
        CHECK(std::isnan(to[n].force_kT_A.z));
      } else {
        CHECK(std::abs(double(to[n].energy_kT) - 1.5 * expected) < 5e-6);  // all of them are lattice points
        CHECK(to[n].force_kT_A.z == 0.0f);
      }
    }
    CHECK(outside == expected_outside);
    CHECK(outside > 50);
    CHECK(outside < std::ssize(charges) - 40);
  }
}

TEST_CASE("interpolated forces: the force is the energy's gradient") {
  const std::vector<double> values = random_potential(uneven, 6);
  for (const ForceInterpolation interpolation : both_interpolations) {
    CAPTURE(int(interpolation));
    const auto forces = make_host_forces(potential_of(uneven, values), {.interpolation = interpolation});
    std::vector<PointCharge> charges;
    constexpr double step_A = 0.01;
    for (const PointCharge& q : charges_in_cells(uneven, 3000, 7)) {
      const auto clear = [&](double position_A, double origin_A, double spacing_A) {
        const double u = (position_A - origin_A) / spacing_A, t = u - std::floor(u);
        return t > 0.03 && t < 0.97;  // so that steps stay in the cell
      };
      if (clear(q.position_A.x, -3.5, 0.5) && clear(q.position_A.y, 100.25, 0.7) &&
          clear(q.position_A.z, 7, 1.3))
        charges.push_back(q);
    }
    REQUIRE(charges.size() > 1000);
    const std::vector<ChargeForce> at = forces_of(*forces, charges);
    for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 0}, Vec3<double>{0, 0, 1}}) {
      std::vector<PointCharge> before = charges, after = charges;
      for (PointCharge& q : before) q.position_A = q.position_A - step_A * axis;
      for (PointCharge& q : after) q.position_A = q.position_A + step_A * axis;
      const std::vector<ChargeForce> low = forces_of(*forces, before), high = forces_of(*forces, after);
      double largest = 0.0;
      for (std::size_t n = 0; n < charges.size(); ++n)
        largest =
            std::max(largest, std::abs((double(high[n].energy_kT) - double(low[n].energy_kT)) / (2 * step_A) +
                                       dot(in_fp64(at[n].force_kT_A), axis)));
      // Rounding of energies of 2 kT, over the step; a cubic's third derivative of at most 1e3 / A^3 as well.
      CHECK(largest < (interpolation == ForceInterpolation::trilinear ? 1e-4 : 2e-2));
    }
  }
}

TEST_CASE("interpolated forces: a spline's force does not jump where a trilinear one does") {
  const std::vector<double> values = random_potential(uneven, 8);
  double jump[2] = {};
  for (const ForceInterpolation interpolation : both_interpolations) {
    const auto forces = make_host_forces(potential_of(uneven, values), {.interpolation = interpolation});
    for (int i = 1; i + 1 < uneven.counts.x; ++i) {
      const double plane_A = uneven.origin_A.x + 0.5 * i;
      const std::vector<ChargeForce> sides =
          forces_of(*forces, {{{plane_A - 1e-5, 102.1, 9.3}, 1.0}, {{plane_A + 1e-5, 102.1, 9.3}, 1.0}});
      jump[int(interpolation)] =
          std::max(jump[int(interpolation)],
                   largest_component(in_fp64(sides[0].force_kT_A) - in_fp64(sides[1].force_kT_A)));
    }
  }
  CHECK(jump[int(ForceInterpolation::trilinear)] > 0.5);
  CHECK(jump[int(ForceInterpolation::cubic_spline)] < 1e-3);  // second derivatives of 30 / A^2, over 2e-5 A
}

TEST_CASE("interpolated forces: of nothing, and on what is no potential, charge or place") {
  const LatticeGeometry lattice{{0, 0, 0}, {1, 1, 1}, {4, 5, 6}};
  std::vector<double> values = random_potential(lattice, 19);
  const auto forces = make_host_forces(potential_of(lattice, values), {});
  CHECK(forces_of(*forces, {}).empty());
  const RigidCharges nothing({}, {1, 2, 3});
  CHECK(nothing.size() == 0);
  CHECK(forces->on_body(nothing, {}).empty());
  const std::vector<BodyForce> none = forces->on_body(nothing, std::vector<RigidPose>(3));
  REQUIRE(none.size() == 3);
  CHECK(none[1].force_kT_A == Vec3<double>{});
  CHECK(none[1].torque_kT == Vec3<double>{});
  CHECK(none[1].energy_kT == 0.0);
  CHECK(none[1].outside == 0);
  const RigidCharges one(std::vector<PointCharge>{{{1, 1, 1}, 1.0}}, {1, 1, 1});
  CHECK(forces->on_body(one, std::vector<RigidPose>{{{}, {std::nan(""), 1, 1}}}).front().outside == 1);

  std::vector<ChargeForce> short_array(1);
  CHECK(error_of([&] { forces->on_charges(std::vector<PointCharge>(2), short_array); }).find("as long") !=
        std::string::npos);
  CHECK(error_of([&] {
          RigidCharges(std::vector<PointCharge>{{{1, 1, 1}, std::nan("")}}, {});
        }).find("charge 1") != std::string::npos);
  // Extents that are no numbers, or have no inverse.
  for (const double away_A : {1e308, 1e-310}) {
    const RigidCharges wide(std::vector<PointCharge>{{{-away_A, 0, 0}, 1.0}, {{away_A, 0, 0}, 1.0}}, {});
    CHECK(wide.size() == 2);
    CHECK(forces->on_body(wide, std::vector<RigidPose>(1)).front().outside == (away_A > 1 ? 2 : 0));
  }
  for (const double bad : {std::nan(""), 1e40, -std::numeric_limits<double>::infinity()}) {
    values[std::size_t(lattice.index(2, 3, 4))] = bad;
    for (const ForceInterpolation interpolation : both_interpolations)
      CHECK(error_of([&] {
              make_host_forces(potential_of(lattice, values), {.interpolation = interpolation});
            }).find("(2, 3, 4)") != std::string::npos);
  }
  values.pop_back();
  CHECK(error_of([&] { make_host_forces(potential_of(lattice, values), {}); }).find("119 values") !=
        std::string::npos);
  const LatticeGeometry empty{{0, 0, 0}, {1, 1, 1}, {4, 0, 4}};
  CHECK(error_of([&] { make_host_forces(potential_of(empty, {}), {}); }).find("4 x 0 x 4") !=
        std::string::npos);
  const LatticeGeometry huge{{0, 0, 0}, {1, 1, 1}, {2000, 2000, 2000}};
  CHECK(error_of([&] { make_host_forces(potential_of(huge, {}), {}); }).find("2^31") != std::string::npos);
}

}  // namespace ionwell::test
