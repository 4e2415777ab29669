// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/vec3.hpp"
#include "solvation/water_boxes.hpp"

using namespace ionwell;

namespace {

constexpr double grams_per_molecule = 18.0154 / 6.02214076e23;

/// What the papers give.
struct Model {
  std::string name;
  double bond_A, angle_degrees, density_g_cm3;
};

std::vector<Model> models() {
  return {{"tip3p", 0.9572, 104.52, 0.982},
          {"tips3p", 0.9572, 104.52, 1.017},  // by examples/water; TIP3P of 1983 is 3 % lighter
          {"spce", 1.0, 109.47, 0.998},
          {"opc", 0.8724, 103.6, 0.997},
          {"tip4pew", 0.9572, 104.52, 0.995},
          {"tip4p2005", 0.9572, 104.52, 0.998},
          {"tip5p", 0.9572, 104.52, 0.983}};
}

Vec3<double> site_A(const WaterBox& box, std::int64_t molecule, int site) {
  const auto* at = box.coordinates_mA.data() + 9 * molecule + 3 * site;
  return {at[0] * 1e-3, at[1] * 1e-3, at[2] * 1e-3};
}

double length_A(Vec3<double> v) {
  return std::sqrt(dot(v, v));
}

Vec3<double> shortest_A(Vec3<double> d, double edge_A) {
  return {d.x - edge_A * std::rint(d.x / edge_A), d.y - edge_A * std::rint(d.y / edge_A),
          d.z - edge_A * std::rint(d.z / edge_A)};
}

}  // namespace

TEST_CASE("water boxes: every model has one, of whole molecules at the model's density") {
  CHECK(water_boxes().size() == models().size());
  for (const Model& m : models()) {
    CAPTURE(m.name);
    const WaterBox& box = water_box(m.name);
    CHECK(box.model == m.name);
    CHECK(box.molecules >= 850);
    REQUIRE(std::int64_t(box.coordinates_mA.size()) == 9 * box.molecules);
    // Published densities differ by 0.4 % with the treatment of long-range forces.
    const double volume_cm3 = std::pow(box.edge_A * 1e-8, 3);
    CHECK(double(box.molecules) * grams_per_molecule / volume_cm3 ==
          doctest::Approx(m.density_g_cm3).epsilon(0.005));
    double bond_error_A = 0, angle_error_degrees = 0;
    for (std::int64_t n = 0; n < box.molecules; ++n) {
      const Vec3<double> o = site_A(box, n, 0), h1 = site_A(box, n, 1) - o, h2 = site_A(box, n, 2) - o;
      for (const double x : {o.x, o.y, o.z}) CHECK((x >= 0 && x < box.edge_A));
      bond_error_A =
          std::max({bond_error_A, std::abs(length_A(h1) - m.bond_A), std::abs(length_A(h2) - m.bond_A)});
      const double angle = std::acos(dot(h1, h2) / (length_A(h1) * length_A(h2))) * 180 / std::acos(-1.0);
      angle_error_degrees = std::max(angle_error_degrees, std::abs(angle - m.angle_degrees));
    }
    CHECK(bond_error_A < 0.0018);      // two ends rounded by 0.0005 A along each axis
    CHECK(angle_error_degrees < 0.2);  // the same, across a bond of 0.87 A at least
  }
}

TEST_CASE("water boxes: no two molecules overlap, also across the faces, and each has its neighbours") {
  for (const Model& m : models()) {
    CAPTURE(m.name);
    const WaterBox& box = water_box(m.name);
    double nearest_oo_A = 1e9, nearest_oh_A = 1e9, nearest_hh_A = 1e9;
    std::int64_t within_peak = 0, near = 0;
    for (std::int64_t i = 0; i < box.molecules; ++i)
      for (std::int64_t j = i + 1; j < box.molecules; ++j)
        for (int a = 0; a < 3; ++a)
          for (int b = 0; b < 3; ++b) {
            const double r_A = length_A(shortest_A(site_A(box, i, a) - site_A(box, j, b), box.edge_A));
            double& nearest_A = a == 0 && b == 0   ? nearest_oo_A
                                : a == 0 || b == 0 ? nearest_oh_A
                                                   : nearest_hh_A;
            nearest_A = std::min(nearest_A, r_A);
            if (a == 0 && b == 0) {
              within_peak += r_A > 2.6 && r_A < 3.0;
              near += r_A < 3.4;
            }
          }
    CHECK(nearest_oo_A > 2.3);  // shorter ones cost 10 kT and more in these models
    CHECK(nearest_oh_A > 1.4);
    CHECK(nearest_hh_A > 1.4);
    const double density_A3 = double(box.molecules) / std::pow(box.edge_A, 3);
    const double shell_A3 = 4.0 / 3.0 * std::acos(-1.0) * (27.0 - 17.576);
    const double peak = 2.0 * double(within_peak) / double(box.molecules) / (density_A3 * shell_A3);
    CHECK(peak > 1.8);  // mean of g_OO(r) over the first peak; a gas or a lattice of random molecules has 1
    CHECK(peak < 2.7);
    const double neighbours = 2.0 * double(near) / double(box.molecules);
    CHECK(neighbours > 4.0);  // four in ice
    CHECK(neighbours < 5.5);
  }
}

TEST_CASE("water boxes: filled evenly, and without a direction") {
  for (const Model& m : models()) {
    CAPTURE(m.name);
    const WaterBox& box = water_box(m.name);
    std::vector<int> octants(8, 0);
    Vec3<double> dipole{};
    for (std::int64_t n = 0; n < box.molecules; ++n) {
      const Vec3<double> o = site_A(box, n, 0), h = site_A(box, n, 1) + site_A(box, n, 2) - 2.0 * o;
      const double half_A = box.edge_A / 2;
      ++octants[std::size_t((o.x >= half_A) + 2 * (o.y >= half_A) + 4 * (o.z >= half_A))];
      dipole = dipole + (1.0 / length_A(h)) * h;
    }
    // The spread of a liquid's count is a fourth of a gas's, 0.25 * sqrt(900 / 8) = 2.7; five times that.
    for (const int count : octants) CHECK(std::abs(count - double(box.molecules) / 8) < 14);
    // Molecules turned at random: 1 / sqrt(3 * 900) = 0.02 a direction, twice that with the liquid's
    // correlations.
    CHECK(length_A(dipole) / double(box.molecules) < 0.2);
  }
}

TEST_CASE("water boxes: a model without a box is refused with the names of those that have one") {
  try {
    water_box("tip9p");
    FAIL("no error");
  } catch (const Error& error) {
    const std::string said = error.what();
    CHECK(said.find("'tip9p'") != std::string::npos);
    CHECK(said.find("tip3p") != std::string::npos);
  }
}
