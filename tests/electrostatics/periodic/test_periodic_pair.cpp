// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "core/error.hpp"
#include "electrostatics/periodic/periodic_pair.hpp"
#include "electrostatics/periodic/plain_ewald.hpp"

using namespace ionwell;

namespace {

constexpr double kT_A = 7.1;  // a prefactor that is not 1

std::vector<PairPotential> pairs_of_every_kind() {
  return {{PairPotential::Kind::coulomb, kT_A, 0.0},
          {PairPotential::Kind::distance_dependent, kT_A, 0.0},
          {PairPotential::Kind::debye_hueckel, kT_A, 0.1},
          {PairPotential::Kind::debye_hueckel, kT_A, 2.0}};
}

double plain_alpha_per_A(const PeriodicCell& cell) {
  return std::sqrt(3.14159265) / std::cbrt(cell.volume_A3());
}

/// Cells whose preparation takes no time, and one as of a membrane.
std::vector<NamedCell> cells() {
  std::vector<NamedCell> all = cells_of_all_shapes();
  all.push_back({"flat", cell_vectors({{12, 70, 60}, {90, 90, 90}})});
  return all;
}

}  // namespace

TEST_CASE("periodic pair: agrees with the plain sum, at all distances, also on top of the charge") {
  std::mt19937 random(21);
  std::uniform_real_distribution<double> anywhere(-2.0, 2.0);
  for (const NamedCell& c : cells())
    for (const PairPotential& pair : pairs_of_every_kind()) {
      CAPTURE(std::string(c.name));
      CAPTURE(int(pair.kind));
      CAPTURE(pair.kappa_per_A);
      const PeriodicCell cell(c.vectors);
      const PeriodicPair psi(cell, pair, {.threads = 1});
      const std::vector<PointCharge> unit{{{}, 1.0}};
      const double near_A = std::min(4.0, cell.inscribed_radius_A());
      // What was asked for; and rounding, of the mesh and of differences of positions.
      const double error = 1e-10 * pair.at(near_A * near_A) + 1e-12 * kT_A / near_A;
      std::vector<Vec3<double>> differences{{0, 0, 0},
                                            {0, 9e-4, 0},
                                            {1.1e-3, 0, 0},
                                            {0, 0, 0.3},
                                            0.5 * cell.reduced().a,
                                            0.5 * (cell.reduced().a + cell.reduced().b + cell.reduced().c),
                                            cell.vectors().b - cell.vectors().a};
      for (int n = 0; n < 12; ++n)
        differences.push_back(cell.cartesian_A({anywhere(random), anywhere(random), anywhere(random)}));
      for (const Vec3<double>& d : differences) {
        const double exact = plain_ewald(cell.reduced(), pair, unit, d, plain_alpha_per_A(cell));
        CHECK(std::abs(psi.at(d) - exact) <= error + 1e-11 * std::abs(exact));
      }
      const double own = plain_own_images(cell.reduced(), pair, plain_alpha_per_A(cell));
      CHECK(std::abs(psi.of_own_images_kT_e() - own) <= error);
    }
}

TEST_CASE("periodic pair: the same for any number of threads, and a cell that is too flat is refused") {
  const PeriodicCell cell(cell_vectors({{22, 34, 46}, {81, 67, 103}}));
  const PairPotential pair{PairPotential::Kind::coulomb, kT_A, 0.0};
  const PeriodicPair one(cell, pair, {.threads = 1}), three(cell, pair, {.threads = 3});
  for (const double x : {0.0, 1.7, 8.1}) {
    const Vec3<double> d{x, 2 * x, -x};
    CHECK(one.at(d) == three.at(d));
  }
  CHECK_THROWS_WITH_AS(PeriodicPair(PeriodicCell(cell_vectors({{0.1, 3000, 3000}, {90, 90, 90}})), pair),
                       doctest::Contains("less flat"), Error);
}
